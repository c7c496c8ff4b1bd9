"""Feature stores of ``alcedo encode``, as lazy arrays with names."""

from __future__ import annotations

import collections
import io
import json
import operator
import os
import threading
from typing import TYPE_CHECKING, Any, Iterator, Sequence, SupportsIndex, overload

import numpy as np

from alcedo import _alcedo
from alcedo.images import _array
from alcedo.paths import path_bytes

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from alcedo._types import FloatArray, StoreKey

_SHARDS_IN_MEMORY = 4


class FeatureStore:
    """The vectors of many images, read shard by shard when they are asked for. See `open_store`.

    ``store[3]``, ``store[2:10]``, ``store["photo.jpg"]`` and ``store[["a.jpg", "b.jpg"]]`` are arrays; ``len(store)`` is
    the number of images. A shard whose bytes are no longer what was written is an error. Several threads may read.

    Attributes
    ----------
    names : list of str
    shape : tuple
        ``(n, D)``, or with several lambdas ``(n, L, D)``.
    dtype : numpy.dtype
        float32, or float64 if the vectors were written so.
    config : dict
        What the vectors were made with; ``ImageEncoder(**store.config["config"])`` makes more of them.
    failures : dict
        Names of bad images, and what is wrong with them.
    missing : list of int
        Shards that another process still has to write.

    Examples
    --------
    >>> import alcedo
    >>> with alcedo.open_store("vectors") as store:
    ...     print(store.names[:2], store[:2].shape, store["down/00.png"].dtype)
    ['across/00.png', 'across/01.png'] (2, 32768) float32
    """

    def __init__(self, path: str | bytes | os.PathLike[str]) -> None:
        name = path_bytes(path)
        self.path = os.fsdecode(name)
        native = _alcedo.FeatureStore.open(name)
        self._native: _alcedo.FeatureStore | None = native  # None when it is closed
        images = native.images()
        self.names = [image[0] for image in images]
        self._places = [image[1:3] for image in images]
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._shards: collections.OrderedDict[int, FloatArray] = collections.OrderedDict()
        self._lock = threading.Lock()
        self.config: dict[str, Any] = json.loads(native.config)
        self.failures = native.failures()
        self.missing = native.missing
        self.shape = (len(images), *native.shape)
        self.dtype: np.dtype[Any] = np.dtype("<" + native.dtype)

    @property
    def ndim(self) -> int:
        """2, or 3 with several lambdas."""
        return len(self.shape)

    def close(self) -> None:
        """Forget what was read; reading more is a ValueError. A ``with`` statement closes, too.

        Examples
        --------
        >>> import alcedo
        >>> store = alcedo.open_store("vectors")
        >>> store.close()
        >>> store[0]
        Traceback (most recent call last):
            ...
        ValueError: the store vectors is closed
        """
        with self._lock:
            self._native = None
            self._shards.clear()

    def __enter__(self) -> FeatureStore:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def _shard(self, number: int) -> FloatArray:
        with self._lock:
            if self._native is None:
                raise ValueError(f"the store {self.path} is closed")
            if number not in self._shards:
                array: FloatArray = np.load(io.BytesIO(self._native.shard(number)), allow_pickle=False)
                self._shards[number] = array.reshape(-1, *self.shape[1:])
                while len(self._shards) > _SHARDS_IN_MEMORY:
                    self._shards.popitem(last=False)
            self._shards.move_to_end(number)
            return self._shards[number]

    def _number(self, key: str | SupportsIndex) -> int:
        if isinstance(key, str):
            if key not in self._numbers:
                reason = f": {self.failures[key]}" if key in self.failures else ""
                raise KeyError(f"{key} has no vector in {self.path}{reason}")
            return self._numbers[key]
        if isinstance(key, (bool, np.bool_)):
            raise TypeError("images are named by numbers and names, not by True and False")
        number = operator.index(key)
        number += len(self) if number < 0 else 0
        if not 0 <= number < len(self):
            raise IndexError(f"there is no image {key}: {self.path} has {len(self)}")
        return number

    def _wanted(self, key: Any) -> tuple[Sequence[int] | NDArray[np.intp], bool]:
        """The numbers of the images, and whether it is one."""
        if isinstance(key, slice):
            return range(*key.indices(len(self))), False
        if isinstance(key, (list, tuple, np.ndarray)) and np.ndim(key) != 0:
            if isinstance(key, np.ndarray) and key.dtype == bool or isinstance(key, list) and key and type(key[0]) is bool:
                mask = np.asarray(key)
                if mask.shape != (len(self),) or mask.dtype != bool:
                    raise IndexError(f"a mask must have {len(self)} entries, got an array of shape {mask.shape}")
                return np.flatnonzero(mask), False
            if isinstance(key, np.ndarray):
                # Looked at first: what is broadcast to a million times a million numbers takes no memory until then.
                if key.ndim != 1 or (key.size and key.dtype.kind not in "iuUO"):
                    raise TypeError(f"images are named by a row of numbers or names, got an array of {key.dtype} of shape "
                                    f"{key.shape}")
            return [self._number(one) for one in key], False
        return [self._number(key)], True

    @overload
    def __getitem__(self, key: tuple[Any, ...]) -> Any: ...  # an array, or a number of one
    @overload
    def __getitem__(self, key: StoreKey) -> FloatArray: ...
    def __getitem__(self, key: Any) -> Any:
        rest: tuple[Any, ...] = ()
        if isinstance(key, tuple):
            key, rest = (key[0], key[1:]) if key else (slice(None), ())
        if key is Ellipsis:
            key, rest = slice(None), (Ellipsis, *rest) if rest else ()
        numbers, single = self._wanted(key)
        values: FloatArray = np.empty((len(numbers), *self.shape[1:]), dtype=self.dtype)
        # Shard after shard, in any order of the images: each is read once.
        for i in sorted(range(len(numbers)), key=lambda i: self._places[numbers[i]]):
            shard, row = self._places[numbers[i]]
            values[i] = self._shard(shard)[row]
        if single:
            return values[0][rest] if rest else values[0]
        return values[(slice(None), *rest)] if rest else values

    def __iter__(self) -> Iterator[FloatArray]:
        return (self[number] for number in range(len(self)))

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return _array(self[:], dtype, copy)

    def __repr__(self) -> str:
        return f"<alcedo.FeatureStore: {' x '.join(map(str, self.shape))} in {self.path}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (os.path.abspath(self.path),)


def open_store(path: str | bytes | os.PathLike[str]) -> FeatureStore:
    """Open a folder that ``alcedo encode -o folder/`` made, to read it.

    Parameters
    ----------
    path : path

    Returns
    -------
    FeatureStore

    Examples
    --------
    >>> import alcedo
    >>> store = alcedo.open_store("vectors")
    >>> store
    <alcedo.FeatureStore: 40 x 32768 in vectors>
    >>> store[["across/00.png", "down/00.png"]].shape
    (2, 32768)
    """
    return FeatureStore(path)
