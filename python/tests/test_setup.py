"""setup.py takes the compiled module of the Python that runs it, and no other one."""

import importlib.util
import pathlib
import re
import sysconfig

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
OTHER = "_alcedo.cpython-399-x86_64-linux-gnu.so"


@pytest.fixture(scope="module")
def setup():
    pytest.importorskip("setuptools", reason="setuptools is not installed")
    spec = importlib.util.spec_from_file_location("setup_of_alcedo", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def built(tmp_path):
    package = tmp_path / "python" / "alcedo"
    package.mkdir(parents=True)
    (package / OTHER).touch()
    (package / "_alcedo.pyi").touch()
    return package


def test_modules_of_other_pythons_do_not_matter(setup, built):
    (built / f"_alcedo{SUFFIX}").touch()
    assert setup.module_in(built.parents[1]) == built / f"_alcedo{SUFFIX}"


def test_a_module_of_another_python_is_not_taken(setup, built):
    with pytest.raises(FileNotFoundError, match=re.escape(f"_alcedo{SUFFIX}: is missing") + ".*" + re.escape(OTHER)):
        setup.module_in(built.parents[1])


def test_every_python_has_its_own_folder_to_build_in(setup, monkeypatch, tmp_path):
    def folder_with(suffix):
        monkeypatch.setattr(setup, "SUFFIX", suffix)
        return setup.cmake_folder()

    assert folder_with(SUFFIX) != folder_with(".cpython-399-x86_64-linux-gnu.so")


def test_the_extra_asks_for_what_the_package_needs():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    stated = re.search(r'sklearn = \["scikit-learn>=([\d.]+)"\]', text)[1]
    assert f"scikit-learn {stated} or newer" in (ROOT / "python/alcedo/sklearn/__init__.py").read_text(encoding="utf-8")
