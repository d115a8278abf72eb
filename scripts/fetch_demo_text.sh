#!/usr/bin/env bash
# A real novel: "Botchan" by Natsume Soseki in English (Project Gutenberg), which the source package of sentencepiece
# carries as plain text. One paragraph per line, which is one document per line for `mindspeed preprocess`.
#   scripts/fetch_demo_text.sh FOLDER     -> FOLDER/botchan.txt
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1
mkdir -p "$target"
cache=build/fixtures/botchan
if [ ! -e "$cache/botchan.txt" ]; then
  mkdir -p "$cache"
  .venv/bin/pip download -q --disable-pip-version-check --no-deps --no-binary sentencepiece \
    -d "$cache" sentencepiece==0.2.3 2>/dev/null || true
  archive=$(ls "$cache"/sentencepiece-*.tar.gz 2>/dev/null || true)
  [ -n "$archive" ] || { echo "[demo] the source package sentencepiece==0.2.3 could not be downloaded" >&2; exit 1; }
  tar -xzf "$archive" -C "$cache" --strip-components=2 --wildcards '*/test/botchan.txt'
fi
# The book between Project Gutenberg's header and licence; paragraphs are separated by blank lines.
tr -d '\r' < "$cache/botchan.txt" | sed -n '/^\*\*\* START OF/,/^\*\*\* END OF/p' | sed '1d;$d' |
  awk 'BEGIN { RS = ""; FS = "\n" } { line = $1; for (i = 2; i <= NF; i++) line = line " " $i; print line }' > "$target/botchan.txt"
echo "[demo] the source package sentencepiece==0.2.3 could not be downloaded" >&2; exit 1; }
  tar -xzf "$archive" -C "$cache" --strip-components=2 --wildcards '*/test/botchan.txt'
fi
# Paragraphs are separated by blank lines in the source.
awk 'BEGIN { RS = ""; FS = "\n" } { line = ""; for (i = 1; i <= NF; i++) { sub(/\r$/, "", $i); line = line (i > 1 ? " " : "") $i } print line }' \
  "$cache/botchan.txt" > "$target/botchan.txt"
echo "[demo] $(wc -l < "$target/botchan.txt") paragraphs, $(wc -c < "$target/botchan.txt") bytes of text in $target/botchan.txt"
