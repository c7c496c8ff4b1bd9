#!/usr/bin/env bash
# The list of stable headers in docs/api.md, alcedo/alcedo.h with alcedo/core.h, and what is installed agree; every
# installed header compiles alone; and no library has a symbol of Eigen's own namespace, which a program could replace.
# usage: headers.sh BUILD_FOLDER SOURCE_FOLDER WORK_FOLDER COMPILER
set -euo pipefail
build=$1 source=$2 work=$3 compiler=$4
fail() { echo "$1" >&2; exit 1; }
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config here"; exit 77; }

rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" --component development >/dev/null
include=$work/prefix/include
cd "$work"
find "$include" -name '*.h' -printf '%P\n' | LC_ALL=C sort >installed

# One section of the page for each of the two headers that name all others.
for name in core alcedo; do
  sed -n 's/^#include "\(alcedo\/[^"]*\)".*/\1/p' "$include/alcedo/$name.h" | grep -v '^alcedo/core.h$' |
    LC_ALL=C sort >included
  awk -v title="## alcedo/$name.h" '/^## /{ours = $0 == title} ours' "$source/docs/api.md" |
    sed -n 's/^- `\(alcedo\/[^`]*\)`: ..*/\1/p' | LC_ALL=C sort >documented
  [ -s included ] || fail "alcedo/$name.h includes nothing"
  diff included documented || fail "alcedo/$name.h (<) and docs/api.md (>) differ"
  LC_ALL=C comm -23 included installed >missing
  [ ! -s missing ] || fail "not installed: $(cat missing)"
done
# Whatever else is installed is included by one of these.
grep -rhoE '#include "alcedo/[^"]+"' "$include" | cut -d'"' -f2 | { cat; echo alcedo/alcedo.h; } | LC_ALL=C sort -u >wanted
diff wanted installed || fail "what installed headers include (<) and what is installed (>) differ"
if grep -E '^alcedo/(cli|linalg|report|reproduce|figures|synth)/|_internal|_testing|huge_pages' installed; then
  fail "internal headers are installed"
fi

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name alcedo.pc)")
flags=$(pkg-config --cflags alcedo)
mkdir alone
while read -r header; do
  echo "#include <$header>" >"alone/${header//\//_}.cc"
done <installed
# shellcheck disable=SC2086  # words, and meant so
find alone -name '*.cc' -print0 |
  xargs -0 -P "$(nproc)" -n 1 "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror $flags

for library in $(find "$work/prefix" -name 'libalcedo_*.a'); do
  nm -C "$library" 2>/dev/null | grep -F 'Eigen::' | head -3 >symbols || true
  [ ! -s symbols ] || fail "$library has symbols of Eigen: $(cat symbols)"
done
