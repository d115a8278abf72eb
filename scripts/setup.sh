#!/usr/bin/env bash
# Installs everything that building, testing and running mindspeed needs, and nothing that is already there.
#   scripts/setup.sh          Debian packages + a private .venv with libtorch and Arrow
#   scripts/setup.sh fuzz     also clang with its fuzzer
# Needs: Debian 12 (or a system that has the packages below), network access to its package registries.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  build-essential cmake ninja-build git make pkg-config ccache
  python3 python3-venv python3-pip
  libfmt-dev libspdlog-dev nlohmann-json3-dev libyaml-cpp-dev
  libpcre2-dev libutf8proc-dev zlib1g-dev libzstd-dev zstd libssl-dev
  libgloo-dev                       # headers only: the code is inside libtorch_cpu.so
  libcurl4-openssl-dev ca-certificates openssl
  libgtest-dev libbenchmark-dev libcpp-httplib-dev
)
[ "${1:-}" != fuzz ] || packages+=(clang libclang-rt-dev)
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if [ "${#missing[@]}" -gt 0 ]; then
  sudo=""
  [ "$(id -u)" -eq 0 ] || sudo="sudo"
  echo "[setup] installing Debian packages: ${missing[*]}"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# Bump the stamp when the list of wheels changes.
stamp=".venv/mindspeed-setup-1"
if [ ! -e "$stamp" ]; then
  echo "[setup] installing libtorch and Arrow into .venv (about 600 MB)"
  py=/usr/bin/python3
  [ -x "$py" ] || py=python3
  rm -rf .venv
  "$py" -m venv .venv
  .venv/bin/pip install -q --disable-pip-version-check --no-deps --no-compile \
    'torch==2.11.0' 'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-cupti==13.0.*' 'pyarrow==26.0.1'
  # The wheel ships versioned libraries only; the linker wants the plain names.
  for lib in libarrow libparquet; do
    for so in .venv/lib/python3*/site-packages/pyarrow/$lib.so.*; do
      ln -sf "$(basename "$so")" "$(dirname "$so")/$lib.so"
    done
  done
  touch "$stamp"
fi
echo "[setup] done"
