#!/usr/bin/env bash
# Makes the Debian packages, looks at them, installs them, uses them, and removes them again whatever happens.
# usage: debian.sh BUILD_FOLDER CONSUMER WORK_FOLDER COMPILER
set -euo pipefail
build=$1 consumer=$2 work=$3 compiler=$4
for tool in dpkg-deb dpkg-shlibdeps gzip; do
  command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
fail() { echo "$1" >&2; exit 1; }

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" >cpack.log 2>&1 || { cat cpack.log; exit 1; }
program=$(ls packages/alcedo_*.deb)
library=$(ls packages/libalcedo-dev_*.deb)
packages=("$program" "$library")
python=$(ls packages/python3-alcedo_*.deb 2>/dev/null || true)  # none if there is no pybind11
if [ -n "$python" ]; then
  packages+=("$python")
elif [ -e "$build/python/alcedo" ]; then
  fail "there is no package of the Python module"
fi

# What they say of themselves, and hold.
for field in Version Architecture Maintainer Depends Section Homepage Description; do
  for package in "${packages[@]}"; do
    [ -n "$(dpkg-deb -f "$package" $field)" ] || fail "$package has no field $field"
  done
done
depends=$(dpkg-deb -f "$program" Depends)
for name in libc6 libopenblas libpng16 libwebp; do
  case $depends in *"$name"*) ;; *) fail "$program does not depend on $name: $depends" ;; esac
done
dpkg-deb -x "$program" files
[ "$(stat -c %a files/usr)" = 755 ] || fail "folders must be readable by everybody"
for file in bin/alcedo share/man/man1/alcedo.1.gz share/man/man1/alcedo-encode.1.gz \
            share/doc/alcedo/copyright share/doc/alcedo/changelog.gz \
            share/bash-completion/completions/alcedo share/zsh/vendor-completions/_alcedo \
            share/fish/vendor_completions.d/alcedo.fish; do
  [ -s "files/usr/$file" ] || fail "$program lacks $file"
done
gzip -dc files/usr/share/man/man1/alcedo-encode.1.gz | grep -q '^.SH NAME' || fail "alcedo-encode(1) is no page"
if command -v readelf >/dev/null && readelf -S files/usr/bin/alcedo | grep -q '\.symtab'; then
  fail "the program is not stripped"
fi

if [ -n "$python" ]; then
  depends=$(dpkg-deb -f "$python" Depends)
  for name in 'python3 (>= 3.' 'python3 (<< 3.' python3-numpy libopenblas0; do
    case $depends in *"$name"*) ;; *) fail "$python does not depend on $name: $depends" ;; esac
  done
  dpkg-deb -x "$python" python_files
  for file in alcedo/__init__.py alcedo/py.typed alcedo-*.dist-info/METADATA; do
    # shellcheck disable=SC2086  # the star is meant
    ls python_files/usr/lib/python3/dist-packages/$file >/dev/null || fail "$python lacks $file"
  done
fi

if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "${packages[@]}" || fail "lintian found errors"
else
  echo "no lintian here: not asked"
fi

# On the system itself, where that is allowed.
[ "$(id -u)" -eq 0 ] || { echo "skipped from here on: not root, and packages cannot be installed"; exit 77; }
for package in alcedo libalcedo-dev python3-alcedo; do
  if dpkg-query -W -f='${Status}' $package 2>/dev/null | grep -q ' installed$'; then
    echo "skipped from here on: the package $package is installed already, and stays"
    exit 77
  fi
done
# Every step from here to the removal has a limit of its own, below that of the whole test: a script that is killed
# could not remove anything.
remove() { dpkg --purge python3-alcedo libalcedo-dev alcedo >remove.log 2>&1 || { cat remove.log; exit 1; }; }
trap remove EXIT
install_package() {
  dpkg -i "$1" >install.log 2>&1 && return
  cat install.log
  grep -q "dependency problems" install.log || fail "$1 cannot be installed"
  echo "skipped from here on: $1 depends on packages that are not here; scripts/setup installs them"
  exit 77
}
install_package "$program"
/usr/bin/alcedo --version
timeout 120 /usr/bin/alcedo doctor >doctor.log || { cat doctor.log; fail "alcedo doctor is not content"; }
# A picture of 64 x 64, of nothing in particular.
{ printf 'P5 64 64 255\n'; head -c 4096 "$program"; } >picture.pgm
timeout 120 /usr/bin/alcedo encode picture.pgm --quiet -o picture.npy
[ -s picture.npy ] || fail "nothing was encoded"
if command -v man >/dev/null; then
  man -w alcedo-encode >/dev/null || fail "man does not find alcedo-encode(1)"
fi

install_package "$library"
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046  # words, and meant so
  timeout 300 "$compiler" -std=c++20 "$consumer/main.cc" -o installed $(pkg-config --cflags --libs alcedo)
  ./installed
fi

if [ -n "$python" ]; then
  install_package "$python"
  version=$(dpkg-deb -f "$python" Version)
  # As a user calls it, in another folder.
  (cd / && env -u PYTHONPATH timeout 120 /usr/bin/python3 - "$version" <<'EOF'
import importlib.metadata, sys
import alcedo, numpy as np
assert alcedo.__file__.startswith("/usr/lib/python3/dist-packages/"), alcedo.__file__
assert alcedo.__version__ == importlib.metadata.version("alcedo") == sys.argv[1]
assert np.allclose(alcedo.pool(np.eye(3), lambda_=1, relative=False), 0.5)
EOF
  ) || fail "the Python package does not work"
  if /usr/bin/python3 -c "import pip" 2>/dev/null; then
    /usr/bin/python3 -m pip show --quiet alcedo || fail "pip does not know of the Python package"
  fi
fi
remove
trap - EXIT
[ ! -e /usr/bin/alcedo ] || fail "the program is still there after the package was removed"
[ -z "$(ls -d /usr/lib/python3/dist-packages/alcedo* 2>/dev/null)" ] || fail "the Python package left files behind"
