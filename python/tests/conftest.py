"""What several tests need: the program as a peer, and a small dataset with a model and a feature store."""

import os
import pathlib
import struct
import subprocess
import threading
import time
import zlib

import numpy as np
import pytest


def write_png(path, array):
    """8 or 16 bits, grey or RGB; by the format's specification."""
    array = np.atleast_3d(array)
    array = array.astype(">u2" if array.dtype == np.uint16 else np.uint8)
    height, width, channels = array.shape
    lines = b"".join(b"\0" + array[y].tobytes() for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8 * array.itemsize, 2 if channels == 3 else 0, 0, 0, 0)
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines))
                                   + chunk(b"IEND", b""))


def stripes(along, seed, shape=(60, 80)):
    """An image of stripes, across or down, with noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:shape[0], :shape[1]]
    wave = np.sin((y if along == "across" else x) * rng.uniform(0.5, 0.9))
    return np.clip(128 + 80 * wave + rng.normal(0, 10, shape), 0, 255).astype(np.uint8)


def rare_bags(count=50, d=6, seed=0, dtype=np.float64):
    """A common row many times, and one rare row that is the class."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % 2
    rare = rng.normal(size=(2, d))
    bags = [np.vstack([rng.normal(2, 1, (5 + i % 9, d)), rare[y] + 0.5 * rng.normal(size=d)])
            for i, y in enumerate(labels)]
    return [bag.astype(dtype) for bag in bags], labels


def longest_pause(call):
    """The longest time that other threads of Python had to wait during a call, as a part of its time; the best of three."""
    best = 1.0
    for _ in range(3):
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(1e-3)

        thread = threading.Thread(target=tick)
        thread.start()
        while not ticks:
            time.sleep(1e-3)
        begin = time.perf_counter()
        call()
        end = time.perf_counter()
        done.set()
        thread.join()
        inside = [begin, *(t for t in ticks if begin < t < end), end]
        best = min(best, max(b - a for a, b in zip(inside, inside[1:])) / (end - begin))
        if best < 0.5:
            break
    return best


@pytest.fixture
def no_paths_kept():
    """Lambda paths that another test kept would be found, and not solved."""
    from alcedo.sklearn import clear_paths, limit_paths

    clear_paths()
    limit_paths(512)
    yield
    clear_paths()


@pytest.fixture(scope="session")
def program():
    """Runs the command line program in a folder: program(folder, "encode", ...). 3 is its code for some bad images."""
    path = os.environ.get("ALCEDO_PROGRAM")
    if not path:
        pytest.skip("ALCEDO_PROGRAM does not name the program alcedo, which these results are compared with")

    def run(folder, *arguments, code=0):
        done = subprocess.run([path, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def striped(tmp_path_factory):
    """A folder with stripes/ (two classes of 20 images), up.png and down.png."""
    folder = tmp_path_factory.mktemp("striped")
    for along in ("across", "down"):
        (folder / "stripes" / along).mkdir(parents=True)
        for i in range(20):
            write_png(folder / "stripes" / along / f"{i:02}.png", stripes(along, 100 * len(along) + i))
    write_png(folder / "up.png", stripes("across", 7))
    write_png(folder / "down.png", stripes("down", 8))
    return folder


@pytest.fixture(scope="session")
def trained(striped, program):
    """The same with stripes.safetensors and the feature store vectors/."""
    program(striped, "train", "stripes", "--gaussians", 4, "--samples", 2000, "--probabilities", "-o", "stripes.safetensors")
    program(striped, "encode", "stripes", "--power", 0.5, "--l2", "-o", "vectors/")
    return striped
