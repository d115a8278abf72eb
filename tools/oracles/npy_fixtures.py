#!/usr/bin/env python3
"""Small .npy files by numpy.save.  usage: npy_fixtures.py OUT_DIR   (numpy==2.4.6)"""
import sys
import numpy as np

out = sys.argv[1]
np.save(out + "/i16.npy", np.array([1, -2, 3], dtype=np.int16))
np.save(out + "/i32.npy", np.arange(12, dtype=np.int32).reshape(6, 2))
np.save(out + "/i64.npy", np.array([2**40, -1], dtype=np.int64))
np.save(out + "/u32.npy", np.array([4000000000], dtype=np.uint32))
np.save(out + "/empty.npy", np.zeros((0, 2), dtype=np.int32))
np.save(out + "/fortran.npy", np.asfortranarray(np.arange(4, dtype=np.int32).reshape(2, 2)))
