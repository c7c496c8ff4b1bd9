"""From images to vectors and weight maps."""

from __future__ import annotations

import json
import operator
import os
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from alcedo import _alcedo
from alcedo.batches import Batches, Stack
from alcedo.checks import flag, one_of
from alcedo.convergence import Solves, warn_of
from alcedo.errors import InvalidArgument
from alcedo.paths import path_bytes
from alcedo.pickles import reading, state_of
from alcedo.progress import reporting
from alcedo.sources import source_of
from alcedo.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from alcedo._options import ImageEncoderSettings
    from alcedo._types import FloatArray, Image, Images, Lambdas, MapRule, Progress
    from alcedo.batches import Failures

_MOST_PIXELS = 10**9  # of a map: more is a mistake


def _settings_text(settings: dict[str, Any]) -> str:
    """As JSON, with NumPy's numbers as numbers."""

    def plain(value: object) -> Any:
        if isinstance(value, (np.generic, np.ndarray)):
            return value.tolist()
        raise TypeError(f"settings must be numbers, strings, lists and dictionaries, got {value!r}")

    try:
        return json.dumps(settings, default=plain, allow_nan=False)
    except (ValueError, RecursionError) as error:
        rule = f"settings must be finite numbers, strings, lists and dictionaries: {error}"
        raise InvalidArgument("", rule, "") from error


def _check_descriptor(vocabulary: Vocabulary, given: dict[str, Any]) -> None:
    """Fills in what the vocabulary was learned from, and refuses others."""
    own = vocabulary.descriptor
    if given.get("descriptor") is None:
        if own == "external":
            raise InvalidArgument(
                "vocabulary", "must say which descriptors of images it was learned from: give descriptor to "
                "Vocabulary.fit, or use Encoder and pool for descriptors of your own", "")
        given["descriptor"] = own
    elif given["descriptor"] != own:
        raise InvalidArgument("descriptor", f"must be {own!r}, which the vocabulary was learned from",
                              repr(given["descriptor"]))


def _take_lambdas(given: dict[str, Any], lambda_: Lambdas | None, relative: bool | None) -> bool:
    """Puts the keywords into the settings; whether there are several lambdas."""
    gmp = given.get("gmp", {})
    if not isinstance(gmp, dict):
        raise TypeError(f"gmp must be a dictionary of its options, got {gmp!r}")
    if relative is not None:
        if "relative" in gmp:
            raise InvalidArgument("relative", "must not be given beside relative in the setting gmp", "")
        given["gmp"] = {**gmp, "relative": flag(relative, "relative")}
        if lambda_ is None and "lambda" not in given:
            lambda_ = 1.0
    if lambda_ is None:
        return len(np.atleast_1d(given.get("lambda", 1))) > 1
    if "lambda" in given:
        raise InvalidArgument("lambda_", "must not be given beside the setting 'lambda'", "")
    given["lambda"], several = _alcedo.lambdas(lambda_)
    given["gmp"] = {"relative": True, **given.get("gmp", {})}
    return several


def _map_size(size: tuple[int, int]) -> tuple[int, int]:
    """(height, width) of a map that fits into memory."""
    try:
        rows, columns = (operator.index(number) for number in size)
    except (TypeError, ValueError):
        raise TypeError(f"size must be two whole numbers, height and width, got {size!r}") from None
    if min(rows, columns) < 1 or rows * columns > _MOST_PIXELS:
        rule = f"must be at least 1 x 1, and at most {_MOST_PIXELS:,} pixels"
        raise InvalidArgument("size", rule, f"{rows} x {columns}")
    return rows, columns


class ImageEncoder:
    """One way to turn images into vectors, prepared once: descriptors, projection, encoding, pooling, normalisation.

    Parameters
    ----------
    vocabulary : Vocabulary, path or str
        "sift" and "color" are part of the package.
    lambda_ : float or list of float, optional
        Regularisation of GMP, by default 1. A list gives a vector for each value at nearly the price of one.
    relative : bool, optional
        Take `lambda_` times the mean squared norm of the image's encodings: the default, if ``gmp`` does not say it.
        Without it `lambda_` is the paper's.
    **settings
        What ``alcedo encode --config`` takes: ``encoder``, ``pooling``, ``pyramid``, ``power``, ``block_l2``, ``l2``,
        ``dtype`` and ``seed``, and sections as dictionaries: ``image``, ``grid``, those of the descriptor (``sift``),
        of the encoder (``fv``) and of the pooling (``gmp``). Images and patches are by default as the vocabulary was
        learned.

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
                 relative: bool | None = None, **settings: Unpack[ImageEncoderSettings]) -> None:
        given: dict[str, Any] = {**settings}
        if not isinstance(vocabulary, Vocabulary):
            path_bytes(vocabulary, "vocabulary")
            vocabulary = Vocabulary.load(vocabulary)
        given["vocabulary"] = vocabulary._name
        _check_descriptor(vocabulary, given)
        self._several = _take_lambdas(given, lambda_, relative)
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
        images : path, bytes, open file, array or PIL image, or a list or iterator of such
            As in `describe`; also an array of paths, and one of images x height x width x 3. Of an iterator, about as
            many images are in memory as 256 MiB hold.
        threads : int, optional
            At most so many; by default one for each core. No result depends on it.
        progress : bool or callable, optional
            True: a bar on stderr, and without a terminal a line now and then. A function is called with the number of
            images that are done, and of all; of an iterator, of those that were taken from it.
        return_failures : bool
            Do not stop at a bad image: its vector is zeros, and a dictionary from its number to what is wrong with it
            is returned, too.

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
        batches, solves = Batches(images, bool(return_failures)), Solves()
        vectors = Stack(batches.length)

        def encode(sources: list[Any], report: Any) -> Failures:
            values, failures, counts = self._native.encode(sources, threads, report, bool(return_failures))
            vectors.add(values)
            solves.add(*counts)
            return failures

        with reporting(progress, "images") as report:
            batches.run(encode, report)
        solves.warn("of images")
        values: FloatArray = vectors.array()
        if not self._several:
            values = values[:, 0]
        values = values[0] if batches.single else values
        return (values, batches.failures) if return_failures else values

    def weights(self, image: Image, *, threads: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """The weight of every patch in GMP: (weights, patches).

        Weights are ``(N,)``, with a list of lambdas ``(L, N)``; patches are those of `describe`.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
        >>> weights, patches = alcedo.ImageEncoder("sift", grid={"scales": 1}).weights(image)
        >>> weights.shape, patches.shape
        ((150,), (150, 3))
        """
        weights, patches, _, _, reports = self._native.weights(source_of(image, "image"), threads)
        warn_of([reports], "for weights")
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
        one_of(rule, "rule", ("sum", "mean"))
        if size is not None:
            size = _map_size(size)
        weights, patches, width, height, reports = self._native.weights(source_of(image, "image"), threads)
        warn_of([reports], "for weights")
        rows, columns = (round(height), round(width)) if size is None else size
        maps = [_alcedo.render_weight_map(patches, one, width, height, columns, rows, rule) for one in weights]
        return np.array(maps) if self._several else maps[0]

    def __repr__(self) -> str:
        names = [self.config[name] for name in ("descriptor", "encoder", "pooling")]
        return f"<alcedo.ImageEncoder: {', '.join(names)}, {self.dimension} dimensions>"

    def __getstate__(self) -> dict[str, Any]:
        return state_of(vocabulary=self.vocabulary, several=self._several, config=self.config)

    def __setstate__(self, state: Any) -> None:
        with reading(state, vocabulary=Vocabulary, several=bool, config=dict):
            self.vocabulary, self._several, self.config = state["vocabulary"], state["several"], state["config"]
            self._native = _alcedo.ImageEncoder(self.vocabulary._native, json.dumps(self.config))
