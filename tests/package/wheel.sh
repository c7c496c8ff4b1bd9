#!/usr/bin/env bash
# Makes the source distribution, looks whether CMake finds all of the module's sources in it, makes a wheel of it with
# the module that is built already, installs that into a new virtual environment, and runs the README's first Python
# example there.
# Then pip installs from the sources, as the README has it, with the same module.
# usage: wheel.sh BUILD_FOLDER SOURCE WORK_FOLDER PYTHON GENERATOR
set -euo pipefail
build=$1 source=$2 work=$3 python=$4 generator=$5
for module in setuptools wheel pip ensurepip numpy; do
  "$python" -c "import $module" 2>/dev/null || {
    echo "skipped: no Python module $module here (scripts/setup --python)"
    exit 77
  }
done
fail() { echo "$1" >&2; exit 1; }

rm -rf "$work"
mkdir -p "$work/empty"
# Nothing is written into the sources: setuptools keeps its notes below the folder that it works in.
mkdir -p "$work/clone/data"
(cd "$source" && cp -r CMakeLists.txt MANIFEST.in pyproject.toml setup.py LICENSE README.md CHANGELOG.md cmake src \
  python "$work/clone/")
cp -r "$source/data/vocabularies" "$work/clone/data/"
cd "$work/clone"
"$python" -c "from setuptools import build_meta; build_meta.build_sdist('$work')" >"$work/sdist.log" 2>&1 \
  || { cat "$work/sdist.log"; exit 1; }
cd "$work"
tar xf alcedo-*.tar.gz
sdist=$(find "$work" -maxdepth 1 -type d -name 'alcedo-*')
settings=$(cd "$sdist" &&
  "$python" -c "import setup; print(*(f'-D{key}={value}' for key, value in setup.SETTINGS.items()))")
# shellcheck disable=SC2086  # words, and meant so
cmake -S "$sdist" -B configured -G "$generator" $settings "-DPython_EXECUTABLE=$python" >cmake.log 2>&1 \
  || { cat cmake.log; exit 1; }
cmake --build configured --target alcedo_python -- -n >plan.log 2>&1 || { cat plan.log; exit 1; }
# The assembler reads them, unseen by the build's own scan.
diff -r "$source/data/vocabularies" "$sdist/data/vocabularies" || fail "the source distribution lacks vocabularies"
if grep -q '/cli/' plan.log; then fail "the program is compiled for the Python module"; fi

ALCEDO_BUILD_FOLDER=$build "$python" -m pip wheel --quiet --no-build-isolation --no-deps --no-index \
  --wheel-dir "$work" "$sdist" >wheel.log 2>&1 || { cat wheel.log; exit 1; }
"$python" -m venv --system-site-packages env
env/bin/pip install --quiet --no-index --no-deps "$work"/alcedo-*.whl

# As a user would: no folder of sources or builds is on the path.
unset PYTHONPATH
cd "$work/empty"
# The first pycon block of the README.
awk '/^```$/{if (inside) exit} inside; /^```pycon$/{inside = 1}' "$source/README.md" >example.txt
printf '\n' >>example.txt
../env/bin/python - "$build" <<'EOF'
import doctest, importlib.metadata, pathlib, sys
import alcedo
assert pathlib.Path(alcedo.__file__).is_relative_to(sys.prefix), alcedo.__file__
module = pathlib.Path(alcedo._alcedo.__file__).read_bytes()
assert sys.argv[1].encode() not in module, "the module names a folder of the build"
assert importlib.metadata.version("alcedo") == alcedo.__version__
found = doctest.testfile("example.txt", module_relative=False)
assert found.attempted >= 3 and found.failed == 0, found
for name in ("sift", "color"):
    print(alcedo.Vocabulary.load(name))
EOF
uninstall() {
  "$work/env/bin/pip" uninstall --quiet --yes alcedo
  [ -z "$(find "$work/env" -path '*site-packages/alcedo*')" ] || fail "files are left after pip uninstall"
}
uninstall
(cd "$work/clone" && ALCEDO_BUILD_FOLDER=$build "$work/env/bin/pip" install --quiet --no-index --no-build-isolation .) \
  >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }
../env/bin/python -c "import doctest; found = doctest.testfile('example.txt', module_relative=False)
assert found.attempted >= 3 and found.failed == 0, found"
uninstall
