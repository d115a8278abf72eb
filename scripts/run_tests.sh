#!/usr/bin/env bash
# Runs the tests of a build folder and gathers the proven cells.
#   scripts/run_tests.sh build/release short        (labels: short, long)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
labels=$2

rm -rf "$build/proof" build/proof.json
status=0
ctest --test-dir "$build" -L "^($labels)\$" -j "$(nproc)" --output-on-failure || status=$?

# One JSON list of all cells that the suites recorded; a failed cell stays visible as "pass":false.
cells=$(cat "$build"/proof/*.jsonl 2>/dev/null | sort -u || true)
{ echo '['; printf '%s\n' "$cells" | sed '/^$/d; $!s/$/,/'; echo ']'; } > build/proof.json
echo "proven cells: $(printf '%s\n' "$cells" | grep -c '"pass":true' || true) (build/proof.json)"
exit "$status"
