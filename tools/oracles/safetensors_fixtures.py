#!/usr/bin/env python3
"""A small file with every dtype, an empty tensor, a scalar and names that need escapes, by the safetensors library.

usage: safetensors_fixtures.py OUT_DIR   (pip install safetensors==0.8.0)
"""
import ctypes
import sys
import safetensors

SIZES = {"bool": 1, "uint8": 1, "int8": 1, "float8_e5m2": 1, "float8_e4m3fn": 1, "int16": 2, "uint16": 2, "float16": 2,
         "bfloat16": 2, "int32": 4, "uint32": 4, "float32": 4, "float64": 8, "int64": 8, "uint64": 8}


def main(out):
    tensors = {}
    for i, (dtype, size) in enumerate(SIZES.items()):
        shape = [3, i + 1]
        data = bytes((7 * i + k) % 251 if dtype != "bool" else k % 2 for k in range(3 * (i + 1) * size))
        tensors[f"z{len(SIZES) - i}.{dtype}"] = {"dtype": dtype, "shape": shape, "data": data}
    tensors["scalar"] = {"dtype": "float32", "shape": [], "data": b"\x00\x00\x80?"}
    tensors["empty"] = {"dtype": "float32", "shape": [0, 4], "data": b""}
    tensors['quote " back\\slash \n tab\t é 中'] = {"dtype": "uint8", "shape": [1], "data": b"x"}
    keep, specs = [], {}
    for name, t in tensors.items():
        keep.append(ctypes.create_string_buffer(t["data"], max(1, len(t["data"]))))
        specs[name] = safetensors.TensorSpec(dtype=t["dtype"], shape=t["shape"], data_ptr=ctypes.addressof(keep[-1]),
                                             data_len=len(t["data"]))
    with open(out + "/all_dtypes.safetensors", "wb") as f:
        f.write(safetensors.serialize(specs, metadata={"format": "pt"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
