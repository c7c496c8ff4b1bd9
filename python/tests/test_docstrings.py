"""The examples of the documentation run, and everything that a person calls has one."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re

import pytest

import alcedo

# torch and sklearn are optional, and have tests of their own.
MODULES = sorted(m.name for m in pkgutil.iter_modules(alcedo.__path__) if not m.ispkg and not m.name.startswith("_"))
OPTIONAL = {"sklearn"}


@pytest.mark.parametrize("module", ["", *(m for m in MODULES if m not in OPTIONAL)])
def test_examples_run(module, request, monkeypatch):
    module = importlib.import_module(f"alcedo.{module}".rstrip("."))
    if re.search(r'"(stripes|vectors)', pathlib.Path(module.__file__).read_text()):  # files that its examples need
        monkeypatch.chdir(request.getfixturevalue("trained"))
    found = doctest.testmod(module)
    assert found.failed == 0


@pytest.mark.parametrize("name", ["Encodings", "SolveReport"])
def test_examples_of_compiled_classes_run(name):
    for place, thing in public(getattr(alcedo, name), name):
        test = doctest.DocTestParser().get_doctest(thing.__doc__, {}, place, None, None)
        assert test.examples, place
        assert doctest.DocTestRunner().run(test).failed == 0


def public(thing, name):
    """A class with its methods, or a function, by name."""
    if not inspect.isclass(thing):
        return [(name, thing)]
    own = [(f"{name}.{m}", getattr(thing, m)) for c in thing.__mro__ if c.__module__.startswith("alcedo") for m in vars(c)
           if not m.startswith("_") and callable(getattr(thing, m))]
    return [(name, thing), *own]


THINGS = [pair for name in alcedo.__all__ if callable(getattr(alcedo, name)) for pair in public(getattr(alcedo, name), name)]


@pytest.mark.parametrize("name,thing", THINGS, ids=[name for name, _ in THINGS])
def test_everything_has_an_example(name, thing):
    if inspect.isclass(thing) and issubclass(thing, (Exception, Warning)):
        assert thing.__doc__  # they are raised, and not called
        return
    text = inspect.getdoc(thing) or ""
    assert ">>>" in text, f"{name} has no example"
