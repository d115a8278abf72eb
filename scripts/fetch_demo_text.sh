#!/usr/bin/env bash
# A real novel: "Botchan" by Natsume Soseki in English (Project Gutenberg), which the source package of sentencepiece
# carries as plain text. One document per line, as `mindspeed preprocess` reads .txt files.
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
# The book between Project Gutenberg's header and licence, without the transcriber's list of errata. A short line ends a
# paragraph; a document is as many paragraphs as make 1500 characters.
tr -d '\r' < "$cache/botchan.txt" | sed -n '/^\*\*\* START OF/,/^\*\*\* END OF/p' | sed '1d;$d' |
  grep -vE "^\[[A-Z]: |^End of Project Gutenberg" |
  awk '{ text = text (text == "" ? "" : " ") $0 }
       length($0) < 60 && length(text) > 1500 { print text; text = "" }
       END { if (text != "") print text }' > "$target/botchan.txt"
echo "[demo] $(wc -l < "$target/botchan.txt") documents, $(wc -c < "$target/botchan.txt") bytes of text in $target/botchan.txt"
