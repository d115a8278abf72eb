#!/usr/bin/env bash
# The main job on real input: a real model is imported, continues pre-training on a real novel, is stopped half way,
# resumes, is exported to Hugging Face format, and talks. Everything lands in demo/; run again to start over.
#   DEMO_STEPS=24 scripts/demo.sh        (steps of 2 x 512 tokens)
set -euo pipefail
cd "$(dirname "$0")/.."
steps=${DEMO_STEPS:-24}
ms=${BUILD:-build/release}/bin/mindspeed
out=demo
say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
show() { printf '$ %s' "$ms"; printf ' %q' "$@"; printf '\n'; }
run() { show "$@"; "$ms" "$@"; }

say "1/7 real model and text"
scripts/fetch_fixtures.sh smollm2_gguf
gguf=$(ls build/fixtures/smollm2_gguf/*.gguf)
rm -rf "$out"
mkdir -p "$out"
scripts/fetch_demo_text.sh "$out/text"

say "2/7 GGUF -> Hugging Face folder"
run convert --load-dir "$gguf" --save-dir "$out/model"

say "3/7 text -> .bin/.idx"
run preprocess --input "$out/text/botchan.txt" --tokenizer-name-or-path "$out/model" --append-eod \
  --output-prefix "$out/text/botchan" --workers 2

prompt="In the evening the old school-master sat down by the window and"
common=(--model "$out/model" --data-path "$out/text/botchan_text_document" --split 94,6,0 --seq-length 512
  --micro-batch-size 2 --global-batch-size 2 --train-iters "$steps" --lr 1e-4 --min-lr 1e-5
  --lr-decay-style cosine --lr-warmup-iters 4 --weight-decay 0.01 --adam-beta2 0.95 --clip-grad 1.0 --seed 1234
  --eval-iters 4 --eval-interval 1000 --log-interval 1)

say "4/7 before: held-out loss and a continuation"
run pretrain "${common[@]}" --skip-train 2>&1 | tee "$out/before.log" | grep -E 'validation loss|error' || true
run generate --model "$out/model" --prompt "$prompt" --greedy --max-new-tokens 40 | tee "$out/before.txt"

say "5/7 continued pre-training, stopped by SIGTERM half way, resumed"
train=("${common[@]}" --save "$out/checkpoint" --load "$out/checkpoint" --save-interval 1000 --keep-last 1
  --tensorboard-dir "$out/tensorboard" --log-jsonl "$out/train.jsonl" --loss-curve "$out/loss.svg" --export-hf "$out/tuned")
show pretrain "${train[@]}"
"$ms" pretrain "${train[@]}" > >(tee "$out/train.log") 2>&1 &
pid=$!
trained() { [ -e "$out/train.jsonl" ] && grep -c '"loss"' "$out/train.jsonl" || true; }
while kill -0 "$pid" 2>/dev/null && [ "$(trained | awk '{ print $1 + 0 } END { if (NR == 0) print 0 }')" -lt $((steps / 2)) ]; do
  sleep 1
done
echo "-- SIGTERM to the training process"
kill -TERM "$pid" 2>/dev/null || true
wait "$pid"
echo "-- the same command again: it resumes"
"$ms" pretrain "${train[@]}" 2>&1 | tee -a "$out/train.log"

say "6/7 after: held-out loss and the same prompt"
before=$(grep -oE 'lm loss value: [0-9.E+-]+' "$out/before.log" | tail -1 | awk '{print $NF}')
after=$(grep -oE 'lm loss value: [0-9.E+-]+' "$out/train.log" | tail -1 | awk '{print $NF}')
run generate --model "$out/tuned" --prompt "$prompt" --greedy --max-new-tokens 40 | tee "$out/after.txt"

say "7/7 result"
awk -v b="$before" -v a="$after" 'BEGIN {
  printf "held-out loss: %.4f before, %.4f after (%.1f %% lower)\n", b, a, 100 * (b - a) / b
  if (!(a < b)) { print "the loss did not fall: something is wrong"; exit 1 } }'
cat <<END

Everything lies in $out/:
  model/       SmolLM2-135M-Instruct as a Hugging Face folder (opens in transformers)
  text/        the novel and its tokens (.bin/.idx)
  train.log    the run, stopped and resumed; loss.svg its curve; train.jsonl and tensorboard/ the same as data
  checkpoint/  the native checkpoint (any layout may resume it)
  tuned/       the trained model as a Hugging Face folder
Next:
  $ms chat --model $out/model                    talk to the model (exit ends it)
  $ms pretrain --model $out/model --dry-run ...  the plan and memory forecast of a run
  $ms --help                                     all commands
END
