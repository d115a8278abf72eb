#!/usr/bin/env python3
"""Opens an exported SmolLM2 folder in transformers and holds it against what transformers makes of the GGUF itself.

usage: open_export.py FOLDER [GOLDEN]   (bench/.venv has the packages; GOLDEN: tests/golden/smollm2)
Checks: no missing, unexpected or mismatched tensor; ids of the text; mean loss; top-5 logits at 20 positions; the
chat template's rendering; 40 greedy ids of each prompt as far as the recorded margin (> 1e-3) decides. Exit code 1 on
any difference.
"""
import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

FOLDER = sys.argv[1]
GOLDEN = Path(sys.argv[2] if len(sys.argv) > 2 else "tests/golden/smollm2")
failures = []


def check(name, ok, detail=""):
    print(f"{'ok  ' if ok else 'FAIL'} {name} {detail}")
    if not ok:
        failures.append(name)


model, info = AutoModelForCausalLM.from_pretrained(
    FOLDER, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
tokenizer = AutoTokenizer.from_pretrained(FOLDER)
model.eval()
check("every tensor is there and none too many", not any(info[k] for k in info), {k: list(v) for k, v in info.items() if v})

loss = json.loads((GOLDEN / "loss.json").read_text())
text = (GOLDEN / "text.txt").read_text()
check("ids of the text", tokenizer(text, add_special_tokens=False)["input_ids"] == loss["ids"])
with torch.no_grad():
    logits = model(torch.tensor([loss["ids"]])).logits[0]
nll = torch.nn.functional.cross_entropy(logits[:-1].double(), torch.tensor(loss["ids"][1:])).item()
mean = loss["mean_loss"]
check("mean loss", abs(nll - mean) < 3e-5, f"{nll:.6f} (golden {mean:.6f})")
worst = 0.0
for row in loss["top5"]:
    values = torch.tensor(row["logits"])
    worst = max(worst, (logits[row["position"]][row["ids"]] - values).abs().max().item())
check("top-5 logits at 20 positions", worst < 2e-3, f"largest difference {worst:.2e}")

for i, case in enumerate(json.loads((GOLDEN / "greedy.json").read_text())):
    rendered = tokenizer.apply_chat_template(case["messages"], tokenize=False, add_generation_prompt=True)
    check(f"prompt {i}: rendering", rendered == case["rendered"])
    ids = torch.tensor([case["prompt_ids"]])
    with torch.no_grad():
        out = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=40,
                             eos_token_id=None, pad_token_id=0)[0, ids.shape[1]:].tolist()
    decided = next((k for k, margin in enumerate(case["margins"]) if margin <= 1e-3), len(case["margins"]))
    check(f"prompt {i}: greedy ids", out[:decided] == case["greedy_ids"][:decided], f"{decided} decided")

sys.exit(1 if failures else 0)
