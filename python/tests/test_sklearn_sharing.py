"""Threads and processes that need the same bags: who solves, who waits, and what a damaged file does."""

import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

import alcedo  # noqa: E402
from alcedo.sklearn import FisherVectors, GeneralizedMaxPooling, stores  # noqa: E402

PATIENCE = 60  # seconds until what should not wait is called stuck
pytestmark = pytest.mark.usefixtures("no_paths_kept")


@pytest.fixture(params=["here", "folder"])
def memory(request, tmp_path):
    return None if request.param == "here" else tmp_path / "paths"


def bags_of(count, d=6, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(5 + i, d)) for i in range(count)]


def at_the_same_time(calls):
    """Their results, each from a thread of its own."""
    results = [None] * len(calls)

    def run(place):
        results[place] = calls[place]()

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    return results


def test_threads_with_different_bags_do_not_wait_for_each_other(memory, monkeypatch):
    bags, pool, all_are_here = bags_of(4), alcedo.pool, threading.Barrier(4)

    def meeting(rows, *rest, **keywords):
        all_are_here.wait(PATIENCE)
        return pool(rows, *rest, **keywords)

    pooling = GeneralizedMaxPooling(path=[1.0], memory=memory, threads=1)
    monkeypatch.setattr(alcedo, "pool", meeting)
    vectors = at_the_same_time([lambda bag=bag: pooling.transform([bag])[0] for bag in bags])
    np.testing.assert_allclose(vectors, [pool(bag) for bag in bags], rtol=1e-5)


def test_threads_with_the_same_bags_solve_them_once(memory, monkeypatch):
    bags, pool, solved, others_run = bags_of(5), alcedo.pool, [], threading.Event()

    def slow(rows, *rest, **keywords):
        solved.extend(len(bag) for bag in rows)
        others_run.wait(0.3)  # so that the others ask for the bags now
        return pool(rows, *rest, **keywords)

    pooling = GeneralizedMaxPooling(path=[1.0], memory=memory, threads=1)
    monkeypatch.setattr(alcedo, "pool", slow)
    vectors = at_the_same_time([lambda: pooling.transform(bags[:3]), lambda: pooling.transform(bags[1:]),
                                lambda: pooling.transform(bags), lambda: pooling.transform(bags[::-1])])
    assert sorted(solved) == [5, 6, 7, 8, 9]
    expected = pool(bags)
    for found, want in zip(vectors, (expected[:3], expected[1:], expected, expected[::-1])):
        np.testing.assert_allclose(found, want, rtol=1e-5)


def test_what_is_kept_does_not_wait(memory, monkeypatch):
    first, second = bags_of(2)
    pool, entered, leave = alcedo.pool, threading.Event(), threading.Event()
    pooling = GeneralizedMaxPooling(path=[1.0], memory=memory, threads=1)
    kept = pooling.transform([first])

    def held(rows, *rest, **keywords):
        entered.set()
        assert leave.wait(PATIENCE)
        return pool(rows, *rest, **keywords)

    monkeypatch.setattr(alcedo, "pool", held)
    thread = threading.Thread(target=pooling.transform, args=([second],))
    thread.start()
    assert entered.wait(PATIENCE)
    np.testing.assert_array_equal(at_the_same_time([lambda: pooling.transform([first])])[0], kept)
    leave.set()
    thread.join(PATIENCE)


def test_vocabularies_of_different_rows_are_learned_at_the_same_time(memory, monkeypatch):
    fit, both_are_here = alcedo.Vocabulary.fit, threading.Barrier(2)
    monkeypatch.setattr(alcedo.Vocabulary, "fit", lambda *rest, **keywords:
                        both_are_here.wait(PATIENCE) * 0 or fit(*rest, **keywords))
    sets = [bags_of(5, seed=seed) for seed in (1, 2)]
    fitted = at_the_same_time([lambda bags=bags: FisherVectors(2, path=[1.0], memory=memory, threads=1).fit(bags)
                               for bags in sets])
    assert all(one is not None for one in fitted)


def test_who_fails_leaves_the_bag_to_who_waits(memory, monkeypatch):
    bags, pool, calls, turn = bags_of(1), alcedo.pool, [], threading.Event()

    def failing(rows, *rest, **keywords):
        calls.append(1)
        if len(calls) == 1:
            turn.wait(0.3)
            raise MemoryError
        return pool(rows, *rest, **keywords)

    def attempt():
        try:
            return GeneralizedMaxPooling(path=[1.0], memory=memory, threads=1).transform(bags)
        except MemoryError:
            return "failed"

    monkeypatch.setattr(alcedo, "pool", failing)
    results = at_the_same_time([attempt, attempt])
    assert sum(isinstance(result, str) for result in results) == 1 and len(calls) == 2


def test_a_process_waits_for_who_solves_the_same_bag(tmp_path):
    """It finds the sevens that this one writes while it holds the bag, and solves nothing by itself."""
    pytest.importorskip("fcntl", reason="there are no locks of files here")
    np.save(tmp_path / "bag.npy", bags_of(1)[0])
    pooling = GeneralizedMaxPooling(path=[1.0], memory=tmp_path / "here")
    pooling.fit_transform([np.load(tmp_path / "bag.npy")])
    [file] = (tmp_path / "here").glob("*.npy")
    code = ("import numpy as np, sys\n"
            "from alcedo.sklearn import GeneralizedMaxPooling\n"
            "bag = np.load(sys.argv[1] + '/bag.npy')\n"
            "pooling = GeneralizedMaxPooling(path=[1.0], memory=sys.argv[1] + '/there')\n"
            "pooling.fit_transform([bag + 1]); print('ready', flush=True)\n"
            "print(pooling.fit_transform([bag]).ravel().tolist())\n")
    store = stores.InFolder(tmp_path / "there")
    assert store.claims.claim([file.stem], 1) == [file.stem]
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"  # another bag did not wait
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    store.keep_path(file.stem, np.full((1, 6), 7.0))
    store.claims.release([file.stem])
    assert process.communicate(timeout=PATIENCE)[0] == "[7.0, 7.0, 7.0, 7.0, 7.0, 7.0]\n"


FORK = """
import os, sys, threading, numpy as np
import alcedo
from alcedo.sklearn import GeneralizedMaxPooling
memory = sys.argv[1] if len(sys.argv) > 1 else None
pool, held, done = alcedo.pool, threading.Event(), threading.Event()
def hold(*rest, **keywords):
    held.set(); done.wait()
    return pool(*rest, **keywords)
def vectors(bag):
    return GeneralizedMaxPooling(path=[1], threads=1, memory=memory).transform([bag])
alcedo.pool = hold
thread = threading.Thread(target=vectors, args=(np.eye(3),)); thread.start(); held.wait()
alcedo.pool = pool
def child(bag):
    process = os.fork()
    if process == 0:
        vectors(bag)
        os._exit(7)
    return process
def ended(process):
    assert os.WEXITSTATUS(os.waitpid(process, 0)[1]) == 7
ended(child(2 * np.eye(3)))          # another bag than the one that the parent's thread holds
same = child(np.eye(3))
if memory is None:
    ended(same)                      # it has a memory of its own
done.set(); thread.join()
if memory is not None:
    ended(same)                      # it waited for the parent
vectors(np.eye(3)); vectors(3 * np.eye(3)); ended(child(np.eye(3)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_process_that_was_forked_while_a_thread_pooled_goes_on(memory):
    arguments = [] if memory is None else [str(memory)]
    subprocess.run([sys.executable, "-c", FORK, *arguments], check=True, timeout=PATIENCE)


def test_locks_end_with_the_process_and_with_the_work(tmp_path):
    pytest.importorskip("fcntl", reason="there are no locks of files here")
    code = ("import sys, os, pathlib; from alcedo.sklearn import stores\n"
            "print(stores.InFolder(sys.argv[1]).claims.claim(['ab', 'cd'], 2), flush=True); os._exit(0)\n")
    claims = stores.InFolder(tmp_path).claims
    assert claims.claim(["ab"], 1) == ["ab"] and claims.claim(["ab"], 1) == []
    for expected in ("['cd']", "['ab', 'cd']"):
        found = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, stdout=subprocess.PIPE,
                               text=True)
        assert found.stdout == expected + "\n"
        claims.release(["ab"])
    assert claims.file is None and not claims.keys
    assert claims.claim(["ab", "cd"], 2) == ["ab", "cd"]
    claims.release(["ab", "cd"])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_damaged_file_is_solved_again(tmp_path, dtype):
    bag = bags_of(1, 2)[0].astype(dtype)
    pooling = GeneralizedMaxPooling(path=[1.0], memory=tmp_path, threads=1)
    expected = pooling.transform([bag])
    [file] = tmp_path.glob("*.npy")
    whole = file.read_bytes()
    np.testing.assert_array_equal(np.load(file), expected)  # a file of NumPy
    damaged = [bytes(whole[:place]) + bytes([whole[place] ^ 1 << bit]) + whole[place + 1:]
               for place in range(len(whole)) for bit in range(8)]
    damaged += [whole[:length] for length in range(0, len(whole), 7)]
    damaged += [whole + b"x", b"PK\3\4" + whole[4:], b"PK\3\4", b"\x93NUMPY"]
    store = stores.InFolder(tmp_path)
    for content in damaged:
        file.write_bytes(content)
        assert store.path(file.stem) is None
    np.testing.assert_array_equal(pooling.transform([bag]), expected)
    assert file.read_bytes() == whole
    other = tmp_path / ("0" * 32 + ".npy")
    other.write_bytes(whole)
    assert store.path(other.stem) is None  # of another bag


@pytest.mark.parametrize("wrong", [np.full((1, 6), np.nan), np.zeros((2, 6)), np.zeros((1, 6), np.float32)])
def test_what_does_not_fit_is_solved_again(tmp_path, wrong):
    bags = bags_of(1)
    pooling = GeneralizedMaxPooling(path=[1.0], memory=tmp_path, threads=1)
    expected = pooling.transform(bags)
    [file] = tmp_path.glob("*.npy")
    stores.InFolder(tmp_path).keep_path(file.stem, wrong)
    np.testing.assert_array_equal(pooling.transform(bags), expected)


def test_a_damaged_vocabulary_is_learned_again(tmp_path):
    bags = bags_of(20)
    expected = FisherVectors(2, memory=tmp_path).fit(bags).transform(bags)
    [file] = pathlib.Path(tmp_path).glob("*.safetensors")
    whole = file.read_bytes()
    for place in range(0, len(whole), 11):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1:])
        np.testing.assert_array_equal(FisherVectors(2, memory=tmp_path).fit(bags).transform(bags), expected)
