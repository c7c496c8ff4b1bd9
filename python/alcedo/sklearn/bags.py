"""Lists of arrays as the X of scikit-learn: one bag of rows is one sample."""

from typing import Any, Optional

import numpy as np
from sklearn.utils._set_output import _wrap_data_with_container
from sklearn.utils.validation import check_is_fitted

import alcedo

_FORMS = "a list of arrays of rows x dimensions, or an array of bags x rows x dimensions"


def _as_bag(bag: Any, name: str) -> Any:
    if isinstance(bag, alcedo.Encodings):
        return bag
    if hasattr(bag, "toarray"):
        raise TypeError(f"{name} is a sparse matrix: give {name}.toarray(), or an alcedo.Encodings")
    array = np.asarray(bag)
    if array.dtype == object:
        array = array.astype(np.float64)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} is of {array.dtype}")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must be an array of real numbers, not of {array.dtype}")
    if array.ndim != 2:
        raise ValueError(f"{name} must be rows x dimensions, got an array of shape {array.shape}")
    if array.shape[1] == 0:
        raise ValueError(f"{name} has 0 feature(s) (shape={array.shape}) while a minimum of 1 is required")
    return array


def as_bags(X: Any) -> list[Any]:
    """The bags, as arrays of two dimensions or Encodings, all of one dimension; ValueError or TypeError else."""
    if isinstance(X, (str, bytes, dict)) or not hasattr(X, "__len__") or hasattr(X, "toarray"):
        raise TypeError(f"X must be {_FORMS}, not {type(X).__name__}")
    if isinstance(X, alcedo.Encodings) or (isinstance(X, np.ndarray) and X.dtype != object and X.ndim != 3):
        got = "one bag" if isinstance(X, alcedo.Encodings) else f"an array of shape {X.shape}"
        raise ValueError(f"X must be {_FORMS}, got {got} (Reshape your data: [X] is a list of one bag)")
    bags = [_as_bag(bag, f"X[{i}]") for i, bag in enumerate(X)]
    if not bags:
        raise ValueError("Found 0 bag(s), 0 sample(s), while a minimum of 1 is required")
    for i, bag in enumerate(bags):
        if bag.shape[1] != bags[0].shape[1]:
            raise ValueError(f"X[{i}] has {bag.shape[1]} dimensions, and X[0] has {bags[0].shape[1]}")
    return bags


def require_finite(bags: list[Any], which: Optional[list[int]] = None) -> None:
    """Names the first value that is not. What pools looks by itself; what samples or hashes rows must ask."""
    for i in range(len(bags)) if which is None else which:
        bag = bags[i]
        if not isinstance(bag, np.ndarray):
            continue
        with np.errstate(all="ignore"):
            finite = np.isfinite(bag.sum())  # a third of the time of a look at each; a sum may also overflow
        if not finite and not np.isfinite(bag).all():
            row, column = np.argwhere(~np.isfinite(bag))[0]
            kind = "NaN" if np.isnan(bag[row, column]) else "infinity"
            raise ValueError(f"Input X contains NaN or infinity: X[{i}], row {row}, column {column} is {kind}")


class BagTransformer:
    """What transformers of bags share. They have `_pool(bags)` and `_dimension()`.

    `set_output` wraps what the class itself defines, and takes the index from ``X.index``, which is a method if X is a
    list: so `transform` is defined here, outside of scikit-learn's classes, and wraps its own output.
    """

    def _bags(self, X: Any, reset: bool) -> list[Any]:
        bags = as_bags(X)
        dimension = bags[0].shape[1]
        if reset:
            require_finite(bags)
            self.n_features_in_ = dimension
        elif dimension != getattr(self, "n_features_in_", dimension):
            raise ValueError(f"X has {dimension} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        return bags

    def transform(self, X: Any) -> Any:
        """Pool every bag.

        Parameters
        ----------
        X : list of arrays, array of bags x rows x dimensions, object array or pandas Series of arrays

        Returns
        -------
        array or DataFrame
            One vector per bag.
        """
        if self._requires_fit:
            check_is_fitted(self)
        vectors = self._pool(self._bags(X, reset=False))
        original = X if hasattr(X, "iloc") else vectors
        return _wrap_data_with_container("transform", vectors, original, self)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """``fit(X, y).transform(X)``."""
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """``fishervectors0``, ``fishervectors1`` and so on. `input_features` is not used."""
        check_is_fitted(self, "n_features_in_")
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{i}" for i in range(self._dimension())], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        # Asked for by name: scikit-learn takes any attribute that ends with _ for learned, and lambda_ is a parameter.
        return hasattr(self, self._last_learned)

    _requires_fit = True
    _last_learned = "n_features_in_"
    n_features_in_: int

    def fit(self, X: Any, y: Any = None) -> Any:
        raise NotImplementedError

    def _pool(self, bags: list[Any]) -> Any:
        raise NotImplementedError

    def _dimension(self) -> int:
        raise NotImplementedError

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["3darray"], "requires_fit": self._requires_fit, "stateless": not self._requires_fit,
                "preserves_dtype": [np.float64, np.float32]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.requires_fit = self._requires_fit
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
