"""Feature stores from Python: what the program wrote, image by image."""

import pickle
import threading

import numpy as np
import pytest

import alcedo
from conftest import stripes, write_png


@pytest.fixture(scope="module")
def folder(trained):
    """300 images in three shards, two of them bad."""
    (trained / "many").mkdir(exist_ok=True)
    for i in range(300):
        write_png(trained / "many" / f"{i:03}.png", stripes("across", i, (40, 40)))
    (trained / "many" / "007.png").write_bytes(b"text")
    (trained / "many" / "290.png").write_bytes(b"")
    return trained


OPTIONS = ("--scales", 1, "--step", 16, "--lambda", "1,10", "--lambda-relative")


@pytest.fixture(scope="module")
def store(folder, program):
    program(folder, "encode", "many", *OPTIONS, "-o", "many.store/", code=3)
    return alcedo.open_store(folder / "many.store")


@pytest.fixture(scope="module")
def values(store, folder):
    """By the encoder."""
    encoder = alcedo.ImageEncoder(**store.config["config"])
    names = [str(folder / "many" / name) for name in store.names]
    return encoder.encode(names)


def test_values_are_those_of_the_encoder(store, values):
    assert store.shape == values.shape == (298, 2, 32768) and store.ndim == 3 and len(store) == 298
    assert store.dtype == values.dtype and not store.missing
    np.testing.assert_array_equal(np.asarray(store), values)
    np.testing.assert_array_equal(np.stack(list(store)), values)
    assert sorted(store.failures) == ["007.png", "290.png"] and all(store.failures.values())
    assert store.names[:8] == [f"{i:03}.png" for i in (0, 1, 2, 3, 4, 5, 6, 8)]


@pytest.mark.parametrize("key", [
    0, -1, 297, np.int64(5), np.array(5), slice(2, 10), slice(None, None, -50), slice(5, 5), [3, 250, 3, 130, 0], [],
    np.array([200, -1]), np.arange(298) % 7 == 0, [True] * 298, (3, 1), (slice(2, 4), 0), ([5, 200], slice(None), slice(3)),
    (0, 1, 2), (), ..., (..., 0), (np.array([1, 2]), 1)])
def test_it_is_indexed_as_an_array(store, values, key):
    as_array = np.array(key, dtype=int) if isinstance(key, list) and not key else key
    np.testing.assert_array_equal(store[key], values[as_array])
    assert store[key].shape == values[as_array].shape


def test_names(store, values):
    np.testing.assert_array_equal(store["100.png"], values[99])
    np.testing.assert_array_equal(store[["299.png", "000.png"]], values[[297, 0]])
    assert "100.png" in store and "007.png" not in store and "none" not in store
    with pytest.raises(KeyError, match="none has no vector"):
        store["none"]
    with pytest.raises(KeyError, match="007.png has no vector.*: .*not an image"):
        store[["000.png", "007.png"]]


@pytest.mark.parametrize("key,kind", [(298, IndexError), (-299, IndexError), ([0, 298], IndexError), (1.5, TypeError),
                                      ([1.5], TypeError), (np.array([1.0]), TypeError), (None, TypeError), (True, TypeError),
                                      (np.ones(3, bool), IndexError), ([True], IndexError), (10**30, IndexError),
                                      (object(), TypeError), ((0, 5), IndexError), (np.zeros((2, 2), int), TypeError),
                                      (np.broadcast_to(0, (10**6, 10**6)), TypeError),
                                      (np.broadcast_to(0.5, 10**9), TypeError)])
def test_what_is_no_index(store, key, kind):
    with pytest.raises(kind):
        store[key]


def test_double_stays_double(program, folder):
    program(folder, "encode", "stripes", "--scales", 1, "--dtype", "f8", "-o", "double.store/")
    store = alcedo.open_store(folder / "double.store")
    assert store.dtype == np.float64 and store[0].dtype == np.float64
    encoder = alcedo.ImageEncoder("sift", dtype="f8", grid={"scales": 1})
    np.testing.assert_array_equal(store[0], encoder.encode(folder / "stripes" / store.names[0]))


def test_what_is_given_out_is_the_callers(store, values):
    row = store[3]
    row[:] = 7
    np.testing.assert_array_equal(store[3], values[3])


def test_threads_may_share_it(folder, values):
    store = alcedo.open_store(folder / "many.store")
    wrong = []

    def read(seed):
        for number in np.random.default_rng(seed).integers(0, 298, 60):
            if not (store[int(number)] == values[number]).all():
                wrong.append(number)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_closed(folder):
    with alcedo.open_store(folder / "many.store") as store:
        store[0]
        again = pickle.loads(pickle.dumps(store))
    for key in (0, slice(2), "000.png"):
        with pytest.raises(ValueError, match="many.store is closed"):
            store[key]
    assert len(store) == 298 and store.names[0] == "000.png"
    assert again[0].shape == (2, 32768)


def test_damage_and_removal(program, folder, tmp_path):
    program(folder, "encode", "many", *OPTIONS, "-o", tmp_path / "s", code=3)
    store = alcedo.open_store(str(tmp_path / "s"))
    shard = tmp_path / "s" / "shard-000001.npy"
    content = bytearray(shard.read_bytes())
    content[-1] ^= 1
    shard.write_bytes(content)
    store[0]
    with pytest.raises(alcedo.FormatError) as raised:
        store[150]
    assert raised.value.file == str(shard)
    shard.unlink()
    with pytest.raises(alcedo.IoError) as raised:
        store[150]
    assert raised.value.file == str(shard)
    with pytest.raises((alcedo.FormatError, alcedo.IoError)):
        alcedo.open_store(tmp_path / "s")


def test_what_is_no_store(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises((alcedo.InvalidArgument, alcedo.IoError), match=str(path)):
            alcedo.open_store(path)
    with pytest.raises(TypeError, match="path"):
        alcedo.open_store(3)
    with pytest.raises(ValueError, match="NUL"):
        alcedo.open_store("a\0b")
