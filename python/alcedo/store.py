"""Feature stores of ``alcedo encode``, as lazy arrays with names."""

import collections
import json
import os

import numpy as np

from alcedo import _alcedo

_SHARDS_IN_MEMORY = 4


class FeatureStore:
    """The vectors of many images, read shard by shard when they are asked for. See `open_store`.

    ``store[3]``, ``store[2:10]``, ``store["photo.jpg"]`` and ``store[["a.jpg", "b.jpg"]]`` are arrays; ``len(store)`` is
    the number of images. A shard whose bytes are no longer what was written is an error.

    Attributes
    ----------
    names : list of str
    shape : tuple
        ``(n, D)``, or with several lambdas ``(n, L, D)``.
    config : dict
        What the vectors were made with.
    failures : dict
        Names of bad images, and what is wrong with them.
    missing : list of int
        Shards that another process still has to write.
    """

    def __init__(self, path):
        self._native = _alcedo.FeatureStore.open(os.fspath(path))
        self.path = os.fspath(path)
        images = self._native.images()
        self.names = [image[0] for image in images]
        self._places = [image[1:3] for image in images]
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._shards = collections.OrderedDict()
        self.config = json.loads(self._native.config)
        self.failures = self._native.failures()
        self.missing = self._native.missing
        self.shape = (len(images), *self._native.shape)
        self.dtype = np.dtype(np.float32)
        self.ndim = len(self.shape)

    def __len__(self):
        return len(self.names)

    def __contains__(self, name):
        return name in self._numbers

    def _shard(self, number):
        if number not in self._shards:
            self._shards[number] = self._native.shard(number).reshape(-1, *self.shape[1:])
            while len(self._shards) > _SHARDS_IN_MEMORY:
                self._shards.popitem(last=False)
        self._shards.move_to_end(number)
        return self._shards[number]

    def _row(self, number):
        shard, row = self._places[number]
        return self._shard(shard)[row]

    def _number(self, key):
        if isinstance(key, str):
            if key not in self._numbers:
                reason = f": {self.failures[key]}" if key in self.failures else ""
                raise KeyError(f"{key} has no vector in {self.path}{reason}")
            return self._numbers[key]
        number = int(key) + (len(self) if key < 0 else 0)
        if not 0 <= number < len(self):
            raise IndexError(f"there is no image {key}: {self.path} has {len(self)}")
        return number

    def __getitem__(self, key):
        if isinstance(key, tuple):
            return self[key[0]][(slice(None),) + key[1:] if not np.isscalar(key[0]) else key[1:]]
        if isinstance(key, (str, int, np.integer)):
            return self._row(self._number(key)).copy()
        if isinstance(key, slice):
            numbers = range(*key.indices(len(self)))
        else:
            array = np.asarray(key)
            numbers = np.flatnonzero(self._mask(array)) if array.dtype == bool else [self._number(one) for one in key]
        values = np.empty((len(numbers), *self.shape[1:]), dtype=self.dtype)
        for i, number in enumerate(numbers):
            values[i] = self._row(number)
        return values

    def _mask(self, array):
        if array.shape != (len(self),):
            raise IndexError(f"a mask must have {len(self)} entries, got an array of shape {array.shape}")
        return array

    def __iter__(self):
        return (self[number] for number in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        values = self[:]
        return values if dtype is None else values.astype(dtype)

    def __repr__(self):
        return f"<alcedo.FeatureStore: {' x '.join(map(str, self.shape))} in {self.path}>"

    def __reduce__(self):
        return type(self), (self.path,)


def open_store(path):
    """Open a folder that ``alcedo encode -o folder/`` made, to read it.

    Parameters
    ----------
    path : path

    Returns
    -------
    FeatureStore
    """
    return FeatureStore(path)
