"""From the rows of an image to one vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from alcedo import _alcedo
from alcedo.convergence import warn_of
from alcedo.encoder import native
from alcedo.errors import InvalidArgument
from alcedo.progress import reporting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from alcedo._alcedo import SolveReport
    from alcedo._types import Blocks, DType, FloatArray, Lambdas, Method, PoolKeywords, Progress, Rows
    from alcedo.encoder import Encoder

    Reports = list[SolveReport]


class _Default:
    """A default value that is distinct from the same value of a caller, and looks like it in a signature."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


_LAMBDA: Any = _Default(1.0)
_RELATIVE: Any = _Default(True)


def _dtype(dtype: Any) -> str | None:
    """The name of the type of results."""
    if dtype is None:
        return None
    try:
        found = np.dtype(dtype)
    except Exception:  # also SyntaxError
        found = None
    for one in ("float32", "float64"):
        if found is not None and found == np.dtype(one):
            return one
    raise InvalidArgument("dtype", "must be float32 or float64", repr(getattr(dtype, "__name__", dtype)))


@overload
def pool(rows: Rows, method: Method = ..., *, return_reports: Literal[False] = ...,
         **options: Unpack[PoolKeywords]) -> FloatArray: ...
@overload
def pool(rows: Rows, method: Method = ..., *, return_reports: Literal[True],
         **options: Unpack[PoolKeywords]) -> tuple[FloatArray, list[Reports]]: ...
def pool(rows: Rows, method: Method = "gmp", *, lambda_: Lambdas = _LAMBDA, relative: bool = _RELATIVE,
         offsets: ArrayLike | None = None, blocks: Blocks | None = None, num_blocks: int = 0,
         encoder: Encoder | None = None, weights: Any = None, nonnegative: bool = False, power: float | None = None,
         block_l2: bool = False, l2: bool = False, dtype: DType | None = None, threads: int | None = None,
         progress: Progress | None = None, return_reports: bool = False,
         **options: Any) -> FloatArray | tuple[FloatArray, list[Reports]]:
    """Pool the rows of one bag, or of many, into one vector each.

    Parameters
    ----------
    rows : array of N x D, array of B x N x D, list of arrays, Encodings, or list of Encodings
        One bag, or several of any sizes. With `offsets`, one array that holds the rows of all bags.
    method : {"gmp", "sum", "mean", "max", "lp", "softmax", "democratic", "weighted"}
        How rows become one vector.
    lambda_ : float or list of float
        Regularisation of GMP, >= 0. A list gives a vector for each value at nearly the price of one. Methods other
        than "gmp" refuse it.
    relative : bool
        Take `lambda_` times the mean squared norm of the bag's rows. Without it `lambda_` is the paper's, which
        belongs to the scale of the rows. Also of "gmp" alone.
    offsets : array of B + 1 integers, optional
        Bag i has the rows from ``offsets[i]`` to ``offsets[i + 1]``.
    blocks : array of integers, optional
        The block (visual word) of every row: row n then stands for a vector of ``num_blocks * D`` numbers that are
        zero outside of block ``blocks[n]``. Of many bags: a list of arrays, or one array for all rows.
    num_blocks : int
        How many blocks there are.
    encoder : Encoder, optional
        Rows are descriptors, and are encoded first, bag by bag: only those bags that are worked on are in memory.
    weights : array, optional
        For method "weighted": a weight for every row.
    nonnegative : bool
        GMP with weights of the rows that are not negative.
    power, block_l2, l2 : float, bool, bool
        Normalisations, in this order: ``sign(x) |x|**power``, L2 of every block, L2 of the vector.
    dtype : {"float32", "float64"}, optional
        Of the result; by default float32 if all rows are.
    threads : int, optional
        At most so many; by default one for each core. No result depends on it.
    progress : bool or callable, optional
        True: a bar on stderr, and without a terminal a line now and then. A function is called with the number of bags
        that are done, and of all.
    return_reports : bool
        Also return what the solvers did.
    **options
        The other options of the method: ``help(alcedo.pool)`` lists them at its end.

    Returns
    -------
    array
        ``(D,)`` of one bag, ``(B, D)`` of several; with a list of lambdas ``(L, D)`` and ``(B, L, D)``. A bag without
        rows gives zeros.
    list
        With `return_reports`: a list of SolveReport for every bag.

    Raises
    ------
    InvalidArgument
        Which is a ValueError, for options out of range and for rows with NaN or infinity: it names the first.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.array([[1.0, 0.0]] * 99 + [[0.0, 1.0]])
    >>> alcedo.pool(rows, "mean")
    array([0.99, 0.01])
    >>> alcedo.pool(rows, lambda_=[0, 1], relative=False).round(2)
    array([[1.  , 1.  ],
           [0.99, 0.5 ]])
    """
    if not isinstance(method, str):
        raise TypeError(f"method must be a string, not {type(method).__name__}")
    lambdas, several = [0.0], False
    if method == "gmp":
        options["relative"] = True if relative is _RELATIVE else relative
        lambdas, several = _alcedo.lambdas(1.0 if lambda_ is _LAMBDA else lambda_)
    elif method in _alcedo.pooling_methods():
        for name, given in (("lambda_", lambda_ is not _LAMBDA), ("relative", relative is not _RELATIVE)):
            if given:
                raise InvalidArgument(name, "goes with method 'gmp'", "")
    dtype_name = _dtype(dtype)
    with reporting(progress, "bags") as report:
        values, reports = _alcedo.pool_bags(rows, method, lambdas, several, offsets, blocks, num_blocks, weights,
                                            native(encoder), nonnegative, power, block_l2, l2, dtype_name, threads,
                                            report, options, list(pool.__kwdefaults__))
    warn_of(reports, "of bags")
    if not return_reports:
        return values
    return values, reports


def _document() -> None:
    """The options of every method, from the library's own list, at the end of the documentation."""
    lines = ["", "    Options of the methods", "    ----------------------"]
    for method in _alcedo.pooling_methods():
        fields = [] if method == "weighted" else [f for f in _alcedo.pooling_fields(method) if f[0] != "relative"]
        for keyword, default, kind, text in fields:
            lines += [f'    {keyword} : {kind}, default {default!r}, of method "{method}"', f"        {text}"]
    pool.__doc__ = (pool.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
