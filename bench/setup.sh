#!/usr/bin/env bash
# Installs the peer to compare with (transformers on torch, CPU) into bench/.venv; about 3 GB, not needed by anything else.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=bench/.venv/mindspeed-bench-1
if [ ! -e "$stamp" ]; then
  py=/usr/bin/python3
  [ -x "$py" ] || py=python3
  rm -rf bench/.venv
  "$py" -m venv bench/.venv
  bench/.venv/bin/pip install -q --disable-pip-version-check -r bench/requirements.txt
  touch "$stamp"
fi
scripts/fetch_fixtures.sh
echo "[bench-setup] done"
