"""What is done to a pooled vector before a linear classifier sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alcedo import _alcedo

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from alcedo._types import FloatArray


def power_normalize(values: ArrayLike, power: float = 0.5) -> FloatArray:
    """``sign(x) |x|**power`` of every number; 0 gives the signs, and zeros stay zero.

    Parameters
    ----------
    values : array of D, of n x D, or with more axes before the last
        A vector along the last axis, such as all that `pool` gives.
    power : float in [0, 1]

    Returns
    -------
    array
        A new one, of the same shape.

    Examples
    --------
    >>> import alcedo
    >>> alcedo.power_normalize([4.0, -9.0, 0.0])
    array([ 2., -3.,  0.])
    """
    return _alcedo.power_normalized(values, power)


def l2_normalize(values: ArrayLike, block_size: int = 0) -> FloatArray:
    """Divide every vector by its Euclidean norm; zeros stay zero.

    Parameters
    ----------
    values : array of D, of n x D, or with more axes before the last
        A vector along the last axis, such as all that `pool` gives.
    block_size : int
        Normalise every run of so many numbers by itself instead; 0: the whole vector.

    Returns
    -------
    array
        A new one, of the same shape.

    Examples
    --------
    >>> import alcedo
    >>> alcedo.l2_normalize([3.0, 4.0])
    array([0.6, 0.8])
    """
    return _alcedo.l2_normalized(values, block_size)
