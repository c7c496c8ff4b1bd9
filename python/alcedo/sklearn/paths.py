"""Whole lambda paths of bags, kept, so that a search over lambda solves every bag once.

A search clones the pipeline for every candidate and fold, and pools the same bags each time. The solutions for a list
of lambdas cost little more than one: with `path` the first candidate that meets a bag solves for all of them, and the
others find the path here, by the contents of the bag and everything else the solutions depend on.
"""

import os
import pickle
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

import alcedo
from alcedo import _alcedo
from alcedo.sklearn import claims
from alcedo.sklearn.bags import require_finite
from alcedo.sklearn.stores import InFolder, InMemory, digest

_DEFAULT_MIB = 512
_CHUNK_BYTES = 64 << 20  # paths that one call of pool returns
_CHUNK_BAGS = 1024  # bags that one call of pool solves, while other threads and processes may solve others


def digest_of(array: Any, context: str = "") -> str:
    """Of the shape, the type and the values of an array.

    The library's hash of contents has 128 bits and reads 10 GB/s or more. A cryptographic one, at 1 GB/s, takes longer
    than to pool an easy bag.
    """
    contiguous = np.ascontiguousarray(array)
    return digest(context, contiguous.shape, contiguous.dtype.str, _alcedo.content_hash(contiguous))


_memory = InMemory(_DEFAULT_MIB)


def _after_fork() -> None:
    _memory.after_fork()
    claims.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def limit_paths(mib: float) -> None:
    """What the lambda paths that this process keeps may take together, in MiB; 512 at first, 0 keeps none.

    Examples
    --------
    >>> import alcedo.sklearn
    >>> alcedo.sklearn.limit_paths(512)
    """
    if not mib >= 0:
        raise alcedo.InvalidArgument("mib", "must be >= 0", repr(mib))
    _memory.limit = int(mib * 2**20)
    _memory.shrink()


def clear_paths() -> None:
    """Forget the lambda paths and vocabularies that this process keeps.

    Examples
    --------
    >>> import alcedo.sklearn
    >>> alcedo.sklearn.clear_paths()
    """
    _memory.clear()


def _store(memory: Any) -> Any:
    return _memory if memory is None else InFolder(memory)


def on_path(bags: list[Any], lambdas: list[float], index: int, *, encoder: Any, memory: Any, threads: Any,
            **options: Any) -> Any:
    """Vectors for ``lambdas[index]``, without normalisation: kept ones, and those of the other bags from one solve."""
    if not all(isinstance(bag, np.ndarray) for bag in bags):
        raise TypeError("path goes with arrays: give them and an encoder in place of Encodings")
    # The rule of alcedo.pool, for all bags: it must not depend on which of them are kept.
    small = all(bag.dtype.kind != "f" and bag.dtype.itemsize <= 2 or bag.dtype.kind == "f" and bag.dtype.itemsize <= 4
                for bag in bags)
    dtype: Literal["float32", "float64"] = "float32" if small else "float64"
    pickled = np.frombuffer(pickle.dumps(encoder), np.uint8)
    context = digest(alcedo.__version__, lambdas, dtype, sorted(options.items()), _alcedo.content_hash(pickled))
    dimension = bags[0].shape[1] if encoder is None else encoder.dimension
    places: dict[str, list[int]] = {}
    for i, bag in enumerate(bags):
        places.setdefault(digest_of(bag, context), []).append(i)
    vectors = np.empty((len(bags), dimension), dtype)
    store = _store(memory)

    def take(key: str) -> bool:
        path = store.path(key)
        if path is None or path.shape != (len(lambdas), dimension) or path.dtype != dtype:
            return False
        vectors[places[key]] = path[index]
        return True

    def solve(keys: list[str]) -> None:
        solved = alcedo.pool([bags[places[key][0]] for key in keys], lambda_=lambdas, encoder=encoder, dtype=dtype,
                             threads=threads, **options)
        for path, key in zip(solved, keys):
            vectors[places[key]] = path[index]
            store.keep_path(key, path.copy())  # not a view: it would keep the whole chunk

    missing = [key for key in places if not take(key)]
    require_finite(bags, [places[key][0] for key in missing])
    at_once = max(1, min(_CHUNK_BAGS, _CHUNK_BYTES // (len(lambdas) * dimension * vectors.itemsize)))
    claims.once(store.claims, missing, take, solve, at_once)
    return vectors


def learned(rows: Any, what: Any, memory: Any, learn: Callable[[], Any]) -> Any:
    """The vocabulary that ``learn()`` makes of rows as `what` says: the kept one, if it was learned before."""
    key = digest_of(rows, digest(alcedo.__version__, what))
    store = _store(memory)
    found: list[Any] = []

    def take(key: str) -> bool:
        vocabulary = store.vocabulary(key)
        if vocabulary is not None:
            found.append(vocabulary)
        return vocabulary is not None

    def make(keys: list[str]) -> None:
        found.append(learn())
        store.keep_vocabulary(keys[0], found[-1])

    if not take(key):
        claims.once(store.claims, [key], take, make, 1)
    return found[-1]
