"""Plain matrices, seeds and tags as every version of scikit-learn from 1.2 wants them."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state, validation

import alcedo

FLOATS = [np.float64, np.float32]


def validate_data(estimator: Any, *arrays: Any, **keywords: Any) -> Any:
    """Checked arrays, which `fit` remembers the dimensions of: a function since 1.6, and a method before."""
    of_1_6 = getattr(validation, "validate_data", None)
    return estimator._validate_data(*arrays, **keywords) if of_1_6 is None else of_1_6(estimator, *arrays, **keywords)


def seed_of(random_state: Any) -> int:
    """An integer is the seed itself, so that estimators and the functions of `alcedo` agree."""
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if not 0 <= random_state < 2**64:
            raise alcedo.InvalidArgument("random_state", "must be from 0 to 2**64 - 1", repr(random_state))
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def with_learning(how: dict[str, Any], learning: Any) -> dict[str, Any]:
    """Options of a fit, and the others of the parameter `learning`, which may not say the same again."""
    others = dict(learning or {})
    twice = sorted(how.keys() & others.keys())
    if twice:
        raise alcedo.InvalidArgument("learning", "must have other options than the parameters of the estimator",
                                     ", ".join(twice))
    return {**how, **others}


class KeepsFloat32:
    """A transformer that gives float32 for float32."""

    def _more_tags(self) -> dict[str, Any]:
        return {"preserves_dtype": FLOATS}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
