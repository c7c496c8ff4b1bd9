#!/usr/bin/env bash
# Compiles a program outside the tree against the core of the installed library with every combination of flags that
# changes how Eigen allocates, and runs it.
# usage: any_flags.sh BUILD_FOLDER SOURCE WORK_FOLDER COMPILER [FLAG...]
set -euo pipefail
build=$1 source=$2 work=$3 compiler=$4
shift 4
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config here"; exit 77; }
case "$*" in *sanitize*) echo "skipped: the library itself is sanitized"; exit 77 ;; esac

rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" --component development >/dev/null
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name alcedo-core.pc)")
flags=$(pkg-config --cflags --libs alcedo-core)

# What the processor cannot run would say nothing.
targets=("-march=native" "")
if grep -qw avx2 /proc/cpuinfo; then targets+=("-mavx2 -mfma"); fi
combinations() {
  for target in "${targets[@]}"; do
    for level in -O0 -O2; do
      printf '%s\n' "$level $target" "$level $target -fsanitize=address"
    done
  done
}
try() {
  local program
  program=$(mktemp -p "$work")
  # shellcheck disable=SC2086  # words, and meant so
  "$compiler" -std=c++20 $1 "$source" -o "$program" $flags && "$program" || { echo "failed with: $1" >&2; return 1; }
  rm "$program"
}
export -f try
export source work compiler flags
combinations | xargs -P "$(nproc)" -d '\n' -I{} bash -c 'try "{}"'
