"""Power and L2 normalisation of vectors, as a step of a pipeline."""

from typing import Any

from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

import alcedo
from alcedo.sklearn.validation import FLOATS, KeepsFloat32, validate_data


class PowerNormalizer(KeepsFloat32, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """``sign(x) |x|**power`` of every number, then L2 normalisation.

    Parameters
    ----------
    power : float in [0, 1]
        0 gives the signs, and 1 changes nothing.
    block_size : int
        L2-normalise every run of so many numbers by itself; 0: not.
    l2 : bool
        L2-normalise every vector.

    Attributes
    ----------
    n_features_in_ : int
        Dimensions of the vectors.

    Examples
    --------
    >>> from alcedo.sklearn import PowerNormalizer
    >>> PowerNormalizer(0.5).fit_transform([[4.0, -9.0, 0.0]])
    array([[ 2., -3.,  0.]])
    """

    def __init__(self, power: float = 0.5, *, block_size: int = 0, l2: bool = False) -> None:
        self.power = power
        self.block_size = block_size
        self.l2 = l2

    def fit(self, X: Any, y: Any = None) -> "PowerNormalizer":
        """Learns nothing; checks X.

        Parameters
        ----------
        X : array of n x D
        y : ignored

        Returns
        -------
        PowerNormalizer
        """
        X = validate_data(self, X, dtype=FLOATS)
        self._normalized(X[:1])
        return self

    def transform(self, X: Any) -> Any:
        """Normalise the rows of an array.

        Parameters
        ----------
        X : array of n x D

        Returns
        -------
        array of n x D
            A new one, float32 if X is and float64 otherwise.
        """
        return self._normalized(validate_data(self, X, dtype=FLOATS, reset=False))

    def _normalized(self, X: Any) -> Any:
        X = alcedo.power_normalize(X, self.power)
        if self.block_size:
            X = alcedo.l2_normalize(X, self.block_size)
        return alcedo.l2_normalize(X) if self.l2 else X

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "stateless": True, "requires_fit": False}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags
