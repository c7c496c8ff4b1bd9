"""Vocabularies: a projection and words, in one file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from alcedo import _alcedo, words as _words
from alcedo.errors import FormatError
from alcedo.paths import path_bytes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from alcedo._options import WordsOptions
    from alcedo._types import Kind, Progress, Rows
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

    def __init__(self, words: Words, pca: _words.Pca | None = None, rotations: ArrayLike | None = None) -> None:
        if not isinstance(words, tuple(_KINDS.values())):
            raise TypeError("words must be Codebook, GaussianMixture, Dictionary or RandomFourier, "
                            f"not {type(words).__name__}")
        if pca is not None and not isinstance(pca, _words.Pca):
            raise TypeError(f"pca must be a Pca, not {type(pca).__name__}")
        self._native = _alcedo.Vocabulary(words._native, None if pca is None else pca._native, rotations)

    @classmethod
    def fit(cls, rows: ArrayLike, kind: Kind = "gmm", *, pca: int = 0, whiten: bool = False, seed: int = 0,
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
        seed, threads, progress, **options
            Of the fit of that kind: see GaussianMixture, Codebook, Dictionary and RandomFourier.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Vocabulary.fit(rows, "kmeans", pca=4, clusters=16)
        <alcedo.Vocabulary: kmeans of 16 words, 8 dimensions to 4>
        """
        if kind not in _KINDS:
            raise ValueError(f"kind must be {', '.join(_KINDS)}, got {kind!r}")
        projection = None
        if pca:
            projection = _words.Pca.fit(rows, dimensions=pca, whiten=whiten, threads=threads)
            rows = projection.transform(rows, threads=threads)
        elif whiten:
            raise ValueError("whiten goes with pca")
        training = {} if kind == "fourier" else {"threads": threads, "progress": progress}
        return cls(_KINDS[kind].fit(rows, seed=seed, **training, **options), projection)

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
        return cls._of(_alcedo.Vocabulary.open(path_bytes(name, "name")))

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
    def pca(self) -> _words.Pca | None:
        """The projection, or None."""
        return None if self._native.pca is None else _words.Pca._of(self._native.pca)

    @property
    def dimension(self) -> int:
        """Of the words: after the projection."""
        return self._native.dimension

    @property
    def descriptor_dimension(self) -> int:
        """Of the descriptors: before the projection."""
        return self._native.descriptor_dimension

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
        return rows if self.pca is None else self.pca.transform(rows, threads=threads, progress=progress)

    def __repr__(self) -> str:
        size = self._native.num_words
        projection = "" if self._native.pca is None else f"{self.descriptor_dimension} dimensions to "
        dimensions = f"{self.dimension}" if projection else f"{self.dimension} dimensions"
        return f"<alcedo.Vocabulary: {self.kind} of {size} words, {projection}{dimensions}>"

    def __getstate__(self) -> dict[str, Any]:
        return {"alcedo": _alcedo.__version__, "vocabulary": self._native.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        try:
            self._native = _alcedo.Vocabulary.from_bytes(state["vocabulary"])
        except FormatError as error:
            written = state.get("alcedo", "an unknown version")
            raise FormatError("", f"the pickle, of alcedo {written}, cannot be read: {error.reason}") from error
