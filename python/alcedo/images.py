"""From images to descriptors, vectors and weight maps."""

from __future__ import annotations

import json
import operator
import os
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from alcedo import _alcedo
from alcedo.errors import FormatError, InvalidArgument
from alcedo.paths import path_bytes
from alcedo.pooling import _lambdas, _warn
from alcedo.progress import reporting
from alcedo.vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing import Iterable

    from numpy.typing import DTypeLike, NDArray
    from typing_extensions import Unpack

    from alcedo._alcedo import _Source as Source  # (path, None), or (name, content)
    from alcedo._options import DescribeOptions, ImageEncoderSettings
    from alcedo._types import DescriptorName, FloatArray, Image, Images, Lambdas, MapRule, Progress

    Failures = dict[int, str]  # by the number of the image

_MOST_PIXELS = 10**9  # of an array or a map: more is a mistake, such as a broadcast array


def _netpbm(array: NDArray[Any], name: str) -> bytes:
    """The bytes of a file with the pixels of an array: what the readers of files check and scale holds for arrays, too."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind != "f" and (kind, size) not in (("u", 1), ("u", 2)):
        raise TypeError(f"{name} must be an array of uint8, uint16 or floating point numbers, not of {array.dtype}")
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise InvalidArgument("", f"{name} must be height x width, or height x width x 3, got an array of shape {array.shape}", "")
    if 0 in array.shape:
        raise InvalidArgument("", f"{name} has no pixels: its shape is {array.shape}", "")
    if array.size > _MOST_PIXELS:
        raise InvalidArgument("", f"{name} must have at most {_MOST_PIXELS:,} values, got an array of shape {array.shape}", "")
    if kind == "f":
        if not 0 <= array.min() <= array.max() <= 1:  # NaN is neither
            raise InvalidArgument("", f"{name}: floating point values must be from 0 to 1", "", "use uint8 for 0 to 255")
        array, size = np.rint(array.astype(np.float64) * 65535).astype(np.uint16), 2
    height, width = array.shape[:2]
    magic = b"P6" if array.ndim == 3 and array.shape[2] == 3 else b"P5"
    header = b"%s\n%d %d\n%d\n" % (magic, width, height, 255 if size == 1 else 65535)
    return header + np.ascontiguousarray(array, dtype="u1" if size == 1 else ">u2").tobytes()


def _from_pil(image: Any, name: str) -> NDArray[Any]:
    """As the readers of files see it: upright, and with transparency over white."""
    from PIL import Image, ImageOps

    try:
        image = ImageOps.exif_transpose(image)
    except (OSError, SyntaxError, ValueError) as error:  # what Pillow says of a file that it cannot decode
        raise FormatError(name, f"cannot be read by Pillow: {error}") from error
    if image.mode.startswith("I"):  # 16 bits, in some versions of Pillow in an array of 32
        array = np.asarray(image)
        if array.min() < 0 or array.max() > 65535:
            raise InvalidArgument("", f"{name}: values of mode {image.mode} must be from 0 to 65535", "")
        return array.astype(np.uint16)
    if image.mode in ("L", "RGB", "F"):
        return np.asarray(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return np.asarray(image.convert("L" if image.mode == "1" else "RGB"))


def _source(image: Image, name: str) -> Source:
    """(name as bytes, content), or (path as bytes, None)."""
    if isinstance(image, (str, os.PathLike)):
        return path_bytes(image, name), None
    if isinstance(image, (bytes, bytearray, memoryview)):
        return name.encode(), bytes(image)
    if hasattr(image, "convert") and hasattr(image, "mode"):
        image = _from_pil(image, name)
    try:
        array: NDArray[Any] | None = np.asarray(image)
    except ValueError:  # rows of different lengths
        array = None
    if array is None or (array.dtype.kind not in "biufc" and not isinstance(image, np.ndarray)):
        raise TypeError(f"{name} must be a path, bytes, an array or a PIL image, not {type(image).__name__}")
    return name.encode(), _netpbm(array, name)


def _sources(images: Images, collect: bool) -> tuple[bool, list[Source], Failures]:
    """(whether it is one image, a source for each, what is wrong with some by number); without `collect` that is raised."""
    if isinstance(images, np.ndarray) and images.ndim == 1 and images.dtype.kind in "UO":
        images = images.tolist()  # of paths
    single = not (isinstance(images, (list, tuple)) or hasattr(images, "__next__"))
    each: Iterable[Any] = [images] if single else images  # type: ignore[assignment]  # a list, a tuple or an iterator
    sources: list[Source] = []
    failures: Failures = {}
    for i, image in enumerate(each):
        name = "image" if single else f"images[{i}]"
        try:
            sources.append(_source(image, name))
        except (InvalidArgument, FormatError) as error:
            if not collect:
                raise
            failures[i] = getattr(error, "reason", str(error))
            sources.append((name.encode(), b""))  # no image, which fails again
    return single, sources, failures


def _array(values: NDArray[Any], dtype: DTypeLike | None, copy: bool | None) -> NDArray[Any]:
    """What __array__ gives, in NumPy 1 and 2."""
    if dtype is not None and np.dtype(dtype) != values.dtype:
        if copy is False:
            raise ValueError(f"an array of {np.dtype(dtype)} needs a copy of these {values.dtype}")
        return values.astype(dtype)
    return values.copy() if copy else values


class Descriptors:
    """Descriptors of one image, from `describe`: an array of its rows in most places.

    Attributes
    ----------
    values : array of N x d
    patches : array of N x 3
        x and y of the centre of every patch and its side, in pixels of the image; the left upper corner is (0, 0).
    width, height : float
        Of the image.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
    >>> found = alcedo.describe(image, scales=1)
    >>> found.patches[0]
    array([12., 12., 24.], dtype=float32)
    >>> alcedo.spatial_pyramid(found, found.positions, "1,2x2", "mean").shape
    (640,)
    """

    def __init__(self, values: NDArray[np.float32], patches: NDArray[np.float32], width: float, height: float) -> None:
        self.values, self.patches, self.width, self.height = values, patches, width, height

    @property
    def positions(self) -> NDArray[np.float64]:
        """x and y relative to the image, in [0, 1]: what `spatial_pyramid` takes."""
        return self.patches[:, :2].astype(np.float64) / [self.width, self.height]

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return _array(self.values, dtype, copy)

    def __repr__(self) -> str:
        return f"<alcedo.Descriptors: {len(self)} of {self.values.shape[1]} dimensions, image {self.width:g} x {self.height:g}>"


def describe(image: Image, descriptor: DescriptorName = "sift", *, threads: int | None = None,
             **options: Unpack[DescribeOptions]) -> Descriptors:
    """Descriptors of the patches of a dense grid at several scales.

    Parameters
    ----------
    image : path, bytes of a file, array or PIL image
        JPEG, PNG, WebP, GIF or PNM; an array is height x width, or height x width x 3 in the order red, green, blue:
        uint8, uint16, or floating point from 0 to 1.
    descriptor : {"sift", "color"}
    threads : int, optional
        At most so many; by default one for each core. The result does not depend on it.
    **options
        Of the descriptor, the grid and the reading of images: listed at the end of ``help(alcedo.describe)``.

    Returns
    -------
    Descriptors

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
    >>> alcedo.describe(image, scales=1)
    <alcedo.Descriptors: 150 of 128 dimensions, image 80 x 60>
    """
    return Descriptors(*_alcedo.describe(_source(image, "image"), descriptor, threads, {**options}))


def _settings_text(settings: dict[str, Any]) -> str:
    """As JSON, with NumPy's numbers as numbers."""

    def plain(value: object) -> Any:
        if isinstance(value, (np.generic, np.ndarray)):
            return value.tolist()
        raise TypeError(f"settings must be numbers, strings, lists and dictionaries, got {value!r}")

    try:
        return json.dumps(settings, default=plain, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument("", f"settings must be finite numbers, strings, lists and dictionaries: {error}", "") from error


def _map_size(size: tuple[int, int]) -> tuple[int, int]:
    """(height, width) of a map that fits into memory."""
    try:
        rows, columns = (operator.index(number) for number in size)
    except (TypeError, ValueError):
        raise TypeError(f"size must be two whole numbers, height and width, got {size!r}") from None
    if min(rows, columns) < 1 or rows * columns > _MOST_PIXELS:
        raise InvalidArgument("size", f"must be at least 1 x 1, and at most {_MOST_PIXELS:,} pixels", f"{rows} x {columns}")
    return rows, columns


class ImageEncoder:
    """One way to turn images into vectors, prepared once: descriptors, projection, encoding, pooling, normalisation.

    Parameters
    ----------
    vocabulary : Vocabulary, path or str
        "sift" and "color" are part of the package.
    lambda_ : float or list of float, optional
        Regularisation of GMP, by default 1. A list gives a vector for each value at nearly the price of one.
    relative : bool
        Take `lambda_` times the mean squared norm of the image's encodings. Without it `lambda_` is the paper's.
    **settings
        What ``alcedo encode --config`` takes: ``encoder``, ``pooling``, ``pyramid``, ``power``, ``block_l2``, ``l2``,
        ``dtype`` and ``seed``, and sections as dictionaries: ``image``, ``grid``, those of the descriptor (``sift``), of
        the encoder (``fv``) and of the pooling (``gmp``). Images and patches are by default as the vocabulary was learned.

    Attributes
    ----------
    config : dict
        All settings.
    dimension : int
        Of a vector.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> encoder = alcedo.ImageEncoder("sift", lambda_=[1, 10], power=0.5, l2=True, grid={"scales": 3})
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80, 3), dtype=np.uint8)
    >>> encoder.encode(image).shape
    (2, 32768)
    >>> encoder.encode([image, image]).shape
    (2, 2, 32768)
    """

    def __init__(self, vocabulary: Vocabulary | str | os.PathLike[str] = "sift", *, lambda_: Lambdas | None = None,
                 relative: bool = True, **settings: Unpack[ImageEncoderSettings]) -> None:
        given: dict[str, Any] = {**settings}
        if not isinstance(vocabulary, Vocabulary):
            name = path_bytes(vocabulary, "vocabulary")
            vocabulary = Vocabulary.load(vocabulary)
            given["vocabulary"] = name.decode(errors="backslashreplace")
        given.setdefault("descriptor", vocabulary._native.descriptor)
        if lambda_ is None and not relative:
            lambda_ = 1.0
        if lambda_ is not None:
            if "lambda" in given:
                raise InvalidArgument("lambda_", "must not be given beside the setting 'lambda'", "")
            given["lambda"], self._several = _lambdas(lambda_)
            gmp = given.get("gmp", {})
            if not isinstance(gmp, dict):
                raise TypeError(f"gmp must be a dictionary of its options, got {gmp!r}")
            given["gmp"] = {**gmp, "relative": bool(relative)}
        else:  # those of a configuration
            self._several = len(np.atleast_1d(given.get("lambda", 1))) > 1
        self.vocabulary = vocabulary
        self._native = _alcedo.ImageEncoder(vocabulary._native, _settings_text(given))
        self.config: dict[str, Any] = json.loads(self._native.config)

    @property
    def dimension(self) -> int:
        return self._native.dimension

    @overload
    def encode(self, images: Images, *, threads: int | None = ..., progress: Progress | None = ...,
               return_failures: Literal[False] = ...) -> FloatArray: ...
    @overload
    def encode(self, images: Images, *, threads: int | None = ..., progress: Progress | None = ...,
               return_failures: Literal[True]) -> tuple[FloatArray, Failures]: ...
    def encode(self, images: Images, *, threads: int | None = None, progress: Progress | None = None,
               return_failures: bool = False) -> FloatArray | tuple[FloatArray, Failures]:
        """Vectors of images.

        Parameters
        ----------
        images : path, bytes, array or PIL image, or a list of such
            As in `describe`.
        threads : int, optional
            At most so many; by default one for each core. No result depends on it.
        progress : bool or callable, optional
            True: a bar on stderr, and without a terminal a line now and then. A function is called with the number of
            images that are done, and of all.
        return_failures : bool
            Do not stop at a bad image: its vector is zeros, and a dictionary from its number to what is wrong with it is
            returned, too.

        Returns
        -------
        array
            ``(D,)`` of one image, ``(n, D)`` of a list; with a list of lambdas ``(L, D)`` and ``(n, L, D)``. An image
            without patches gives zeros.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80, 3), dtype=np.uint8)
        >>> encoder = alcedo.ImageEncoder("color", power=0.5, l2=True)
        >>> vectors, failures = encoder.encode([image, b""], return_failures=True)
        >>> vectors.shape, failures
        ((2, 32768), {1: 'is empty'})
        """
        single, sources, refused = _sources(images, return_failures)
        with reporting(progress, "images") as report:
            values, failures = self._native.encode(sources, threads, report, bool(return_failures))
        failures.update(refused)
        if not self._several:
            values = values[:, 0]
        values = values[0] if single else values
        return (values, failures) if return_failures else values

    def weights(self, image: Image, *, threads: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """The weight of every patch in GMP: (weights, patches); weights are ``(N,)``, with a list of lambdas ``(L, N)``.

        Patches are those of `describe`.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
        >>> weights, patches = alcedo.ImageEncoder("sift", grid={"scales": 1}).weights(image)
        >>> weights.shape, patches.shape
        ((150,), (150, 3))
        """
        weights, patches, _, _, reports = self._native.weights(_source(image, "image"), threads)
        _warn([reports], "for weights")
        return (weights if self._several else weights[0]), patches

    def weight_map(self, image: Image, *, rule: MapRule = "sum", size: tuple[int, int] | None = None,
                   threads: int | None = None) -> NDArray[np.float32]:
        """Where the weight is: the map of Eq. 11.

        Parameters
        ----------
        image : path, bytes, array or PIL image
        rule : {"sum", "mean"}
            What the weights of the patches over a pixel become. Near the border fewer patches lie over a pixel, which
            the mean makes up for.
        size : (int, int), optional
            Height and width of the map; by default those of the image.

        Returns
        -------
        array of height x width, with a list of lambdas L x height x width

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
        >>> alcedo.ImageEncoder("sift", grid={"scales": 1}).weight_map(image).shape
        (60, 80)
        """
        if size is not None:
            size = _map_size(size)
        weights, patches, width, height, reports = self._native.weights(_source(image, "image"), threads)
        _warn([reports], "for weights")
        rows, columns = (round(height), round(width)) if size is None else size
        maps = [_alcedo.render_weight_map(patches, one, width, height, columns, rows, rule) for one in weights]
        return np.array(maps) if self._several else maps[0]

    def __repr__(self) -> str:
        names = [self.config[name] for name in ("descriptor", "encoder", "pooling")]
        return f"<alcedo.ImageEncoder: {', '.join(names)}, {self.dimension} dimensions>"

    def __getstate__(self) -> dict[str, Any]:
        return {"alcedo": _alcedo.__version__, "vocabulary": self.vocabulary, "several": self._several, "config": self.config}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.vocabulary, self._several, self.config = state["vocabulary"], state["several"], state["config"]
        try:
            self._native = _alcedo.ImageEncoder(self.vocabulary._native, json.dumps(self.config))
        except InvalidArgument as error:  # a setting that this version does not have
            written = state.get("alcedo", "an unknown version")
            raise FormatError("", f"the pickle, of alcedo {written}, cannot be read: {error}") from error


def _document() -> None:
    """The options of every descriptor, from the library's own lists, at the end of the documentation."""
    lines = ["", "    Options", "    -------"]
    seen: set[str] = set()
    for descriptor in ("sift", "color"):
        for keyword, default, kind, text in _alcedo.describe_fields(descriptor):
            if keyword not in seen:
                lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
            seen.add(keyword)
    describe.__doc__ = (describe.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
