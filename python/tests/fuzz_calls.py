"""Every public function of the package, called with what a person might pass: a table for the fuzzer of the bindings."""

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
WORDS = {"Codebook": "clusters", "GaussianMixture": "gaussians", "Dictionary": "atoms", "RandomFourier": "outputs"}
MODEL = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "model-version-1.safetensors"
ROWS = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)


@functools.lru_cache(None)
def sound(kind):
    """Words that are as they should be."""
    return getattr(alcedo, kind).fit(ROWS, **{WORDS[kind]: 6})


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


def common(v):
    return {"threads": v.threads(), "progress": v.progress()}


def rows_and_blocks(v, d):
    """Arguments of one bag or several: rows, and perhaps offsets, blocks or an encoder."""
    rows, more = v.bags(d), {}
    way = int(v.rng.integers(8))
    if way == 0:
        n = v.size()
        rows = v.array(n, d)
        more["offsets"] = v.offsets(n)
    elif way == 1:
        n, blocks = v.size(), int(v.rng.integers(1, 6))
        rows = v.array(n, d)
        more.update(blocks=v.integers(n, blocks), num_blocks=blocks if v.chance(0.9) else v.whole())
    elif way == 2:
        rows = encodings(v)
    elif way == 3:
        rows = [encodings(v) for _ in range(v.size(4))]
    elif way == 4:
        more["encoder"] = encoder(v)
    return rows, more


def pool(v):
    d = int(v.rng.integers(1, 12))
    rows, more = rows_and_blocks(v, d)
    method = v.text(*METHODS)
    fields = _alcedo.pooling_fields(method) if method in METHODS[:-1] else []
    more.update(v.options(fields, ("relative", "lambda_")), **common(v))
    if method == "weighted":
        more["weights"] = v.array(len(rows) if hasattr(rows, "__len__") else 3)
    for name, value in (("power", v.number), ("block_l2", lambda: v.chance(0.5)), ("l2", lambda: v.chance(0.5)),
                        ("nonnegative", lambda: v.chance(0.3)), ("dtype", lambda: v.text("float32", "float64", np.float32)),
                        ("return_reports", lambda: True), ("relative", lambda: v.chance(0.5))):
        if v.chance(0.15):
            more[name] = value()
    return alcedo.pool, (rows, method), {"lambda_": v.lambda_(), **more}


def gmp_weights(v):
    rows, more = rows_and_blocks(v, int(v.rng.integers(1, 12)))
    more.update(v.options(_alcedo.pooling_fields("gmp"), ("lambda_", "relative")), **common(v))
    return alcedo.gmp_weights, (rows,), {"lambda_": v.lambda_(), "nonnegative": v.chance(0.3), "relative": v.chance(0.5), **more}


def kernel(v):
    """Mostly of rows; sometimes of nothing."""
    if v.chance(0.3):
        return v.array(None, None)
    n = v.size(20)
    rows = v.numbers((n, int(v.rng.integers(1, 8))), "f8")
    with np.errstate(all="ignore"):
        return v.laid_out(rows @ rows.T)


def weights_from_kernel(v):
    options = v.options(_alcedo.pooling_fields("gmp"), ("lambda_", "relative"))
    return alcedo.weights_from_kernel, (kernel(v),), {"lambda_": v.lambda_(), "nonnegative": v.chance(0.3),
                                                      "threads": v.threads(), "relative": v.chance(0.5), **options}


def democratic(v):
    options = v.options(_alcedo.pooling_fields("democratic"))
    if v.chance(0.4):
        return alcedo.democratic, (), {"kernel": kernel(v), "threads": v.threads(), **options}
    rows, more = rows_and_blocks(v, int(v.rng.integers(1, 12)))
    return alcedo.democratic, (rows,), {**more, **common(v), **options}


def spatial_pyramid(v):
    n = v.size()
    positions = v.array(n, 2) if v.chance(0.3) else v.rng.random((n, 2))
    more = {"lambda_": v.lambda_()} if v.chance(0.5) else {}
    pyramid = v.text("1", "1,3x1", "2x2", "1,2x2,3x1", "paper", "10x10", "0x1", "99999x99999", "1,,2", "-1x1")
    return alcedo.spatial_pyramid, (v.array(n, 5), positions, pyramid, v.text(*METHODS[:-1])), more


def power_normalize(v):
    return alcedo.power_normalize, (v.array(*(None,) * int(v.rng.integers(1, 3))), v.number()), {}


def l2_normalize(v):
    return alcedo.l2_normalize, (v.array(*(None,) * int(v.rng.integers(1, 3))),), {"block_size": v.whole() if v.chance(0.5) else 0}


def encodings(v):
    """An object, or what refuses to be one."""
    n, d, blocks = v.size(20), int(v.rng.integers(1, 5)), int(v.rng.integers(1, 5))
    try:
        return encodings_call(v, n, d, blocks)()
    except (ValueError, TypeError, MemoryError, OverflowError):
        return alcedo.Encodings.from_dense(ROWS[:n, :d])


def encodings_call(v, n, d, blocks):
    way = int(v.rng.integers(3))
    num_blocks = blocks if v.chance(0.95) else v.whole()
    if way == 0:
        return functools.partial(alcedo.Encodings.from_dense, v.array(n, d))
    if way == 1:
        return functools.partial(alcedo.Encodings.one_block_per_row, v.array(n, d), v.integers(n, blocks), num_blocks)
    counts = v.rng.integers(0, blocks + 1, size=n)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    numbers = np.concatenate([np.sort(v.rng.permutation(blocks)[:c]) for c in counts]) if n else np.zeros(0, int)
    if v.chance(0.1):
        v.rng.shuffle(numbers)
    if v.chance(0.1):
        offsets = v.offsets(int(counts.sum()))
    return functools.partial(alcedo.Encodings.several_blocks_per_row, v.array(int(counts.sum()), d), numbers.astype(int), offsets,
                             num_blocks)


def encodings_of(v):
    call = encodings_call(v, v.size(20), int(v.rng.integers(1, 5)), int(v.rng.integers(1, 5)))

    def run():
        made = call()
        if made.shape[0] * made.shape[1] > 10**7:  # a dense array of it would be of gigabytes
            return repr(made), made.shape
        return repr(made), made.shape, made.to_dense(), made.mean_squared_norm, len(made)
    return run, (), {}


def accumulator(v):
    d, blocks = v.whole() if v.chance(0.1) else int(v.rng.integers(1, 8)), v.whole() if v.chance(0.1) else 1
    steps = [v.array(None, d) if isinstance(d, int) and d < 100 else v.array(3, 3) for _ in range(v.size(4))]
    lambda_, options, damage = v.lambda_(), v.options(_alcedo.pooling_fields("gmp"), ("lambda_", "relative")), v.chance(0.2)
    place, value = int(v.rng.integers(2**31)), int(v.rng.integers(256))
    with_blocks = v.chance(0.1)

    def run():
        one, two = alcedo.GmpAccumulator(d, blocks), alcedo.GmpAccumulator(d, blocks)
        for i, rows in enumerate(steps):
            (one if i % 2 else two).add(rows, *([np.zeros(len(rows), int)] if with_blocks else []))
        one.merge(two)
        one.merge(one)
        state = one.__getstate__()
        if damage:
            content = bytearray(state["state"])
            content[place % len(content)] = value
            state["state"] = bytes(content)
        again = alcedo.GmpAccumulator.__new__(alcedo.GmpAccumulator)
        again.__setstate__(state)
        return again.sum(), len(again), again.result(lambda_=lambda_, **options), repr(again)
    return run, (), {}


def pickled(thing):
    again = pickle.loads(pickle.dumps(thing))
    return again, repr(again)


def words(v):
    """Made of arrays."""
    k, d = int(v.rng.integers(1, 6)), int(v.rng.integers(1, 6))
    name = v.one_of(list(WORDS) + ["Pca"])
    arguments = {"Codebook": lambda: (v.array(k, d), *([v.array(k)] if v.chance(0.5) else [])),
                 "GaussianMixture": lambda: (np.full(k, 1 / k) if v.chance(0.7) else v.array(k), v.array(k, d),
                                             v.rng.uniform(1, 2, (k, d)) if v.chance(0.7) else v.array(k, d)),
                 "Dictionary": lambda: (np.eye(k, max(k, d)) if v.chance(0.5) else v.array(k, d),),
                 "RandomFourier": lambda: (v.array(k, d), v.array(k), v.number()),
                 "Pca": lambda: (v.array(d), v.array(k, d), v.array(k), v.number(), v.chance(0.5))}[name]()
    rows = v.bags(d)

    def run():
        made = getattr(alcedo, name)(*arguments)
        if name == "Pca":
            return pickled(made), made.transform(rows)
        return pickled(made), alcedo.pool(rows, "sum", encoder=alcedo.Encoder(made))
    return run, (), {}


def fit(v):
    name = v.one_of(list(WORDS) + ["Pca"])
    d = int(v.rng.integers(1, 6))
    rows = v.array(v.size(60), d)
    options = v.options(_alcedo.fit_fields(name))
    if name in WORDS:
        options.setdefault(WORDS[name], int(v.rng.integers(1, 6)))
        options["seed"] = v.whole() if v.chance(0.1) else 1
    if name in ("Codebook", "GaussianMixture", "Dictionary"):
        options.setdefault("max_iterations", 5)
        options.update(common(v))
    if name == "RandomFourier" and v.chance(0.3):
        return alcedo.RandomFourier.draw, (v.whole() if v.chance(0.2) else d, v.number()), {**options}

    def run(rows, **options):
        made = getattr(alcedo, name).fit(rows, **options)
        return made, made.transform(rows) if name == "Pca" else alcedo.pool(rows, "mean", encoder=alcedo.Encoder(made))
    return run, (rows,), options


def vocabulary(v):
    kind, d = v.text("gmm", "kmeans", "dictionary", "fourier"), int(v.rng.integers(2, 6))
    size = {"gmm": "gaussians", "kmeans": "clusters", "dictionary": "atoms", "fourier": "outputs"}.get(kind if isinstance(kind, str) else "")
    options = {size: int(v.rng.integers(1, 6))} if size else {}
    if v.chance(0.5):
        options.update(pca=v.whole() if v.chance(0.2) else 2, whiten=v.chance(0.5))
    damage, place, value = v.chance(0.3), int(v.rng.integers(2**31)), int(v.rng.integers(256))
    rows, more = v.array(v.size(60), d), v.array(None, d)
    name = v.one_of(["v.safetensors", "\udce9.safetensors", "a\0b", "", "none/v.safetensors"])

    def run():
        made = alcedo.Vocabulary.fit(rows, kind, **options)
        made.save(folder() / name)
        alcedo.Vocabulary.load(folder() / name)
        state = made.__getstate__()
        if damage:
            content = bytearray(state["vocabulary"])
            content[place % len(content)] = value
            state["vocabulary"] = bytes(content)
        again = alcedo.Vocabulary.__new__(alcedo.Vocabulary)
        again.__setstate__(state)
        return repr(again), again.words, again.pca, again.pca and again.project(more), again.dimension
    return run, (), {}


def encoder(v):
    while True:
        name = v.one_of(ENCODERS)
        try:
            return alcedo.Encoder(sound(v.one_of(list(WORDS))), name)
        except ValueError:  # not with these words
            pass


def encode(v):
    name = v.text(*ENCODERS)
    options = v.options(_alcedo.encoder_fields(name)) if name in ENCODERS[1:] else {}
    kind = sound(v.one_of(list(WORDS))) if v.chance(0.97) else v.nonsense()
    rows, seed, threads, more = v.bags(4), v.whole() if v.chance(0.1) else 0, v.threads(), common(v)
    if v.chance(0.1):
        n = v.size()
        rows, more["offsets"] = v.array(n, 4), v.offsets(n)

    def run():
        made = alcedo.Encoder(kind, name, seed=seed, threads=threads, **options)
        return repr(made), made.encode(rows, **more), alcedo.pool(rows, encoder=made, **more)
    return run, (), {}


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


FLOAT_PIXELS = ("f4", "f8", "f2", ">f8", "longdouble")


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


CALLS = {f.__name__: f for f in (pool, gmp_weights, weights_from_kernel, democratic, spatial_pyramid, power_normalize, l2_normalize,
                                 encodings_of, accumulator, words, fit, vocabulary, encode, describe, encode_images,
                                 make_image_encoder, weight_map, predict, load, index_store)}
