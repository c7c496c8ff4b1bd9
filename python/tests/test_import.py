"""`import alcedo` is quick because it brings little: this counts modules, not time."""

import subprocess
import sys

MOST = 60  # 33 in Python 3.11; importing scipy, typing_extensions or a parser of options would exceed it
NEVER = {"torch", "sklearn", "scipy", "pandas", "PIL", "matplotlib", "joblib", "typing_extensions", "pybind11",
         "asyncio", "multiprocessing", "unittest", "pydoc", "doctest", "email", "http", "ssl"}


def modules_after(statement):
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    return set(done.stdout.split())


def test_import_brings_little_beyond_numpy():
    before = modules_after("import numpy")
    added = modules_after("import numpy, alcedo") - before
    others = {name.partition(".")[0] for name in added}
    assert "alcedo" in others and not others & NEVER
    assert len(added) <= MOST, sorted(added)
    outside = others - set(sys.stdlib_module_names if sys.version_info >= (3, 10) else others) - {"alcedo"}
    assert not outside, f"other packages than NumPy are imported: {sorted(outside)}"


def test_optional_parts_are_imported_when_they_are_asked_for():
    assert not {"alcedo.torch", "alcedo.sklearn"} & modules_after("import alcedo")
