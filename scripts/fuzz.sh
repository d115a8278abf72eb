#!/usr/bin/env bash
# Builds the fuzz targets of tests/fuzz and runs each for a while, two at a time.
#   scripts/fuzz.sh SECONDS [TARGET ...]
# Seeds: tests/fuzz/corpus/TARGET (an input that once found a fault stays there) and small golden files. What the
# fuzzer learns is kept in build/fuzz/corpus; inputs that broke a target are left in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
cmake --preset fuzz >/dev/null
cmake --build build/fuzz -j "$(nproc)" --target fuzzers

golden=tests/golden
declare -A seeds=(
  [safetensors]="$golden/safetensors/*.safetensors"
  [gguf]="$golden/gguf/*.gguf"
  [npy]="$golden/npy/*.npy"
)
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
  for program in build/fuzz/bin/fuzz_*; do targets+=("${program##*/fuzz_}"); done
fi

run_one() {
  local target=$1 learnt=build/fuzz/corpus/$1 log=build/fuzz/log/$1.txt
  if ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=0 "build/fuzz/bin/fuzz_$target" \
      -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -max_len=16384 \
      -artifact_prefix="build/fuzz/findings/$target-" -print_final_stats=1 "$learnt" >"$log" 2>&1; then
    printf 'fuzz %-16s ok, %s runs\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  else
    printf 'fuzz %-16s FAILED:\n' "$target"
    grep -aE -A12 'ERROR|SUMMARY|runtime error|terminate called|what\(\)|Test unit written' "$log" | head -60
    return 1
  fi
}
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm  # targets that read files are twice as fast there
export seconds
export -f run_one

mkdir -p build/fuzz/findings build/fuzz/log
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/corpus/$target"
  # shellcheck disable=SC2086 # patterns
  for file in tests/fuzz/corpus/"$target"/* ${seeds[$target]:-}; do
    [ ! -f "$file" ] || cp -n "$file" "build/fuzz/corpus/$target/"
  done
done
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c 'run_one {}'
