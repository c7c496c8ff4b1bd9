"""From the rows of an image to one vector, and to the weights of the rows."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any, Literal, Sequence, overload

import numpy as np

from alcedo import _alcedo
from alcedo.errors import ConvergenceWarning, InvalidArgument
from alcedo.progress import reporting

if TYPE_CHECKING:
    from typing import Union

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from alcedo._alcedo import Encodings, SolveReport
    from alcedo._options import DemocraticOptions
    from alcedo._types import Blocks, CellKeywords, DType, FloatArray, GmpKeywords, KernelKeywords, Lambdas, Method, \
        PoolKeywords, Progress, Rows
    from alcedo.encoder import Encoder

    Weights = NDArray[np.float64]
    Reports = list[SolveReport]
    # What is known to be several bags without a look at it. Another array may have three dimensions, which are several
    # bags, too: their weights are called one array here, and are a list.
    Several = Sequence[Union[NDArray[Any], Encodings]]


class _Default:
    """A default value that is distinct from the same value of a caller, and looks like it in a signature."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


_LAMBDA: Any = _Default(1.0)
_RELATIVE: Any = _Default(True)


def _lambdas(lambda_: Lambdas) -> tuple[list[float], bool]:
    """The list of lambdas, and whether a list was given."""
    return _alcedo.lambdas(lambda_)


def _caller() -> int:
    """The stack level, for warnings of the function that asks, of the line that called the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "alcedo":
        level, frame = level + 1, frame.f_back
    return level


def _warn(reports: Sequence[Reports], what: str) -> None:
    """One warning for all solvers that stopped early."""
    stopped = [report for bag in reports for report in bag if not report.converged]
    if stopped:
        warnings.warn(f"{len(stopped)} of {sum(map(len, reports))} solves {what} did not converge: {stopped[0].reason}",
                      ConvergenceWarning, stacklevel=_caller())


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


def _keywords(function: Any) -> list[str]:
    """The keywords of a function itself: one of them may be meant by an unknown one."""
    return list(function.__kwdefaults__)


def _native(encoder: Encoder | None) -> _alcedo.Encoder | None:
    """The compiled half of an encoder."""
    if encoder is None:
        return None
    native = getattr(encoder, "_native", None)
    if not isinstance(native, _alcedo.Encoder):
        raise TypeError(f"encoder must be an alcedo.Encoder, not {type(encoder).__name__}")
    return native


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
        lambdas, several = _lambdas(1.0 if lambda_ is _LAMBDA else lambda_)
    elif method in _alcedo.pooling_methods():
        for name, given in (("lambda_", lambda_ is not _LAMBDA), ("relative", relative is not _RELATIVE)):
            if given:
                raise InvalidArgument(name, "goes with method 'gmp'", "")
    dtype_name = _dtype(dtype)
    with reporting(progress, "bags") as report:
        values, reports = _alcedo.pool_bags(rows, method, lambdas, several, offsets, blocks, num_blocks, weights,
                                            _native(encoder), nonnegative, power, block_l2, l2, dtype_name, threads,
                                            report, options, _keywords(pool))
    _warn(reports, "of bags")
    if not return_reports:
        return values
    return values, reports


def _weights(found: tuple[bool, list[tuple[Weights, Reports]]], return_reports: bool) -> Any:
    single, bags = found
    _warn([reports for _, reports in bags], "for weights")
    if single:
        return bags[0] if return_reports else bags[0][0]
    weights = [array for array, _ in bags]
    return (weights, [report for _, report in bags]) if return_reports else weights


# A sequence of Encodings has __array__ in its items, and is ArrayLike, too: the first overload that fits is meant.
@overload
def gmp_weights(rows: Several, *, offsets: None = ..., return_reports: Literal[False] = ...,  # type: ignore
                **options: Unpack[GmpKeywords]) -> list[Weights]: ...
@overload
def gmp_weights(rows: Several, *, offsets: None = ..., return_reports: Literal[True],  # type: ignore
                **options: Unpack[GmpKeywords]) -> tuple[list[Weights], list[Reports]]: ...
@overload
def gmp_weights(rows: ArrayLike | Encodings, *, offsets: None = ..., return_reports: Literal[False] = ...,
                **options: Unpack[GmpKeywords]) -> Weights: ...
@overload
def gmp_weights(rows: ArrayLike | Encodings, *, offsets: None = ..., return_reports: Literal[True],
                **options: Unpack[GmpKeywords]) -> tuple[Weights, Reports]: ...
@overload
def gmp_weights(rows: ArrayLike, *, offsets: ArrayLike, return_reports: Literal[False] = ...,
                **options: Unpack[GmpKeywords]) -> list[Weights]: ...
@overload
def gmp_weights(rows: ArrayLike, *, offsets: ArrayLike, return_reports: Literal[True],
                **options: Unpack[GmpKeywords]) -> tuple[list[Weights], list[Reports]]: ...
def gmp_weights(rows: Rows, *, lambda_: Lambdas = 1.0, relative: bool = True, nonnegative: bool = False,
                offsets: ArrayLike | None = None, blocks: Blocks | None = None, num_blocks: int = 0,
                encoder: Encoder | None = None, threads: int | None = None, progress: Progress | None = None,
                return_reports: bool = False, **options: Any) -> Any:
    """The weight of every row in GMP: ``weights @ rows`` is ``pool(rows)``.

    Parameters
    ----------
    rows, lambda_, relative, nonnegative, offsets, blocks, num_blocks, encoder, threads, progress, return_reports
        As in `pool`; but each value of a list of lambdas is solved by itself, at the full price.
    **options
        The options of method "gmp".

    Returns
    -------
    array or list of arrays
        ``(N,)`` of one bag, a list of such of several; with a list of lambdas ``(L, N)``.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.array([[1.0, 0.0]] * 3 + [[0.0, 1.0]])
    >>> alcedo.gmp_weights(rows, lambda_=0, relative=False).round(2)
    array([0.33, 0.33, 0.33, 1.  ])
    """
    lambdas, several = _lambdas(lambda_)
    options["relative"] = relative
    with reporting(progress, "bags") as report:
        found = _alcedo.gmp_weights(rows, lambdas, several, nonnegative, offsets, blocks, num_blocks, _native(encoder),
                                    threads, report, options, _keywords(gmp_weights))
    return _weights(found, return_reports)


@overload
def weights_from_kernel(kernel: ArrayLike, *, return_report: Literal[False] = ...,
                        **options: Unpack[KernelKeywords]) -> Weights: ...
@overload
def weights_from_kernel(kernel: ArrayLike, *, return_report: Literal[True],
                        **options: Unpack[KernelKeywords]) -> tuple[Weights, SolveReport]: ...
def weights_from_kernel(kernel: ArrayLike, *, lambda_: float = 1.0, relative: bool = True, nonnegative: bool = False,
                        threads: int | None = None, return_report: bool = False, **options: Any) -> Any:
    """GMP's weights from a kernel matrix of the rows alone, whatever the rows are.

    Parameters
    ----------
    kernel : array of N x N
        Symmetric and positive semi-definite.
    lambda_, relative, nonnegative, threads, **options
        As in `gmp_weights`; `lambda_` is one number.
    return_report : bool
        Also return what the solver did.

    Returns
    -------
    array
        The weight of every row, ``(N,)``.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.array([[1.0, 0.0]] * 3 + [[0.0, 1.0]])
    >>> alcedo.weights_from_kernel(rows @ rows.T, lambda_=0, relative=False).round(2)
    array([0.33, 0.33, 0.33, 1.  ])
    """
    options["relative"] = relative
    weights, report = _alcedo.weights_from_kernel(kernel, lambda_, nonnegative, threads, options,
                                                  _keywords(weights_from_kernel))
    _warn([[report]], "for weights")
    return (weights, report) if return_report else weights


# An array, or a list of arrays of several bags; with return_reports a pair.
def democratic(rows: Rows | None = None, *, kernel: ArrayLike | None = None, offsets: ArrayLike | None = None,
               blocks: Blocks | None = None, num_blocks: int = 0, encoder: Encoder | None = None,
               threads: int | None = None, progress: Progress | None = None, return_reports: bool = False,
               **options: Unpack[DemocraticOptions]) -> Any:
    """The weights of democratic aggregation: every row contributes equally to the similarity with itself.

    Parameters
    ----------
    rows, offsets, blocks, num_blocks, encoder, threads, progress, return_reports
        As in `pool`.
    kernel : array of N x N, optional
        In place of `rows`.
    **options
        The options of method "democratic".

    Returns
    -------
    array or list of arrays
        ``(N,)`` of one bag, a list of such of several.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.array([[1.0, 0.0]] * 4 + [[0.0, 1.0]])
    >>> alcedo.democratic(rows).round(2)
    array([0.5, 0.5, 0.5, 0.5, 1. ])
    """
    if (rows is None) == (kernel is None):
        raise TypeError("democratic needs rows or kernel, and not both")
    if kernel is not None:
        others = {"offsets": offsets is not None, "blocks": blocks is not None, "num_blocks": num_blocks != 0,
                  "encoder": encoder is not None, "progress": progress is not None and progress is not False}
        for name, given in others.items():
            if given:
                raise TypeError(f"{name} goes with rows, not with a kernel")
        weights, solved = _alcedo.democratic_from_kernel(kernel, threads, {**options}, _keywords(democratic))
        return _weights((True, [(weights, [solved])]), return_reports)
    assert rows is not None
    with reporting(progress, "bags") as report:
        found = _alcedo.democratic_weights(rows, offsets, blocks, num_blocks, _native(encoder), threads, report,
                                           {**options}, _keywords(democratic))
    return _weights(found, return_reports)


def spatial_pyramid(rows: ArrayLike | Encodings, positions: ArrayLike, pyramid: str = "1,3x1", method: Method = "gmp",
                    **keywords: Unpack[CellKeywords]) -> FloatArray:
    """Pool every cell of an image by itself, and put the vectors one after the other.

    Parameters
    ----------
    rows : array of N x D, or Encodings
        One bag.
    positions : array of N x 2
        x and y of every row, relative to the image, in [0, 1].
    pyramid : str
        Cells: ``"1"`` is the whole image, ``"RxC"`` R rows of C cells, a list joins them. ``"1,3x1"`` is the paper's.
    method, **keywords
        As in `pool`. Normalisation is that of every cell.

    Returns
    -------
    array
        ``(cells * D,)``, and with a list of lambdas ``(L, cells * D)``. A cell without rows gives zeros.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> alcedo.spatial_pyramid(rows, [[0.5, 0.1], [0.5, 0.9]], "1,2x1", "sum")
    array([1., 1., 1., 0., 0., 1.])
    """
    others: dict[str, Any] = {**keywords}
    if others.get("return_reports") or others.get("offsets") is not None:
        raise TypeError("spatial_pyramid takes one image, and gives no reports")
    # Every object is asked for its numbers once, and not once for each cell.
    encodings = rows if isinstance(rows, _alcedo.Encodings) else None
    array = np.empty(rows.shape[:1]) if isinstance(rows, _alcedo.Encodings) else _alcedo.as_array(rows, "rows")
    if encodings is None and array.ndim != 2:
        raise ValueError(f"rows must be rows x dimensions, got an array of shape {array.shape}")
    of_rows = {"positions": _alcedo.as_array(positions, "positions")}
    for name in ("blocks", "weights"):
        if others.get(name) is not None:
            of_rows[name] = _alcedo.as_array(others.pop(name), name)
    cells = _alcedo.pyramid_rows(pyramid, of_rows["positions"])
    for name, values in of_rows.items():
        if values.shape[:1] != array.shape[:1]:
            raise InvalidArgument(name, "must have one entry for every row",
                                  f"{values.shape[0] if values.ndim else 'one number'} for {len(array)} rows")
    del of_rows["positions"]
    parts: list[FloatArray] = []
    for cell in cells:
        others.update({name: values[cell] for name, values in of_rows.items()})
        parts.append(pool(array[cell] if encodings is None else _alcedo.select_rows(encodings, cell), method, **others))
    return np.concatenate(parts, axis=-1)


def _document() -> None:
    """The options of every method, from the library's own list, at the end of the documentation."""
    lines = ["", "    Options of the methods", "    ----------------------"]
    for method in _alcedo.pooling_methods():
        fields = [] if method == "weighted" else [f for f in _alcedo.pooling_fields(method) if f[0] != "relative"]
        for keyword, default, kind, text in fields:
            lines += [f'    {keyword} : {kind}, default {default!r}, of method "{method}"', f"        {text}"]
    pool.__doc__ = (pool.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
