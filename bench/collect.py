"""Turns the raw figures of bench/run.sh into bench/out/summary.json.

    collect.py ours RUN.jsonl RSS_FILE      -> one JSON line: tokens/s (median of steps 2..), peak memory
    collect.py summary FOLDER               -> table and FOLDER/summary.json
"""
import json
import os
import statistics
import sys


def rows(path):
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]


def isa():
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "")
    return next((name for name in ("avx512_bf16", "avx512f", "avx2") if name in flags.split()), os.uname().machine)


if sys.argv[1] == "ours":
    steps = [row for row in rows(sys.argv[2]) if "tokens_per_second" in row]
    print(json.dumps({
        "tokens_per_second": statistics.median(row["tokens_per_second"] for row in steps[1:]),
        "peak_mib": int(open(sys.argv[3]).read().split()[-1]) / 1024,
    }))
else:
    folder, summary = sys.argv[2], []

    def add(name, ours, peer, goal, better):
        summary.append({"name": name, "ours": round(ours, 2), "peer": round(peer, 2), "ratio": round(ours / peer, 3),
                        "goal": goal, "better": better, "isa": isa()})

    for model in ("smollm2", "qwen3_80m"):
        ours, peer = (rows(f"{folder}/{model}.{side}.jsonl") for side in ("ours", "peer"))
        median = lambda side, key: statistics.median(row[key] for row in side)
        add(f"step.{model}.512", median(ours, "tokens_per_second"), median(peer, "tokens_per_second"), 1.1, "higher")
        add(f"memory.step.{model}", median(ours, "peak_mib"), median(peer, "peak_mib"), 0.85, "lower")
    with open(f"{folder}/summary.json", "w") as file:
        json.dump(summary, file, indent=1)
    print(f"{'name':24}{'ours':>10}{'peer':>10}{'ratio':>8}{'goal':>7}")
    for row in summary:
        met = row["ratio"] >= row["goal"] if row["better"] == "higher" else row["ratio"] <= row["goal"]
        print(f"{row['name']:24}{row['ours']:10.1f}{row['peer']:10.1f}{row['ratio']:8.3f}{row['goal']:7.2f}  {'met' if met else 'missed'}")
