"""Training steps of a model in transformers (eager, fp32, CPU): tokens/s and peak resident memory, as one JSON line.

    bench/.venv/bin/python bench/peer_step.py qwen3_80m --batch 2 --sequence 512 --steps 6
"""
import argparse
import json
import os
import resource
import statistics
import time

parser = argparse.ArgumentParser()
parser.add_argument("model", choices=["smollm2", "qwen3_80m"])
parser.add_argument("--batch", type=int, default=2)
parser.add_argument("--sequence", type=int, default=512)
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
args = parser.parse_args()

import torch  # noqa: E402
import transformers  # noqa: E402

torch.set_num_threads(args.threads)
torch.manual_seed(0)
with open(os.path.join(os.path.dirname(__file__), "models", args.model + ".json")) as file:
    config = transformers.AutoConfig.for_model(**json.load(file))
config.use_cache = False
model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

times = []
for step in range(args.steps):
    ids = torch.randint(0, config.vocab_size, (args.batch, args.sequence))
    start = time.perf_counter()
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    times.append(time.perf_counter() - start)

median = statistics.median(times[1:])  # the first step allocates
print(json.dumps({
    "tokens_per_second": args.batch * args.sequence / median,
    "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "parameters": sum(p.numel() for p in model.parameters()),
}))
