"""Random arguments for the fuzzer of the bindings: arrays of any type and memory, numbers, options, and nonsense."""

import array
import pathlib

import numpy as np

FLOATS = ("f4", "f8", "f2", ">f4", ">f8", "longdouble")
INTEGERS = ("i1", "u1", "i2", "u2", "i4", "i8", "u8", ">i4", "?")
OTHERS = ("c8", "O", "U3", "S3", "M8[s]", "m8[s]", "V4", [("x", "f4"), ("y", "f4")])
HUGE = (2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1, 2**64, 10**30)
TEXTS = ("", "a", "gmp", "\ud800", "\udcff", "a\0b", "é", "1,3x1", "x" * 5000, "None", "../", "\n")


class Lookalike:
    """An array for NumPy, and nothing else."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


class Broken:
    """Raises, whatever is asked of it."""

    def __array__(self, dtype=None, copy=None):
        raise ValueError("no array")

    def __index__(self):
        raise ValueError("no index")

    def __float__(self):
        raise ValueError("no number")

    def __repr__(self):
        return "\udcffbroken"


class Values:
    """Draws from a generator; everything is repeated from its seed."""

    def __init__(self, rng):
        self.rng = rng

    def chance(self, p):
        return self.rng.random() < p

    def one_of(self, choices):
        return choices[int(self.rng.integers(len(choices)))]

    def size(self, most=40):
        return int(self.one_of([0, 1, 2, 3, self.rng.integers(1, most), self.rng.integers(1, most), self.rng.integers(1, most)]))

    def numbers(self, shape, dtype):
        rng = self.rng
        kind = np.dtype(dtype).kind
        if kind in "iu":
            low, high = (-5, 6) if kind == "i" else (0, 11)
            if self.chance(0.1):
                info = np.iinfo(dtype)
                low, high = info.min, info.max
            return rng.integers(low, high, size=shape, dtype=np.dtype(dtype).newbyteorder("=")).astype(dtype)
        if kind == "b":
            return rng.random(shape) < 0.5
        values = rng.normal(size=shape)
        scale = self.one_of([1, 1, 1, 1, 1e-3, 1e3, 1e-20, 1e20, 1e-300, 1e300, 1e154, 1e-160, 3e38, 1e-45, 0])
        with np.errstate(all="ignore"):
            values = values * scale
            if kind == "f":
                values = values.astype(dtype)
            if self.chance(0.15):  # some numbers of another size
                place = rng.random(shape) < 0.1
                values = np.where(place, np.asarray(self.one_of([0, 1e300, -1e30, 1e-310, 3.4e38, 1]), values.dtype), values)
            if self.chance(0.06):
                place = rng.random(shape) < self.one_of([0.01, 1])
                values = np.where(place, np.asarray(self.one_of([np.nan, np.inf, -np.inf]), values.dtype), values)
            if self.chance(0.1) and values.ndim and len(values):
                values = values[rng.integers(len(values), size=len(values))]  # repeated rows
        return values

    def dtype(self):
        return self.one_of([self.one_of(FLOATS[:2]), self.one_of(FLOATS[:2]), self.one_of(FLOATS), self.one_of(FLOATS),
                            self.one_of(INTEGERS), self.one_of(OTHERS) if self.chance(0.3) else "f8"])

    def laid_out(self, values):
        """The same numbers in other memory."""
        way = int(self.rng.integers(12))
        if values.ndim == 0:
            return values
        if way == 0:
            return np.asfortranarray(values)
        if way == 1:
            wide = np.zeros(tuple(2 * n for n in values.shape), values.dtype)
            view = wide[tuple(slice(None, None, 2) for _ in values.shape)]
            view[...] = values
            return view
        if way == 2:
            return np.ascontiguousarray(values[::-1])[::-1]
        if way == 3:
            return np.ascontiguousarray(values[..., ::-1])[..., ::-1]
        if way == 4:
            values = values.copy()
            values.flags.writeable = False
            return values
        if way == 5:
            buffer = np.zeros(values.nbytes + 1, np.uint8)  # not aligned
            odd = buffer[1:].view(np.uint8)[:values.nbytes]
            odd[:] = np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8)
            return odd.view(values.dtype).reshape(values.shape) if values.size else values
        if way == 6:
            return values.tolist() if values.size < 500 else values
        if way == 7:
            return Lookalike(values)
        if way == 8:
            return self.one_of([np.ma.masked_array, np.asmatrix if values.ndim == 2 else np.asarray])(values)
        return values

    def array(self, *shape):
        """Of that shape most of the time; a length of None is drawn."""
        if self.chance(0.03):
            return self.nonsense()
        if self.chance(0.015):  # terabytes, by strides of 0
            return np.broadcast_to(np.ones((), self.one_of(FLOATS[:4])), (10**6,) * max(2, len(shape)))
        if self.chance(0.03):
            shape = tuple(self.size(6) for _ in range(int(self.rng.integers(0, 5))))
        shape = tuple(self.size() if n is None else max(0, n) for n in shape)
        if self.chance(0.05):
            return np.broadcast_to(self.numbers(shape[1:], "f8"), shape)
        dtype = self.dtype()
        if dtype in OTHERS:
            with np.errstate(all="ignore"):
                try:
                    return self.numbers(shape, "f8").astype(dtype)
                except (TypeError, ValueError):
                    return np.zeros(shape, dtype)
        return self.laid_out(self.numbers(shape, dtype))

    def bags(self, d):
        """Rows of dimension d, as one calls them: one bag, or several."""
        way = int(self.rng.integers(6))
        if way == 0:
            return [self.array(None, d) for _ in range(self.size(6))]
        if way == 1:
            return self.array(self.size(6), self.size(12), d)
        if way == 2:
            return tuple(self.array(None, d if self.chance(0.9) else None) for _ in range(self.size(4)))
        return self.array(None, d)

    def integers(self, n, most):
        """n whole numbers from 0 to most - 1, or not quite."""
        if self.chance(0.05):
            return self.array(n)
        high = max(1, most + (1 if self.chance(0.05) else 0))
        low = -1 if self.chance(0.03) else 0
        values = self.rng.integers(low, high, size=n + (1 if self.chance(0.03) else 0))
        return self.laid_out(values.astype(self.one_of(["i8", "i4", "u2", "u8", "f8" if self.chance(0.1) else "i8"])))

    def offsets(self, n):
        values = np.sort(self.rng.integers(0, n + 1, size=self.size(6)))
        values = np.concatenate([[0], values, [n]])
        if self.chance(0.05):
            self.rng.shuffle(values)
        return self.one_of([values, values.tolist(), values.astype("u4")])

    def number(self):
        return self.one_of([0, 1, 2, 3, 0.5, 1.5, 10, 100, 1e-3, -1, 1e-300, 1e300, float("nan"), float("inf"), np.float32(0.1),
                            np.int64(2), True, self.nonsense()] + [float(self.rng.random())] * 40)

    def lambda_(self):
        if self.chance(0.2):
            return [self.number() for _ in range(self.size(4))]
        return self.number() if self.chance(0.3) else float(10 ** self.rng.uniform(-8, 8))

    def whole(self):
        return self.one_of([0, 1, 2, 3, 4, 5, 8, 16, int(self.rng.integers(1, 30)), int(self.rng.integers(1, 30)), -1,
                            np.int32(3), 2.0, self.one_of(HUGE), self.nonsense()] + [int(self.rng.integers(1, 12))] * 40)

    def nonsense(self):
        return self.one_of([None, "", "text", b"bytes", object(), Broken(), [], {}, set(), (), [[]], [[], [1]], [None], 1j, NotImplemented,
                            float("nan"), -1, 2**70, np.float64(3), np.array(3.0), np.array("x"), np.array(None), lambda *a: a, int,
                            np.zeros((0, 0)), np.zeros((3, 0)), np.zeros((0, 3)), array.array("d", [1, 2]), memoryview(b"abcd"),
                            pathlib.Path("nowhere"), range(4), slice(3), Ellipsis, True, np.datetime64("NaT"), bytearray(b"x"),
                            self.one_of(TEXTS), np.ma.masked, iter([1.0, 2.0]), [np.zeros((2, 2)), np.zeros((2, 3, 4))]])

    def text(self, *good):
        if self.chance(0.95):
            return self.one_of(good)
        return self.one_of([self.one_of(TEXTS), self.nonsense(), str(self.one_of(good))[:-1]])

    def threads(self):
        return self.one_of([None, 1, 2, 3, 1, 2, 1, 2]) if self.chance(0.95) else self.one_of([0, -1, 10**20, "2", 1.5, True])

    def progress(self):
        return self.one_of([None, False, lambda done, total: None]) if self.chance(0.97) else self.nonsense()

    def option(self, default, kind):
        """A value for an option of that type, mostly."""
        if self.chance(0.03):
            return self.nonsense()
        if kind == "bool":
            return bool(self.chance(0.5))
        if kind == "float":
            return self.number() if self.chance(0.5) else default
        if kind == "int":
            return self.whole()
        if kind == "str":
            return self.one_of(TEXTS)
        return self.one_of(kind.split(" | "))

    def options(self, fields, without=()):
        """Some keywords of the library's own list (keyword, default, type, help)."""
        chosen = {}
        for keyword, default, kind, _ in fields:
            if keyword in without or not self.chance(0.25):
                continue
            value = self.option(default, kind)
            if "iterations" in keyword and isinstance(value, int) and value > 100:
                value = 100  # what takes long is no crash
            chosen[keyword] = value
        if self.chance(0.02):
            chosen[self.one_of(["nonsense", "lambda", "\ud800", "threadz"])] = 1
        return chosen
