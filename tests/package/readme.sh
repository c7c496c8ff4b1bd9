#!/usr/bin/env bash
# Does word for word what the README (the program under "From C++") and docs/cpp.md (the commands) say: installs,
# compiles the program with pkg-config and with CMake.
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
# The blocks of one language below the heading of a file that matches, one after the other.
blocks() {
  awk -v open="\`\`\`$1" -v heading="$3" '/^##? /{ours = $0 ~ heading} /^```$/{inside = 0} inside; ours && $0 == open{inside = 1}' "$2"
}
page=$(dirname "$readme")/docs/cpp.md
blocks cpp "$readme" "^## From C" >pool.cc
{ echo "cmake_minimum_required(VERSION 3.25)"; echo "project(pool LANGUAGES CXX)"; blocks cmake "$page" "^# "; } >CMakeLists.txt
blocks sh "$page" "^# " >commands
[ "$(grep -c . commands)" -ge 4 ] || { echo "docs/cpp.md does not say how to install and compile"; exit 1; }
# shellcheck disable=SC2086  # words, and meant so
g++() { command "$CXX" $CXXFLAGS "$@"; }
# shellcheck disable=SC1091  # it was just written
. ./commands
./pool | grep '^solved by '
./build-pool/pool | grep '^solved by '
# The manual pages are where docs/cpp.md says.
[ -s "$HOME/alcedo/share/man/man1/alcedo.1" ] && [ -s build/release/man/alcedo-encode.1 ]
