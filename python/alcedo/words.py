"""What encoders need besides a projection: codebooks, mixtures, dictionaries and random features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from alcedo import _alcedo
from alcedo.checks import real_number, seed_number, whole_number
from alcedo.fitted import Fitted, document
from alcedo.progress import reporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from alcedo._options import CodebookOptions, DictionaryOptions, GaussianMixtureOptions, RandomFourierOptions
    from alcedo._types import Progress

    Words = Union["Codebook", "GaussianMixture", "Dictionary", "RandomFourier"]


class Codebook(Fitted):
    """Centres of k-means: the words of BOV, LLC, VLAD and Super Vectors.

    Parameters
    ----------
    centers : array of K x d
    weights : array of K, optional
        The share of the training rows of each centre; all the same by default. Super Vectors need them.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> alcedo.Codebook.fit(rows, clusters=16)
    <alcedo.Codebook: 16 words of 8 dimensions>
    """

    _parts = ("centers", "weights")
    _compiled = _alcedo.Codebook
    _native: _alcedo.Codebook

    def __init__(self, centers: ArrayLike, weights: ArrayLike | None = None) -> None:
        self._native = _alcedo.Codebook(centers, weights)

    @classmethod
    def fit(cls, rows: ArrayLike, *, seed: int = 0, threads: int | None = None, progress: Progress | None = None,
            **options: Unpack[CodebookOptions]) -> Codebook:
        """K-means of the rows of an array: the same for the same seed, on any number of threads.

        Parameters
        ----------
        rows : array of N x d
        seed : int
        threads : int, optional
            At most so many; by default one for each core.
        progress : bool or callable, optional
            As in `pool`; a function is called with the iteration and the most there may be.
        **options
            Listed at the end of ``help(alcedo.Codebook)``.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Codebook.fit(rows, clusters=4, max_iterations=20)
        <alcedo.Codebook: 4 words of 8 dimensions>
        """
        with reporting(progress, "iterations") as report:
            return cls._of(*_alcedo.fit_codebook(rows, seed_number(seed), threads, report, {**options}))

    @property
    def centers(self) -> NDArray[np.float32]:
        return self._native.centers

    @property
    def weights(self) -> NDArray[np.float64]:
        return self._native.weights

    def __repr__(self) -> str:
        return "<alcedo.Codebook: {} words of {} dimensions>".format(*self.centers.shape)


class GaussianMixture(Fitted):
    """A mixture of Gaussians with diagonal covariances: the words of Fisher Vectors.

    Parameters
    ----------
    weights : array of G
        Positive, of sum 1.
    means, variances : array of G x d

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> mixture = alcedo.GaussianMixture.fit(rows, gaussians=4)
    >>> mixture.variances.shape, round(float(mixture.weights.sum()), 6)
    ((4, 8), 1.0)
    """

    _parts = ("weights", "means", "variances")
    _compiled = _alcedo.GaussianMixture
    _native: _alcedo.GaussianMixture

    def __init__(self, weights: ArrayLike, means: ArrayLike, variances: ArrayLike) -> None:
        self._native = _alcedo.GaussianMixture(weights, means, variances)

    @classmethod
    def fit(cls, rows: ArrayLike, *, seed: int = 0, threads: int | None = None, progress: Progress | None = None,
            **options: Unpack[GaussianMixtureOptions]) -> GaussianMixture:
        """EM from k-means: the same for the same seed, on any number of threads.

        Parameters
        ----------
        rows : array of N x d
        seed : int
        threads : int, optional
            At most so many; by default one for each core.
        progress : bool or callable, optional
            As in `pool`; a function is called with the iteration and the most there may be.
        **options
            Listed at the end of ``help(alcedo.GaussianMixture)``.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.GaussianMixture.fit(rows, gaussians=4, max_iterations=20)
        <alcedo.GaussianMixture: 4 Gaussians of 8 dimensions>
        """
        with reporting(progress, "iterations") as report:
            return cls._of(*_alcedo.fit_mixture(rows, seed_number(seed), threads, report, {**options}))

    @property
    def weights(self) -> NDArray[np.float64]:
        return self._native.weights

    @property
    def means(self) -> NDArray[np.float32]:
        return self._native.means

    @property
    def variances(self) -> NDArray[np.float32]:
        return self._native.variances

    def __repr__(self) -> str:
        return "<alcedo.GaussianMixture: {} Gaussians of {} dimensions>".format(*self.means.shape)


class Dictionary(Fitted):
    """Atoms of unit norm: the words of sparse coding.

    Parameters
    ----------
    atoms : array of K x d

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> alcedo.Dictionary.fit(rows, atoms=16)
    <alcedo.Dictionary: 16 atoms of 8 dimensions>
    """

    _parts = ("atoms",)
    _compiled = _alcedo.Dictionary
    _native: _alcedo.Dictionary

    def __init__(self, atoms: ArrayLike) -> None:
        self._native = _alcedo.Dictionary(atoms)

    @classmethod
    def fit(cls, rows: ArrayLike, *, seed: int = 0, threads: int | None = None, progress: Progress | None = None,
            **options: Unpack[DictionaryOptions]) -> Dictionary:
        """Learn atoms from the rows of an array: the same for the same seed, on any number of threads.

        Parameters
        ----------
        rows : array of N x d
        seed : int
        threads : int, optional
            At most so many; by default one for each core.
        progress : bool or callable, optional
            As in `pool`; a function is called with the iteration and the most there may be.
        **options
            Listed at the end of ``help(alcedo.Dictionary)``.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Dictionary.fit(rows, atoms=4, max_iterations=20)
        <alcedo.Dictionary: 4 atoms of 8 dimensions>
        """
        with reporting(progress, "iterations") as report:
            return cls._of(*_alcedo.fit_dictionary(rows, seed_number(seed), threads, report, {**options}))

    @property
    def atoms(self) -> NDArray[np.float32]:
        return self._native.atoms

    def __repr__(self) -> str:
        return "<alcedo.Dictionary: {} atoms of {} dimensions>".format(*self.atoms.shape)


class RandomFourier(Fitted):
    """Random features of the Gaussian kernel, for the efficient match kernel (EMK).

    Parameters
    ----------
    frequencies : array of D x d
    phases : array of D
    sigma : float
        Of the kernel ``exp(-|x - y|**2 / (2 sigma**2))`` that the frequencies were drawn for.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> features = alcedo.RandomFourier.fit(rows, outputs=256)   # sigma: the median distance
    >>> round(features.sigma)
    4
    """

    _parts = ("frequencies", "phases", "sigma")
    _compiled = _alcedo.RandomFourier
    _native: _alcedo.RandomFourier

    def __init__(self, frequencies: ArrayLike, phases: ArrayLike, sigma: float) -> None:
        self._native = _alcedo.RandomFourier(frequencies, phases, real_number(sigma, "sigma"))

    @classmethod
    def fit(cls, rows: ArrayLike, *, seed: int = 0, **options: Unpack[RandomFourierOptions]) -> RandomFourier:
        """Draw frequencies for the rows of an array.

        Parameters
        ----------
        rows : array of N x d
        seed : int
        **options
            Listed at the end of ``help(alcedo.RandomFourier)``; a sigma of 0 is the median distance between rows.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.RandomFourier.fit(rows, sigma=2.0, outputs=64)
        <alcedo.RandomFourier: 64 features of 8 dimensions>
        """
        return cls._of(_alcedo.draw_fourier(rows, 0, seed_number(seed), {**options}))

    @classmethod
    def draw(cls, dimension: int, sigma: float, *, seed: int = 0, **options: Any) -> RandomFourier:
        """Draw frequencies for rows of a dimension.

        Parameters
        ----------
        dimension : int
        sigma : float
            Of the Gaussian kernel.
        seed, **options
            As in `fit`.

        Examples
        --------
        >>> import alcedo
        >>> alcedo.RandomFourier.draw(8, 2.0, outputs=64)
        <alcedo.RandomFourier: 64 features of 8 dimensions>
        """
        dimension = whole_number(dimension, "dimension", 1)
        return cls._of(_alcedo.draw_fourier(None, dimension, seed_number(seed), {**options, "sigma": sigma}))

    @property
    def frequencies(self) -> NDArray[np.float32]:
        return self._native.frequencies

    @property
    def phases(self) -> NDArray[np.float64]:
        return self._native.phases

    @property
    def sigma(self) -> float:
        return self._native.sigma

    def __repr__(self) -> str:
        return "<alcedo.RandomFourier: {} features of {} dimensions>".format(*self.frequencies.shape)


for _model in (Codebook, GaussianMixture, Dictionary, RandomFourier):
    document(_model)
