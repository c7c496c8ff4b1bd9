"""Principal components: a projection of descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alcedo import _alcedo
from alcedo.checks import flag, real_number
from alcedo.fitted import Fitted, document
from alcedo.progress import reporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from alcedo._options import PcaOptions
    from alcedo._types import Progress, Rows


class Pca(Fitted):
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
    _compiled = _alcedo.Pca
    _native: _alcedo.Pca

    def __init__(self, mean: ArrayLike, components: ArrayLike, variances: ArrayLike, total_variance: float = 0.0,
                 whiten: bool = False) -> None:
        total_variance = real_number(total_variance, "total_variance")
        self._native = _alcedo.Pca(mean, components, variances, total_variance, flag(whiten, "whiten"))

    @classmethod
    def fit(cls, rows: ArrayLike, *, threads: int | None = None, progress: Progress | None = None,
            **options: Unpack[PcaOptions]) -> Pca:
        """Fit to the rows of an array.

        Parameters
        ----------
        rows : array of N x d
        threads : int, optional
            At most so many; by default one for each core.
        progress : bool or callable, optional
            As in `pool`; a function is called with the number of rows that were read, and of all.
        **options
            Listed at the end of ``help(alcedo.Pca)``.

        Examples
        --------
        >>> import alcedo, numpy as np
        >>> rows = np.random.default_rng(0).normal(size=(500, 8))
        >>> alcedo.Pca.fit(rows, dimensions=3, whiten=True)
        <alcedo.Pca: 8 to 3, whitened>
        """
        with reporting(progress, "rows") as report:
            return cls._of(_alcedo.fit_pca(rows, threads, report, {**options}))

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


document(Pca)
