"""A short run of the fuzzer of the bindings, and that it sees what is wrong."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import alcedo
import fuzz_bindings
import fuzz_calls

FUZZER = pathlib.Path(__file__).with_name("fuzz_bindings.py")


def test_random_calls_give_numbers_or_one_clear_exception():
    done = subprocess.run([sys.executable, FUZZER, "--calls", "3000", "--seed", "2"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3,000 calls, 0 finds" in done.stdout


def system_error():
    raise SystemError("a bug of a binding")


def surrogate():
    "\ud800".encode()


def changed(rows):
    rows[0] = 5


@pytest.mark.parametrize("call,arguments,outcome", [
    (system_error, (), "SystemError"), (surrogate, (), "UnicodeEncodeError"), (changed, (np.zeros(3),), "changed"),
    (lambda: [1, {"a": np.array([np.nan])}], (), "NaN"), (lambda: (np.float64("inf"),), (), "infinity"),
    (lambda: np.ones(1) / np.zeros(1), (), "RuntimeWarning"), (lambda: alcedo.pool([[np.nan]]), (), "refused"),
    (lambda: alcedo.pool([[1.0]]), (), "results")])
def test_it_sees_what_is_wrong(monkeypatch, call, arguments, outcome):
    monkeypatch.setattr(fuzz_calls, "CALLS", {"planted": lambda values: (call, arguments, {})})
    name, seen = fuzz_bindings.judge(1, 1)
    assert name == "planted" and outcome in seen


def test_every_public_name_is_called():
    text = "".join(FUZZER.with_name(name).read_text() for name in ("fuzz_calls.py", "fuzz_image_calls.py"))
    for name in alcedo.__all__:
        thing = getattr(alcedo, name)
        if callable(thing) and not (isinstance(thing, type) and issubclass(thing, (Exception, Warning))):
            assert name in text or name in ("Model", "Dataset", "Descriptors", "FeatureStore", "SolveReport"), name
