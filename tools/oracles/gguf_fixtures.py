#!/usr/bin/env python3
"""GGUF fixtures by gguf-py: one small tensor per block type with its dequantised values, and every metadata type.

usage: gguf_fixtures.py OUT_DIR [MODEL.gguf]   (pip install gguf==0.19.0 numpy==2.4.6)
Writes OUT_DIR/types.gguf and OUT_DIR/types.f32 (fp32 values of all tensors in file order). With MODEL.gguf also
OUT_DIR/smollm2_sha256.json: per tensor the shape, the type and the SHA-256 of its dequantised fp32 bytes.
"""
import hashlib
import json
import sys
import gguf
import numpy as np
from gguf import GGMLQuantizationType as T, GGUFValueType as V

ROWS, COLUMNS = 2, 256
QUANTISED = [T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0]  # gguf-py can make these from floats
RANDOM = {  # the others get random codes; {byte offset: kind of scale}
    T.Q2_K: [80, 82], T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0], T.MXFP4: []}


def blocks_of(rng, qtype):
    elements, size = gguf.GGML_QUANT_SIZES[qtype]
    n = ROWS * COLUMNS // elements
    raw = rng.integers(0, 256, (n, size), dtype=np.uint8)
    for at in RANDOM[qtype]:
        raw[:, at:at + 2] = rng.normal(0, 0.05, (n, 1)).astype(np.float16).view(np.uint8)
    if qtype == T.MXFP4:
        raw[:, 0] = rng.integers(0, 140, n)
        raw[:3, 0] = [0, 1, 2]
    return raw.reshape(ROWS, -1)


def metadata(w):
    w.add_uint8("t.u8", 200), w.add_int8("t.i8", -100), w.add_uint16("t.u16", 60000), w.add_int16("t.i16", -30000)
    w.add_uint32("t.u32", 4000000000), w.add_int32("t.i32", -2000000000)
    w.add_uint64("t.u64", 2**63 + 5), w.add_int64("t.i64", -2**62)
    w.add_float32("t.f32", 0.1), w.add_float64("t.f64", 0.1), w.add_bool("t.yes", True), w.add_bool("t.no", False)
    w.add_string("t.text", "héllo 中"), w.add_array("t.strings", ["a", "", "<|im_start|>"])
    w.add_array("t.ints", [1, -2, 3]), w.add_array("t.floats", [0.5, -1.25]), w.add_array("t.bools", [True, False])
    w.add_array("t.nested", [[1, 2], [3]])


def types(out):
    rng = np.random.default_rng(20261130)
    w = gguf.GGUFWriter(out + "/types.gguf", "llama")
    w.add_custom_alignment(64)
    metadata(w)
    expected = []
    x = rng.normal(0, 1, (ROWS, COLUMNS)).astype(np.float32)
    x[0, :32] = 0  # a block whose scale is zero
    w.add_tensor("F32", x), expected.append(x)
    w.add_tensor("F16", x.astype(np.float16)), expected.append(x.astype(np.float16).astype(np.float32))
    for qtype in [T.BF16] + QUANTISED + list(RANDOM):
        raw = blocks_of(rng, qtype) if qtype in RANDOM else gguf.quants.quantize(x, qtype)
        w.add_tensor(qtype.name, raw, raw_dtype=qtype)
        expected.append(gguf.quants.dequantize(raw, qtype).astype(np.float32))
    w.add_tensor("I32", np.arange(4, dtype=np.int32)), expected.append(np.zeros(0, np.float32))
    w.write_header_to_file(), w.write_kv_data_to_file(), w.write_tensors_to_file(), w.close()
    np.concatenate([e.reshape(-1) for e in expected]).tofile(out + "/types.f32")


def model(out, path):
    rows = {}
    for t in gguf.GGUFReader(path).tensors:
        x = np.ascontiguousarray(gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32))
        rows[t.name] = [t.tensor_type.name, [int(n) for n in reversed(t.shape)], hashlib.sha256(x.tobytes()).hexdigest()]
    with open(out + "/smollm2_sha256.json", "w") as f:
        f.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in rows.items()) + "\n}\n")


if __name__ == "__main__":
    types(sys.argv[1])
    if len(sys.argv) > 2:
        model(sys.argv[1], sys.argv[2])
