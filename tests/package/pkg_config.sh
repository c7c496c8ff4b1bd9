#!/usr/bin/env bash
# Compiles a program outside the tree with what pkg-config says of a prefix that was moved after it was installed.
# usage: pkg_config.sh BUILD_FOLDER CONSUMER WORK_FOLDER COMPILER [FLAG...]
set -euo pipefail
build=$1 consumer=$2 work=$3 compiler=$4
shift 4
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config here"; exit 77; }

rm -rf "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/second"
pc=$(find "$work/second" -name alcedo.pc)
[ -n "$pc" ] || { echo "alcedo.pc was not installed"; exit 1; }
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$pc")
pkg-config --exists --print-errors alcedo
flags=$(pkg-config --cflags --libs alcedo)
case $flags in
  *"$work/first"*) echo "the place of the first prefix is written into the flags: $flags"; exit 1 ;;
esac
# shellcheck disable=SC2086  # words, and meant so
"$compiler" -std=c++20 "$@" "$consumer/main.cc" -o "$work/consumer" $flags
"$work/consumer"
[ "alcedo $(pkg-config --modversion alcedo)" = "$("$work/second/bin/alcedo" --version)" ]

# What else a prefix has.
for file in share/man/man1/alcedo.1 share/man/man1/alcedo-pool.1 share/bash-completion/completions/alcedo \
            share/zsh/site-functions/_alcedo share/fish/vendor_completions.d/alcedo.fish; do
  [ -s "$work/second/$file" ] || { echo "$file was not installed"; exit 1; }
done
