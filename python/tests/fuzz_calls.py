"""Every public function of the package, called with what a person might pass: a table for the fuzzer of the bindings."""

import functools
import pickle

import numpy as np

import alcedo
from alcedo import _alcedo
from fuzz_image_calls import (ENCODERS, METHODS, common, describe, encode_images, folder, index_store, load, make_image_encoder,
                              pickled, predict, weight_map)

WORDS = {"Codebook": "clusters", "GaussianMixture": "gaussians", "Dictionary": "atoms", "RandomFourier": "outputs"}
ROWS = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)


@functools.lru_cache(None)
def sound(kind):
    """Words that are as they should be."""
    return getattr(alcedo, kind).fit(ROWS, **{WORDS[kind]: 6})


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


def length(rows):
    try:
        return len(rows)
    except TypeError:  # of a number, or an array without dimensions
        return 3


def pool(v):
    d = int(v.rng.integers(1, 12))
    rows, more = rows_and_blocks(v, d)
    method = v.text(*METHODS)
    fields = _alcedo.pooling_fields(method) if method in METHODS[:-1] else []
    more.update(v.options(fields, ("relative", "lambda_")), **common(v))
    if isinstance(method, str) and method == "weighted":
        more["weights"] = v.array(length(rows))
    if isinstance(method, str) and method == "gmp" or v.chance(0.03):
        more["lambda_"] = v.lambda_()
        if v.chance(0.15):
            more["relative"] = v.chance(0.5)
    for name, value in (("power", v.number), ("block_l2", lambda: v.chance(0.5)), ("l2", lambda: v.chance(0.5)),
                        ("nonnegative", lambda: v.chance(0.3)), ("dtype", lambda: v.text("float32", "f8", np.float32)),
                        ("return_reports", lambda: True)):
        if v.chance(0.15):
            more[name] = value()
    return alcedo.pool, (rows, method), more


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
    pyramid = v.text("1", "1,3x1", "2x2", "1,2x2,3x1", "paper", "10x10", "0x1", "99999x99999", "1,,2", "-1x1")
    method = v.text(*METHODS[:-1])
    more = {"lambda_": v.lambda_()} if isinstance(method, str) and method == "gmp" and v.chance(0.5) else {}
    rows = encodings(v) if v.chance(0.2) else v.array(n, 5)
    if isinstance(rows, alcedo.Encodings):
        positions = v.rng.random((len(rows), 2))
    return alcedo.spatial_pyramid, (rows, positions, pyramid, method), more


def power_normalize(v):
    return alcedo.power_normalize, (v.array(*(None,) * int(v.rng.integers(1, 4))), v.number()), {}


def l2_normalize(v):
    values = v.array(*(None,) * int(v.rng.integers(1, 4)))
    return alcedo.l2_normalize, (values,), {"block_size": v.whole() if v.chance(0.5) else 0}


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
        return repr(made), made.shape, made.to_dense(), made.mean_squared_norm, len(made), pickled(made)
    return run, (), {}


def accumulator(v):
    d, blocks = v.whole() if v.chance(0.1) else int(v.rng.integers(1, 8)), v.whole() if v.chance(0.1) else 1
    steps = [v.array(None, d) if isinstance(d, int) and 0 <= d < 100 else v.array(3, 3) for _ in range(v.size(4))]
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


CALLS = {f.__name__: f for f in (pool, gmp_weights, weights_from_kernel, democratic, spatial_pyramid, power_normalize, l2_normalize,
                                 encodings_of, accumulator, words, fit, vocabulary, encode, describe, encode_images,
                                 make_image_encoder, weight_map, predict, load, index_store)}
