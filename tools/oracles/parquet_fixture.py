#!/usr/bin/env python3
"""Writes tests/golden/parquet/*.parquet with pyarrow: the files that the parquet reader is tested on.

usage: parquet_fixture.py OUT_DIR     (needs pyarrow; run with .venv/bin/python)
"""
import sys
import pyarrow as pa
import pyarrow.parquet as pq

out = sys.argv[1]
texts = [f"row {i} " + "äß漢" * (i % 5) for i in range(3000)]
# Several row groups, pages and codecs; a dictionary column and a large_string column.
pq.write_table(pa.table({"id": pa.array(range(3000), pa.int64()), "text": texts}), f"{out}/plain.parquet",
               row_group_size=700, compression="snappy", data_page_size=4096)
pq.write_table(pa.table({"text": pa.array(["a", "b", None, "", "b"] * 2).dictionary_encode(),
                         "body": pa.array([str(i) for i in range(10)], pa.large_string())}),
               f"{out}/mixed.parquet", compression="zstd")
