"""What is done to a pooled vector before a linear classifier sees it."""

from alcedo import _alcedo


def power_normalize(values, power=0.5):
    """``sign(x) |x|**power`` of every number; 0 gives the signs, and zeros stay zero.

    Parameters
    ----------
    values : array of D, or of n x D
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
    return _alcedo.normalized(values, power, 0, False)


def l2_normalize(values, block_size=0):
    """Divide every vector by its Euclidean norm; zeros stay zero.

    Parameters
    ----------
    values : array of D, or of n x D
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
    return _alcedo.normalized(values, 1.0, block_size, block_size == 0)
