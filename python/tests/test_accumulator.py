"""GMP of a stream from Python: what it takes, from several threads, and what it leaves behind."""

import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import alcedo
from conftest import longest_pause

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(200, 6))
CODEBOOK = alcedo.Codebook(RNG.normal(size=(5, 6)))
MIXTURE = alcedo.GaussianMixture([0.5, 0.5], RNG.normal(size=(2, 6)), np.ones((2, 6)))


@pytest.mark.parametrize("encoder", [
    alcedo.Encoder(MIXTURE, "fv", assignment="soft"), alcedo.Encoder(CODEBOOK, "llc", nearest=3),
    alcedo.Encoder(CODEBOOK, "vlad"), alcedo.Encoder(CODEBOOK, "soft-bov"),
])
def test_every_kind_of_encodings_is_taken(encoder):
    bags = [encoder.encode(ROWS[:80]), encoder.encode(ROWS[80:])]
    num_blocks, size = bags[0].num_blocks, bags[0].block_size
    stream = alcedo.GmpAccumulator(size, num_blocks, several_blocks_per_row=True)
    stream.add(bags[0])
    stream.add([bags[1]])
    again = pickle.loads(pickle.dumps(stream))
    for one in (stream, again):
        assert len(one) == 200
        np.testing.assert_allclose(one.result(lambda_=0.5), alcedo.pool(ROWS, encoder=encoder, lambda_=0.5), rtol=1e-4,
                                   atol=1e-5)


def error_of(call):
    with pytest.raises((ValueError, TypeError)) as raised:
        call()
    return raised.value


@pytest.mark.parametrize("call,kind,option,text", [
    (lambda: alcedo.GmpAccumulator(0), ValueError, "dimension", "dimension must be >= 1, got 0"),
    (lambda: alcedo.GmpAccumulator(-3), ValueError, "dimension", "dimension must be >= 1, got -3"),
    (lambda: alcedo.GmpAccumulator(3, 0), ValueError, "num_blocks", "num_blocks must be >= 1, got 0"),
    (lambda: alcedo.GmpAccumulator(2**30), ValueError, "dimension", "dimension must be at most 2^20"),
    (lambda: alcedo.GmpAccumulator(2**15, 2**40), ValueError, "num_blocks", "num_blocks times dimension must be"),
    (lambda: alcedo.GmpAccumulator(2.5), TypeError, None, "dimension must be a whole number, got 2.5"),
    (lambda: alcedo.GmpAccumulator(3, True), TypeError, None, "num_blocks must be a whole number, got True"),
    (lambda: alcedo.GmpAccumulator(3, several_blocks_per_row=1), TypeError, None, "must be True or False, got 1"),
    (lambda: alcedo.GmpAccumulator(5).add(np.ones((2, 4))), ValueError, "",
     "rows must have 5 dimensions, as the accumulator has, got 4 dimensions"),
    (lambda: alcedo.GmpAccumulator(5).add([np.ones((2, 5)), np.ones((2, 5)).tolist(), np.ones((2, 4))]), ValueError, "",
     "rows[2] has 4 dimensions"),
    (lambda: alcedo.GmpAccumulator(6, 5).add(np.ones((2, 6))), ValueError, "",
     "rows must have 5 blocks of 6, as the accumulator has, got 6 dimensions"),
    (lambda: alcedo.GmpAccumulator(1, 5).add(alcedo.Encoder(CODEBOOK, "llc").encode(ROWS)), ValueError, "",
     "rows with several blocks each need a GmpAccumulator with several_blocks_per_row=True"),
    (lambda: alcedo.GmpAccumulator(5).merge(alcedo.GmpAccumulator(5, several_blocks_per_row=True)), ValueError, "other",
     "1 x 5, got 1 x 5 with several blocks per row"),
    (lambda: alcedo.GmpAccumulator(5).merge(3), TypeError, None, "merge takes a GmpAccumulator, not int"),
])
def test_errors_are_in_the_words_of_python(call, kind, option, text):
    error = error_of(call)
    assert isinstance(error, kind) and text in str(error), error
    assert getattr(error, "option", None) == option


@pytest.mark.parametrize("bad", [np.full((2, 6), np.nan), np.ones((2, 5)), ["a"]])
def test_no_rows_are_added_if_some_are_bad(bad):
    stream = alcedo.GmpAccumulator(6)
    stream.add(ROWS)
    before = pickle.dumps(stream)
    error_of(lambda: stream.add([ROWS, bad]))
    assert pickle.dumps(stream) == before
    blocks = alcedo.GmpAccumulator(6, 2)
    error_of(lambda: blocks.add([ROWS, ROWS], [np.zeros(200, int), np.full(200, 2)]))
    assert len(blocks) == 0 and not blocks.sum().any()


def test_long_chunks_are_the_same_rows():
    rows = np.random.default_rng(1).normal(size=(1500, 3000)).astype(np.float32)  # is added in several pieces
    whole, parts = alcedo.GmpAccumulator(3000), alcedo.GmpAccumulator(3000)
    whole.add(rows)
    for part in np.array_split(rows, 5):
        parts.add(part)
    assert len(whole) == 1500
    np.testing.assert_allclose(whole.sum(), rows.sum(axis=0, dtype=np.float64), atol=1e-3)
    np.testing.assert_allclose(whole.result(), parts.result(), rtol=1e-6, atol=1e-9)


def test_other_threads_run_meanwhile():
    rows = np.random.default_rng(1).normal(size=(20000, 700))
    stream = alcedo.GmpAccumulator(700)
    assert longest_pause(lambda: stream.add(rows)) < 0.5
    assert longest_pause(lambda: stream.result(lambda_=[0.1, 1, 10])) < 0.5
    many = alcedo.GmpAccumulator(300, 100)
    assert longest_pause(lambda: [many.merge(many) for _ in range(5)]) < 0.5


def test_several_threads_add_and_read():
    stream = alcedo.GmpAccumulator(6)

    def add():
        for _ in range(200):
            stream.add(ROWS)
            assert len(stream) % 200 == 0 and stream.sum().shape == (6,)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stream) == 4 * 200 * 200
    np.testing.assert_allclose(stream.sum(), 800 * ROWS.sum(axis=0))


def test_ctrl_c_ends_a_long_call():
    stream = alcedo.GmpAccumulator(2000)
    rows = np.ones((1000, 2000), np.float32)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        stream.add([rows] * 10000)
    assert 0 <= len(stream) < 10**7
    stream.add(rows)


@pytest.mark.parametrize("state", [{}, None, {"state": 3}, {"state": b""}, {"alcedo": "99.0", "state": b"x" * 64}])
def test_pickles_of_another_version(state):
    with pytest.raises(alcedo.FormatError, match="^the pickle, of .*, cannot be read: ") as raised:
        alcedo.GmpAccumulator.__new__(alcedo.GmpAccumulator).__setstate__(state)
    assert "ToBytes" not in str(raised.value)


def test_reports_survive_a_pickle():
    with pytest.warns(alcedo.ConvergenceWarning):
        _, reports = alcedo.pool(ROWS, lambda_=[1e-9, 1], solver="cg", max_iterations=1, return_reports=True)
    for report, again in zip(reports[0], pickle.loads(pickle.dumps(reports[0]))):
        assert repr(again) == repr(report) and again.reason == report.reason and again.error_bound == report.error_bound


def peak_of(code):
    """MiB that a process of its own took at most while it ran the code, beyond what it had before."""
    begin = "import resource, alcedo, numpy as np\nrss = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
    done = subprocess.run([sys.executable, "-c", begin + code], capture_output=True, text=True, check=True)
    return float(done.stdout) / 1024


def test_rows_are_read_in_place():
    # 128 MiB of rows.
    begin = "rows = np.ones((1 << 20, 16), {})\nwork(rows[:9])\nbefore = rss()\n"
    end = "work(rows)\nprint(rss() - before)"
    add = "work = lambda rows: alcedo.GmpAccumulator(16).add(rows)\n"
    assert peak_of(add + begin.format("np.float64") + end) < 30
    blocks = ("blocks = np.zeros(1 << 20, np.int32)\n"
              "work = lambda rows: alcedo.GmpAccumulator(16, 2).add(rows, blocks[:len(rows)])\n")
    assert peak_of(blocks + begin.format("np.float64") + end) < 3 * 128
    encode = ("words = alcedo.Codebook(np.eye(2, 16))\nencoder = alcedo.Encoder(words, 'bov')\n"
              "work = lambda rows: encoder.encode(rows)\n")
    assert peak_of(encode + begin.format("np.float32") + end) < 30
