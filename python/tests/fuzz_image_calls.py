"""Calls of images, models, stores and datasets, for the fuzzer of the bindings."""

import functools
import os
import pathlib
import pickle
import subprocess
import tempfile

import numpy as np

import alcedo
from alcedo import _alcedo
from conftest import stripes, write_png

METHODS = ("gmp", "sum", "mean", "max", "lp", "softmax", "democratic", "weighted")
ENCODERS = ("auto", "bov", "soft-bov", "llc", "sparse", "vlad", "sv", "fv", "emk")
MODEL = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "model-version-1.safetensors"
FLOAT_PIXELS = ("f4", "f8", "f2", ">f8", "longdouble")


def common(v):
    return {"threads": v.threads(), "progress": v.progress()}


def pickled(thing):
    again = pickle.loads(pickle.dumps(thing))
    return again, repr(again)


@functools.lru_cache(None)
def image_encoder(number):
    return [lambda: alcedo.ImageEncoder("sift", grid={"scales": 1}),
            lambda: alcedo.ImageEncoder("color", lambda_=[0.1, 1], grid={"scales": 2}, dtype="f8", power=0.5),
            lambda: alcedo.ImageEncoder("color", pooling="max", grid={"scales": 1}, pyramid="1,2x2")][number]()


@functools.lru_cache(None)
def model():
    return alcedo.load_model(MODEL)


@functools.lru_cache(None)
def folder():
    """A dataset, a feature store if the program is there, and files that are neither."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="alcedo-fuzz-"))
    for along in ("across", "down"):
        (path / "stripes" / along).mkdir(parents=True)
        for i in range(3):
            write_png(path / "stripes" / along / f"{i}.png", stripes(along, i))
    (path / "text").write_text("text")
    program = os.environ.get("ALCEDO_PROGRAM")
    if program:
        clean = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        subprocess.run([program, "encode", "stripes", "--lambda", "1,2", "-o", "store/"], cwd=path, check=True, env=clean,
                       capture_output=True)
    return path


def image(v):
    """Pixels, bytes, a path, or nonsense."""
    way = int(v.rng.integers(8))
    if way == 0:
        return v.array(None, None)
    if way == 1:
        content = bytearray((folder() / "stripes" / "down" / "0.png").read_bytes())
        for _ in range(v.size(4)):
            content[int(v.rng.integers(len(content)))] = int(v.rng.integers(256))
        return bytes(content[:int(v.rng.integers(len(content) + 1))] if v.chance(0.2) else content)
    if way == 2:
        return v.one_of([folder() / "stripes" / "down" / "1.png", folder() / "text", folder() / "none", folder(), "a\0b", "", "\ud800"])
    shape = (int(v.rng.integers(1, 50)), int(v.rng.integers(1, 50)), *v.one_of([(), (), (1,), (3,), (3,), (4,)]))
    if way == 3:
        values = v.rng.random(shape) * v.one_of([1, 1, 2, -1, np.nan])
        return v.laid_out(values.astype(v.one_of(FLOAT_PIXELS)))
    values = v.rng.integers(0, 256, shape)
    return v.laid_out(values.astype(v.one_of(["u1", "u1", "u1", "u2", ">u2", "i8", "?"])))


def images(v):
    return [image(v) for _ in range(v.size(4))] if v.chance(0.5) else image(v)


def describe(v):
    name = v.text("sift", "color")
    fields = _alcedo.describe_fields(name) if name in ("sift", "color") else []
    return alcedo.describe, (image(v), name), {"threads": v.threads(), **v.options(fields)}


def encode_images(v):
    return image_encoder(int(v.rng.integers(3))).encode, (images(v),), {**common(v), "return_failures": v.chance(0.5)}


def make_image_encoder(v):
    settings = {"grid": v.one_of([{}, {"scales": v.whole()}, {"step": v.whole(), "scales": 1}, v.nonsense()]),
                "power": v.number(), "l2": v.chance(0.5), "pooling": v.text(*METHODS[:-1]), "encoder": v.text(*ENCODERS),
                "pyramid": v.text("1", "1,3x1"), "dtype": v.text("f4", "f8"), "seed": v.whole(), "gmp": v.nonsense(),
                v.one_of(["nonsense", "lambda", "image"]): v.nonsense()}
    settings = {k: value for k, value in settings.items() if v.chance(0.2)}
    lambda_ = v.lambda_() if v.chance(0.5) else None
    given, relative = image(v), v.chance(0.5)

    def run():
        made = alcedo.ImageEncoder(v.one_of(["sift", "color"]), lambda_=lambda_, relative=relative, **settings)
        return pickled(made)[0].encode(given), made.dimension
    return run, (), {}


def weight_map(v):
    made = image_encoder(int(v.rng.integers(3)))
    if v.chance(0.5):
        return made.weights, (image(v),), {"threads": v.threads()}
    size = v.one_of([None, (v.whole(), v.whole()), (10, 20), v.nonsense()])
    return made.weight_map, (image(v),), {"rule": v.text("sum", "mean"), "size": size, "threads": v.threads()}


def predict(v):
    call = getattr(model(), v.one_of(["predict", "scores", "probabilities"]))
    return call, (images(v),), {**common(v), "return_failures": v.chance(0.5)}


def load(v):
    """Models, stores and datasets from files, and from pickles that were damaged."""
    way = int(v.rng.integers(4))
    path = v.one_of([folder(), folder() / "stripes", folder() / "text", folder() / "store", folder() / "none", "\udcff", "a\0b", "",
                     b"\xff", v.nonsense()])
    if isinstance(path, (int, np.integer, bool)):
        path = None  # a file descriptor, for os functions
    if way == 0:
        return alcedo.load_model, (path,), {}
    if way == 1:
        return alcedo.open_store, (path,), {}
    if way == 2:
        return alcedo.read_dataset, (path, v.text("auto", "folder", "voc2007", "cub2011")), v.options(_alcedo.dataset_fields())
    state = model().__getstate__()
    content = bytearray(state["model"])
    content[int(v.rng.integers(len(content)))] ^= 1 << int(v.rng.integers(8))
    return alcedo.Model.__new__(alcedo.Model).__setstate__, (v.one_of([{**state, "model": bytes(content)}, {}, v.nonsense()]),), {}


@functools.lru_cache(None)
def store():
    return alcedo.open_store(folder() / "store")


def index_store(v):
    if not os.environ.get("ALCEDO_PROGRAM"):
        return describe(v)
    key = v.one_of([v.whole(), slice(v.one_of([None, v.whole()]), None, v.one_of([None, -1, 2])), v.integers(v.size(5), 6),
                    v.rng.random(6) < 0.5, "across/0.png", ["down/1.png", "text"], (v.whole(), slice(None), v.whole()), v.nonsense()])
    return store().__getitem__, (key,), {}
