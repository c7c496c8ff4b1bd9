"""What is learned from descriptors: a projection, and the words that encoders need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, Union

from alcedo import _alcedo
from alcedo.progress import reporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from alcedo._options import CodebookOptions, DictionaryOptions, GaussianMixtureOptions, PcaOptions, \
        RandomFourierOptions
    from alcedo._types import Progress, Rows

    Words = Union["Codebook", "GaussianMixture", "Dictionary", "RandomFourier"]

_Self = TypeVar("_Self", bound="_Model")


class _Model:
    """Arrays that were fitted, or given; `_parts` are the names of the constructor's arguments."""

    _parts: tuple[str, ...] = ()
    _native: Any
    #: What the fit did: iterations, objective and converged; None for arrays that were given.
    report: _alcedo.TrainingReport | None = None

    @classmethod
    def _of(cls: type[_Self], native: Any, report: _alcedo.TrainingReport | None = None) -> _Self:
        model = cls.__new__(cls)
        model._native, model.report = native, report
        return model

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self._native, part) for part in self._parts)


class Pca(_Model):
    """Principal components: ``(x - mean) @ components.T``, divided by the standard deviations if whitened.

    Parameters
    ----------
    mean : array of d
    components : array of k x d
        Orthonormal rows.
    variances : array of k
        Of the training data along the components.
    total_variance : float
        Of the training data in all directions.
    whiten : bool

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> pca = alcedo.Pca.fit(rows, dimensions=2)
    >>> pca.transform(rows).shape
    (500, 2)
    >>> np.abs(pca.components[0]).argmax()
    0
    """

    _parts = ("mean", "components", "variances", "total_variance", "whiten")
    _native: _alcedo.Pca

    def __init__(self, mean: ArrayLike, components: ArrayLike, variances: ArrayLike, total_variance: float = 0.0,
                 whiten: bool = False) -> None:
        self._native = _alcedo.Pca(mean, components, variances, total_variance, whiten)

    @classmethod
    def fit(cls, rows: ArrayLike, *, threads: int | None = None, **options: Unpack[PcaOptions]) -> Pca:
        """Fit to the rows of an array.

        Parameters
        ----------
        rows : array of N x d
        threads : int, optional
            At most so many; by default one for each core.
        **options
            Listed at the end of ``help(alcedo.Pca)``.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Pca.fit(rows, dimensions=3, whiten=True)
        <alcedo.Pca: 8 to 3, whitened>
        """
        return cls._of(_alcedo.fit_pca(rows, threads, {**options}))

    def transform(self, rows: Rows, *, threads: int | None = None, progress: Progress | None = None) -> Any:
        """Project the rows of one bag, or of a list of bags.

        Parameters
        ----------
        rows : array of N x d, or list of such
        threads, progress
            As in `pool`.

        Returns
        -------
        array of N x k, or list of such
            float32.

        Examples
        --------
        >>> import alcedo
        >>> pca = alcedo.Pca(mean=[1.0, 2.0], components=[[0.0, 1.0]], variances=[4.0])
        >>> pca.transform([[5.0, 5.0], [1.0, 2.0]])
        array([[3.],
               [0.]], dtype=float32)
        """
        with reporting(progress, "bags") as report:
            return self._native.project(rows, threads, report)

    @property
    def mean(self) -> NDArray[np.float64]:
        return self._native.mean

    @property
    def components(self) -> NDArray[np.float32]:
        return self._native.components

    @property
    def variances(self) -> NDArray[np.float64]:
        return self._native.variances

    @property
    def total_variance(self) -> float:
        return self._native.total_variance

    @property
    def whiten(self) -> bool:
        return self._native.whiten

    def __repr__(self) -> str:
        k, d = self.components.shape
        return f"<alcedo.Pca: {d} to {k}{', whitened' if self.whiten else ''}>"


class Codebook(_Model):
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
            return cls._of(*_alcedo.fit_codebook(rows, seed, threads, report, {**options}))

    @property
    def centers(self) -> NDArray[np.float32]:
        return self._native.centers

    @property
    def weights(self) -> NDArray[np.float64]:
        return self._native.weights

    def __repr__(self) -> str:
        return "<alcedo.Codebook: {} words of {} dimensions>".format(*self.centers.shape)


class GaussianMixture(_Model):
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
            return cls._of(*_alcedo.fit_mixture(rows, seed, threads, report, {**options}))

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


class Dictionary(_Model):
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
            return cls._of(*_alcedo.fit_dictionary(rows, seed, threads, report, {**options}))

    @property
    def atoms(self) -> NDArray[np.float32]:
        return self._native.atoms

    def __repr__(self) -> str:
        return "<alcedo.Dictionary: {} atoms of {} dimensions>".format(*self.atoms.shape)


class RandomFourier(_Model):
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
    _native: _alcedo.RandomFourier

    def __init__(self, frequencies: ArrayLike, phases: ArrayLike, sigma: float) -> None:
        self._native = _alcedo.RandomFourier(frequencies, phases, sigma)

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
        return cls._of(_alcedo.draw_fourier(rows, 0, seed, {**options}))

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
        return cls._of(_alcedo.draw_fourier(None, dimension, seed, {**options, "sigma": sigma}))

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


def _document() -> None:
    """The options of every fit, from the library's own list, at the end of the documentation."""
    for model in (Pca, Codebook, GaussianMixture, Dictionary, RandomFourier):
        lines = ["", "    Options of fit", "    --------------"]
        for keyword, default, kind, text in _alcedo.fit_fields(model.__name__):
            lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
        model.__doc__ = (model.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
