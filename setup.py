"""Builds the compiled half of the Python package with CMake; everything else about it is in pyproject.toml.

ALCEDO_BUILD_FOLDER=build/release takes the module that such a build has made, instead of compiling it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")  # .cpython-311-x86_64-linux-gnu.so: other Pythons have others
BUILD = pathlib.Path("build", "python-package")  # relative to the root, as setuptools has it
# Only what the module is linked from. Debian's compiler cache is found by CMake's own variables.
SETTINGS = {"CMAKE_BUILD_TYPE": "Release", "ALCEDO_BUILD_PYTHON": "ON", "ALCEDO_BUILD_TESTS": "OFF",
            "ALCEDO_BUILD_BENCH": "OFF", "ALCEDO_BUILD_PROGRAM": "OFF", "ALCEDO_INSTALL": "OFF"}


def version():
    """Of the project, which CMakeLists.txt alone knows."""
    return re.search(r"project\(alcedo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def cmake_folder():
    return (ROOT / BUILD / f"cmake{SUFFIX}").with_suffix("")


def built_by_cmake(folder):
    """The path of the module, compiled in this folder."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    settings = {**SETTINGS, "Python_EXECUTABLE": sys.executable}
    definitions = [f"-D{key}={value}" for key, value in settings.items()]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, *definitions], check=True)
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    subprocess.run(["cmake", "--build", folder, "--config", "Release", "--target", "alcedo_python", "--parallel",
                    os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(jobs))], check=True)
    return module_in(folder)


def module_in(folder):
    """The one for the Python that runs this: a folder may have modules for several."""
    package = pathlib.Path(folder) / "python" / "alcedo"
    module = package / f"_alcedo{SUFFIX}"
    if not module.exists():
        others = ", ".join(sorted(path.name for path in package.glob("_alcedo.*"))) or "no module"
        raise FileNotFoundError(f"{module}: is missing, there is {others}; build it with {sys.executable}")
    return module


class BuildModule(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        given = os.environ.get("ALCEDO_BUILD_FOLDER")
        module = module_in(given) if given else built_by_cmake(cmake_folder())
        if module.resolve() != target:
            shutil.copyfile(module, target)
            shutil.copymode(module, target)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", target], check=True)


class BuildPython(build_py):
    def run(self):
        # A file that is no longer in the package would otherwise come back from the last build.
        shutil.rmtree(pathlib.Path(self.build_lib, "alcedo"), ignore_errors=True)
        super().run()


if __name__ == "__main__":
    (ROOT / BUILD).mkdir(parents=True, exist_ok=True)
    setup(version=version(), ext_modules=[Extension("alcedo._alcedo", sources=[])],
          cmdclass={"build_ext": BuildModule, "build_py": BuildPython},
          # Everything that is written goes under build/, which git ignores.
          options={"build": {"build_base": str(BUILD)}, "egg_info": {"egg_base": str(BUILD)}})
