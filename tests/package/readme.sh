#!/usr/bin/env bash
# Does what the README says under "From C++", word for word: installs, compiles its program with pkg-config and with CMake.
# usage: readme.sh BUILD_FOLDER README WORK_FOLDER COMPILER [FLAG...]
set -euo pipefail
build=$1 readme=$2 work=$3
export CXX=$4
shift 4
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config here"; exit 77; }

rm -rf "$work"
mkdir -p "$work/home" "$work/here/build"
ln -s "$build" "$work/here/build/release"
export HOME=$work/home CXXFLAGS="$*" LDFLAGS="$*"
cd "$work/here"
# The blocks of one language in that section, one after the other.
blocks() {
  awk -v open="\`\`\`$1" '/^## /{ours = $0 == "## From C++"} /^```$/{inside = 0} inside; ours && $0 == open{inside = 1}' "$readme"
}
blocks cpp >pool.cc
{ echo "cmake_minimum_required(VERSION 3.25)"; echo "project(pool LANGUAGES CXX)"; blocks cmake; } >CMakeLists.txt
blocks sh >commands
[ "$(grep -c . commands)" -ge 4 ] || { echo "the README does not say how to install and compile"; exit 1; }
# shellcheck disable=SC2086  # words, and meant so
g++() { command "$CXX" $CXXFLAGS "$@"; }
# shellcheck disable=SC1091  # it was just written
. ./commands
./pool | grep '^solved by '
./build-pool/pool | grep '^solved by '
# And where it says that the manual pages are.
[ -s "$HOME/alcedo/share/man/man1/alcedo.1" ] && [ -s build/release/man/alcedo-encode.1 ]
