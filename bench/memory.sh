#!/usr/bin/env bash
# Peak resident memory of real runs of three steps against the forecast of --dry-run, in MiB. The measured column is what
# tests/front/planner/memory_test.cpp records.
#   make build && bench/memory.sh
set -euo pipefail
cd "$(dirname "$0")/.."
ms=${BUILD:-build/release}/bin/mindspeed
two="--seq-length 512 --micro-batch-size 2 --global-batch-size 2"
one="--seq-length 256 --micro-batch-size 1 --global-batch-size 1"
configurations=(
  "--preset debug --seq-length 64 --micro-batch-size 2 --global-batch-size 2"
  "--preset qwen3-80m $one"
  "--preset qwen3-80m $two"
  "--preset qwen3-80m $two --recompute-granularity full"
  "--preset qwen3-80m $two --recompute-granularity full --recompute-num-layers 7"
  "--preset qwen3-80m $two --bf16"
  "--preset smollm2-135m $one"
  "--preset smollm2-135m $two"
  "--preset smollm2-135m $two --bf16"
)
rss=$(mktemp)
trap 'rm -f "$rss"' EXIT
printf '%8s %8s %6s  flags\n' measured forecast ratio
for flags in "${configurations[@]}"; do
  run=(pretrain $flags --mock-data --train-iters 3 --lr 1e-4 --eval-iters 0)
  forecast=$("$ms" "${run[@]}" --dry-run | awk '$1 == "peak" { print $3 == "GiB" ? $2 * 1024 : $2 }')
  /usr/bin/env time -f '%M' -o "$rss" "$ms" "${run[@]}" >/dev/null 2>&1
  awk -v m="$(cat "$rss")" -v f="$forecast" -v flags="$flags" \
    'BEGIN { m /= 1024; printf "%8.0f %8.0f %6.2f  %s\n", m, f, f / m, flags }'
done
