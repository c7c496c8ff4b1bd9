"""The stub says what the compiled module has, and mypy --strict is content with the package and with programs."""
import ast
import importlib.util
import inspect
import os
import pathlib
import re
import runpy
import subprocess
import sys

import numpy as np
import pytest

import alcedo
from alcedo import _alcedo

PYTHON = pathlib.Path(__file__).resolve().parents[1]
# What pybind11 says, and what the stub may say. `object` is anything that Python code looks at itself.
SAME = {"str": r"(str|_Path)", "int": r"int", "float": r"float", "bool": r"bool", "bytes": r"bytes", "None": r"None",
        "List[float]": r"list\[float\]", "List[str]": r"list\[str\]", "List[int]": r"list\[int\]",
        "List[List[int]]": r"list\[list\[int\]\]", "list": r"list\[.+\]", "tuple": r"(tuple\[.+\]|_Weights|_Source)",
        "dict": r"(_Options|dict\[.+\])", "numpy.ndarray": r"NDArray\[.+\]",
        "numpy.ndarray[numpy.int32]": r"NDArray\[np.int32\]",
        "numpy.ndarray[numpy.float32]": r"NDArray\[np.float32\]",
        "numpy.ndarray[numpy.float64]": r"NDArray\[np.float64\]"}


def agree(native, stub):
    native = native.replace("alcedo._alcedo.", "").partition(" = ")[0]  # without the default
    optional = re.fullmatch(r"Optional\[(.+)\]", native)
    if optional:
        return re.fullmatch(r"Optional\[(.+)\]", stub) is not None and agree(optional[1], stub[len("Optional["):-1])
    return native == "object" or re.fullmatch(SAME.get(native, re.escape(native)), stub) is not None


def split(parameters):
    """At commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", parameters) if part.strip()]


def native_signature(documentation, method):
    parameters, result = re.match(r"\w*\((.*)\) -> (.+)", documentation.strip().splitlines()[0]).groups()
    pairs = [tuple(part.split(": ", 1)) for part in split(parameters)]
    return pairs[1:] if method else pairs, result


def check_function(name, documentation, node, method):
    parameters, result = native_signature(documentation, method)
    stub = node.args.posonlyargs + node.args.args
    stub = stub[1:] if method else stub
    assert len(stub) == len(parameters), f"{name} takes {parameters}, and the stub has {[a.arg for a in stub]}"
    assert not (node.args.kwonlyargs or node.args.vararg or node.args.kwarg), name
    for argument, (keyword, kind) in zip(stub, parameters):
        assert agree(kind, ast.unparse(argument.annotation)), f"{name}: {argument.arg} is {kind} of the module"
        nameless = re.fullmatch(r"arg\d+", keyword) is not None  # it can only be given by its place
        assert (argument in node.args.posonlyargs) == nameless, f"{name}: {argument.arg}"
        assert nameless or keyword == argument.arg, f"{name}: {argument.arg} is called {keyword}"
    returns = ast.unparse(node.returns)
    assert agree(result, returns), f"{name} returns {result}, and {returns} in the stub"


def has_decorator(node, name):
    return any(isinstance(one, ast.Name) and one.id == name for one in node.decorator_list)


def members(cls):
    """What a class has itself, but for what every class of pybind11 has."""
    own = {name: value for name, value in vars(cls).items() if name not in ("__doc__", "__module__")}
    if type(own.get("__init__")).__name__ == "wrapper_descriptor":
        del own["__init__"]  # cannot be constructed
    return own


def check_class(name, cls, node):
    stub = {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}
    own = members(cls)
    assert set(stub) == set(own), f"{name}: module and stub differ in {set(stub) ^ set(own)}"
    for member, value in own.items():
        child, where = stub[member], f"{name}.{member}"
        assert has_decorator(child, "property") == isinstance(value, property), where
        assert has_decorator(child, "staticmethod") == isinstance(value, staticmethod), where
        documentation = value.fget.__doc__ if isinstance(value, property) else getattr(cls, member).__doc__
        check_function(where, documentation, child, method=not isinstance(value, staticmethod))


def test_stub_is_the_compiled_module():
    tree = ast.parse((PYTHON / "alcedo" / "_alcedo.pyi").read_text())
    stub = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    stub |= {node.target.id: node for node in tree.body if isinstance(node, ast.AnnAssign)}
    shown = {name for name in vars(_alcedo) if not name.startswith("_")} | {"__version__"}
    assert set(stub) == shown, f"_alcedo.pyi and the module differ in {set(stub) ^ shown}"
    for name, node in stub.items():
        value = getattr(_alcedo, name)
        if isinstance(node, ast.ClassDef):
            check_class(name, value, node)
        elif isinstance(node, ast.FunctionDef):
            check_function(name, value.__doc__, node, method=False)


def test_option_types_are_those_of_the_library():
    script = PYTHON / "option_types.py"
    written = runpy.run_path(str(script))["text"]()
    assert (PYTHON / "alcedo" / "_options.pyi").read_text() == written, "run python/option_types.py"


def keys(name, trees):
    """The keys of a TypedDict with those of its bases."""
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name == name:
                own = {child.target.id for child in node.body if isinstance(child, ast.AnnAssign)}
                return own.union(*(keys(base.id, trees) for base in node.bases if isinstance(base, ast.Name)))
    return set()


@pytest.mark.parametrize("function, dictionary, options", [
    ("pool", "PoolKeywords", "PoolingOptions"), ("gmp_weights", "GmpKeywords", "GmpOptions"),
    ("weights_from_kernel", "KernelKeywords", "GmpOptions")])
def test_overloads_have_the_keywords_of_the_function(function, dictionary, options):
    trees = [ast.parse((PYTHON / "alcedo" / name).read_text()) for name in ("_types.pyi", "_options.pyi")]
    parameters = inspect.signature(getattr(alcedo, function)).parameters.values()
    keywords = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    in_overloads = {"return_reports", "return_report"} | ({"offsets"} if function == "gmp_weights" else set())
    assert keys(dictionary, trees) - keys(options, trees) == keywords - in_overloads


def literal(alias):
    """The names of a type, sorted."""
    text = (PYTHON / "alcedo" / "_types.pyi").read_text()
    return sorted(ast.literal_eval(f"[{re.search(rf'{alias}: TypeAlias = Literal.(.+)]', text)[1]}]"))


def test_names_of_methods_and_encoders():
    assert literal("Method") == sorted(_alcedo.pooling_methods())
    assert literal("EncoderName") == sorted(_alcedo.encoder_names())


@pytest.mark.parametrize("alias, call", [
    ("DescriptorName", lambda: _alcedo.describe_fields("none")),
    ("MapRule", lambda: _alcedo.render_weight_map(np.zeros((1, 3)), np.zeros(1), 9, 9, 9, 9, "none")),
    ("DatasetKind", lambda: _alcedo.read_dataset("", "none", {}))])
def test_names_that_a_refusal_lists(alias, call):
    with pytest.raises(alcedo.InvalidArgument) as refused:
        call()
    names = re.split(", | or ", refused.value.rule[len("must be "):])
    assert literal(alias) == sorted(set(names) - {"external"})  # descriptors that are not computed


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="there is no mypy here (scripts/setup --python)")
def test_mypy_is_content(tmp_path):
    # NumPy's stubs take half a minute, and 3 s with a cache.
    environment = {"MYPY_CACHE_DIR": str(tmp_path), **os.environ}
    command = [sys.executable, "-m", "mypy", "--config-file", PYTHON.parent / "pyproject.toml", PYTHON / "alcedo",
               PYTHON / "tests" / "typed_program.py", PYTHON / "examples"]
    done = subprocess.run(command, env=environment, cwd=PYTHON.parent, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
