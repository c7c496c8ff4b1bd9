"""Whole lambda paths of bags, kept, so that a search over lambda solves every bag once.

A search clones the pipeline for every candidate and fold, and pools the same bags each time. The solutions for a list
of lambdas cost little more than one: with `path` the first candidate that meets a bag solves for all of them, and the
others find the path here, by the contents of the bag and everything else the solutions depend on.
"""

import contextlib
import hashlib
import os
import pathlib
import pickle
import tempfile
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

import alcedo
from alcedo import _alcedo
from alcedo.sklearn.bags import require_finite

_DEFAULT_MIB = 512
_VOCABULARIES = 16  # learned ones that are kept: a few for each of the folds that are worked on
_CHUNK_BYTES = 64 << 20  # paths that one call of pool returns


def _digest(*parts: Any) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def digest_of(array: Any, context: str = "") -> str:
    """Of the shape, the type and the values of an array.

    The library's hash of contents has 128 bits and reads 10 GB/s or more. A cryptographic one, at 1 GB/s, takes longer
    than to pool an easy bag.
    """
    contiguous = np.ascontiguousarray(array)
    return _digest(context, contiguous.shape, contiguous.dtype.str, _alcedo.content_hash(contiguous))


class InMemory:
    """Paths and vocabularies of this process, the least recently used ones dropped; for any number of threads."""

    def __init__(self, mib: float) -> None:
        self.limit = int(mib * 2**20)
        self.size = 0
        self.paths: OrderedDict[str, Any] = OrderedDict()
        self.vocabularies: OrderedDict[str, Any] = OrderedDict()
        self.lock = threading.RLock()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Whoever else needs the same bags waits, and finds them solved. A solve itself uses all cores."""
        with self.lock:
            yield

    def path(self, key: str) -> Any:
        if key in self.paths:
            self.paths.move_to_end(key)
        return self.paths.get(key)

    def keep_path(self, key: str, path: Any) -> None:
        self.paths[key] = path
        self.size += path.nbytes
        if self.size > self.limit > 0:
            warnings.warn(f"the lambda paths of all bags take more than {self.limit / 2**20:g} MiB, and are solved "
                          "again for other lambdas: give alcedo.sklearn.limit_paths more, or memory a folder",
                          stacklevel=2)
        while self.size > self.limit:
            self.size -= self.paths.popitem(last=False)[1].nbytes

    def vocabulary(self, key: str) -> Any:
        return self.vocabularies.get(key)

    def keep_vocabulary(self, key: str, vocabulary: Any) -> None:
        self.vocabularies[key] = vocabulary
        while len(self.vocabularies) > _VOCABULARIES:
            self.vocabularies.popitem(last=False)


class InFolder:
    """The same as files, which several processes share. Files appear whole; who uses them may delete them."""

    def __init__(self, folder: Any) -> None:
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        try:
            import fcntl
        except ImportError:  # not a POSIX system: two processes may solve the same bag, both correctly
            yield
            return
        with open(self.folder / "lock", "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # ends with the process, however that ends
            yield

    def path(self, key: str) -> Any:
        try:
            return np.load(self.folder / f"{key}.npy", allow_pickle=False)
        except (OSError, ValueError, EOFError):  # missing, or damaged: solved again
            return None

    def keep_path(self, key: str, path: Any) -> None:
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.save(file, path, allow_pickle=False)
            os.replace(name, self.folder / f"{key}.npy")
        except BaseException:
            os.unlink(name)
            raise

    def vocabulary(self, key: str) -> Any:
        try:
            return alcedo.Vocabulary.load(self.folder / f"{key}.safetensors")
        except (alcedo.IoError, alcedo.FormatError):
            return None

    def keep_vocabulary(self, key: str, vocabulary: Any) -> None:
        vocabulary.save(self.folder / f"{key}.safetensors")


_memory = InMemory(_DEFAULT_MIB)


def _after_fork() -> None:
    _memory.lock = threading.RLock()  # the one of the parent may be held by a thread that is not here


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
    with _memory.lock:
        _memory.limit = int(mib * 2**20)
        while _memory.size > _memory.limit:
            _memory.size -= _memory.paths.popitem(last=False)[1].nbytes


def clear_paths() -> None:
    """Forget the lambda paths and vocabularies that this process keeps.

    Examples
    --------
    >>> import alcedo.sklearn
    >>> alcedo.sklearn.clear_paths()
    """
    with _memory.lock:
        _memory.paths.clear()
        _memory.vocabularies.clear()
        _memory.size = 0


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
    context = _digest(alcedo.__version__, lambdas, dtype, sorted(options.items()), _alcedo.content_hash(pickled))
    dimension = bags[0].shape[1] if encoder is None else encoder.dimension
    keys = [digest_of(bag, context) for bag in bags]
    vectors = np.empty((len(bags), dimension), dtype)
    store = _store(memory)
    with store.alone():
        missing: OrderedDict[str, list[int]] = OrderedDict()
        for i, key in enumerate(keys):
            path = store.path(key) if key not in missing else None
            if path is not None and path.shape == (len(lambdas), dimension):
                vectors[i] = path[index]
            else:
                missing.setdefault(key, []).append(i)
        left = list(missing.items())
        require_finite(bags, [same[0] for _, same in left])
        at_once = max(1, _CHUNK_BYTES // (len(lambdas) * dimension * vectors.itemsize))
        for begin in range(0, len(left), at_once):
            chunk = left[begin:begin + at_once]
            paths = alcedo.pool([bags[same[0]] for _, same in chunk], lambda_=lambdas, encoder=encoder, dtype=dtype,
                                threads=threads, **options)
            for path, (key, same) in zip(paths, chunk):
                vectors[same] = path[index]
                store.keep_path(key, path.copy())  # not a view: it would keep the whole chunk
    return vectors


def learned(rows: Any, what: Any, memory: Any, learn: Callable[[], Any]) -> Any:
    """The vocabulary that ``learn()`` makes of rows as `what` says: the kept one, if it was learned before."""
    key = digest_of(rows, _digest(alcedo.__version__, what))
    store = _store(memory)
    with store.alone():
        vocabulary = store.vocabulary(key)
        if vocabulary is None:
            vocabulary = learn()
            store.keep_vocabulary(key, vocabulary)
        return vocabulary
