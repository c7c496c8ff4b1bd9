"""Vocabularies: a projection and words, in one file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from alcedo import _alcedo, pca as _pca, words as _words
from alcedo.checks import flag, one_of, seed_number, text, whole_number
from alcedo.errors import InvalidArgument
from alcedo.paths import path_bytes
from alcedo.pickles import reading, state_of
from alcedo.progress import reporting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from alcedo._options import DescribeOptions, WordsOptions
    from alcedo._types import DescriptorName, Kind, Progress, Rows
    from alcedo.words import Words

_KINDS: dict[str, Any] = {"gmm": _words.GaussianMixture, "kmeans": _words.Codebook, "dictionary": _words.Dictionary,
                          "fourier": _words.RandomFourier}


class Vocabulary:
    """What an encoder needs to know of a collection: an optional projection (PCA), and words.

    Parameters
    ----------
    words : Codebook, GaussianMixture, Dictionary or RandomFourier
    pca : Pca, optional
        Descriptors are projected by it first; the words are those of projected descriptors.
    rotations : array of K * d x d, optional
        With a Codebook: a rotation for every word, for VLAD.
    descriptor, describe
        As in `fit`.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> vocabulary = alcedo.Vocabulary.fit(rows, "gmm", pca=4, gaussians=16)
    >>> vocabulary
    <alcedo.Vocabulary: gmm of 16 words, 8 dimensions to 4>
    >>> alcedo.Vocabulary.load("sift").words
    <alcedo.GaussianMixture: 256 Gaussians of 64 dimensions>
    """

    _name = "given"  # what settings call it: the file that it was loaded from

    def __init__(self, words: Words, pca: _pca.Pca | None = None, rotations: ArrayLike | None = None, *,
                 descriptor: DescriptorName | None = None, describe: DescribeOptions | None = None) -> None:
        if not isinstance(words, tuple(_KINDS.values())):
            raise TypeError("words must be Codebook, GaussianMixture, Dictionary or RandomFourier, "
                            f"not {type(words).__name__}")
        if pca is not None and not isinstance(pca, _pca.Pca):
            raise TypeError(f"pca must be a Pca, not {type(pca).__name__}")
        settings = _settings(descriptor, describe)
        self._native = _alcedo.Vocabulary(words._native, None if pca is None else pca._native, rotations, descriptor,
                                          settings)

    @classmethod
    def fit(cls, rows: ArrayLike, kind: Kind = "gmm", *, pca: int = 0, whiten: bool = False,
            descriptor: DescriptorName | None = None, describe: DescribeOptions | None = None, seed: int = 0,
            threads: int | None = None, progress: Progress | None = None,
            **options: Unpack[WordsOptions]) -> Vocabulary:
        """Learn a projection and words from the rows of an array.

        Parameters
        ----------
        rows : array of N x d
            A sample of the descriptors of many images.
        kind : {"gmm", "kmeans", "dictionary", "fourier"}
        pca : int
            Dimensions to keep; 0: no projection.
        whiten : bool
            Scale every component to unit variance.
        descriptor : {"sift", "color"}, optional
            What `describe` made the rows with: `ImageEncoder` then makes the same descriptors of images. Without it
            the vocabulary is for descriptors of your own, and for `Encoder`.
        describe : dict, optional
            The options that `describe` was given.
        seed, threads, progress, **options
            Of the fit of that kind: see GaussianMixture, Codebook, Dictionary and RandomFourier. With `pca`, progress
            is that of its fit first.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Vocabulary.fit(rows, "kmeans", pca=4, clusters=16)
        <alcedo.Vocabulary: kmeans of 16 words, 8 dimensions to 4>

        Of images, from their descriptors to their vectors:

        >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
        >>> settings = {"scales": 2, "step": 8}
        >>> found = alcedo.describe(image, "sift", **settings)
        >>> vocabulary = alcedo.Vocabulary.fit(found, pca=16, gaussians=2, descriptor="sift", describe=settings)
        >>> alcedo.ImageEncoder(vocabulary).encode(image).shape
        (64,)
        """
        words = _KINDS[one_of(kind, "kind", _KINDS)]
        dimensions, seed = whole_number(pca, "pca", 0, 2**31 - 1), seed_number(seed)
        if flag(whiten, "whiten") and not dimensions:
            raise InvalidArgument("whiten", "goes with pca", "")
        _alcedo.check_threads(threads)
        settings = _settings(descriptor, describe)
        if descriptor is not None:
            expected, shape = _alcedo.check_descriptor(descriptor, settings), np.shape(rows)
            if len(shape) == 2 and shape[1] != expected:
                rule = f"must have the {expected} dimensions of descriptor {descriptor!r}"
                raise InvalidArgument("rows", rule, str(shape[1]))
        projection = None
        if dimensions:
            projection = _pca.Pca.fit(rows, dimensions=dimensions, whiten=whiten, threads=threads, progress=progress)
            rows = projection.transform(rows, threads=threads)
        training: dict[str, Any] = {"threads": threads, "progress": progress}
        if words is _words.RandomFourier:
            with reporting(progress, "draws"):  # refuses what is not a progress, and has nothing to show
                training = {}
        fitted = words.fit(rows, seed=seed, **training, **options)
        return cls(fitted, projection, descriptor=descriptor, describe=describe)

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Vocabulary:
        """Read a vocabulary.

        Parameters
        ----------
        name : path or str
            A file of `save` or of ``alcedo learn``, or "sift" or "color": vocabularies that are part of the package.

        Examples
        --------
        >>> import alcedo
        >>> alcedo.Vocabulary.load("color")
        <alcedo.Vocabulary: gmm of 256 words, 96 dimensions to 64>
        """
        encoded = path_bytes(name, "name")
        vocabulary = cls._of(_alcedo.Vocabulary.open(encoded))
        vocabulary._name = encoded.decode(errors="backslashreplace")
        return vocabulary

    @classmethod
    def _of(cls, native: _alcedo.Vocabulary) -> Vocabulary:
        vocabulary = cls.__new__(cls)
        vocabulary._native = native
        return vocabulary

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file that `load`, the program and the C++ library read; whole or not at all.

        Parameters
        ----------
        path : path

        Examples
        --------
        >>> import alcedo, os, tempfile
        >>> vocabulary = alcedo.Vocabulary(alcedo.Codebook([[0.0, 0.0], [9.0, 9.0]]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "two.safetensors")
        ...     vocabulary.save(path)
        ...     alcedo.Vocabulary.load(path)
        <alcedo.Vocabulary: kmeans of 2 words, 2 dimensions>
        """
        self._native.save(path_bytes(path))

    @property
    def kind(self) -> str:
        """ "gmm", "kmeans", "dictionary" or "fourier"."""
        return self._native.kind

    @property
    def words(self) -> Words:
        words: Words = _KINDS[self.kind]._of(self._native.words)
        return words

    @property
    def pca(self) -> _pca.Pca | None:
        """The projection, or None."""
        return None if self._native.pca is None else _pca.Pca._of(self._native.pca)

    @property
    def dimension(self) -> int:
        """Of the words: after the projection."""
        return self._native.dimension

    @property
    def descriptor_dimension(self) -> int:
        """Of the descriptors: before the projection."""
        return self._native.descriptor_dimension

    @property
    def descriptor(self) -> str:
        """ "sift" or "color", or "external" for descriptors that `describe` does not make."""
        return self._native.descriptor

    def project(self, rows: Rows, *, threads: int | None = None, progress: Progress | None = None) -> Any:
        """Descriptors as the words are made for them: projected, if there is a projection.

        Parameters
        ----------
        rows, threads, progress
            As in `Pca.transform`.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Vocabulary.fit(rows, "gmm", pca=4, gaussians=16).project(rows).shape
        (500, 4)
        """
        if self.pca is not None:
            return self.pca.transform(rows, threads=threads, progress=progress)
        _alcedo.check_threads(threads)
        with reporting(progress, "bags"):  # refuses what is not a progress, and has nothing to show
            return rows

    def __repr__(self) -> str:
        size = self._native.num_words
        projection = "" if self._native.pca is None else f"{self.descriptor_dimension} dimensions to "
        dimensions = f"{self.dimension}" if projection else f"{self.dimension} dimensions"
        return f"<alcedo.Vocabulary: {self.kind} of {size} words, {projection}{dimensions}>"

    def __getstate__(self) -> dict[str, Any]:
        return state_of(vocabulary=self._native.to_bytes())

    def __setstate__(self, state: Any) -> None:
        with reading(state, vocabulary=bytes):
            self._native = _alcedo.Vocabulary.from_bytes(state["vocabulary"])


def _settings(descriptor: str | None, describe: Any) -> dict[str, Any]:
    """The options of `describe`, as a dictionary of their own."""
    if descriptor is not None:
        text(descriptor, "descriptor")
    elif describe is not None:
        raise InvalidArgument("describe", "goes with descriptor", "")
    if describe is not None and not isinstance(describe, dict):
        raise TypeError(f"describe must be a dictionary of options, got {describe!r}")
    return {**(describe or {})}
