"""The weights of the rows of an image: of GMP, and of democratic aggregation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Sequence, overload

import numpy as np

from alcedo import _alcedo
from alcedo.convergence import warn_of
from alcedo.encoder import native
from alcedo.progress import reporting

if TYPE_CHECKING:
    from typing import Union

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from alcedo._alcedo import Encodings, SolveReport
    from alcedo._options import DemocraticOptions
    from alcedo._types import Blocks, GmpKeywords, KernelKeywords, Lambdas, Progress, Rows
    from alcedo.encoder import Encoder

    Weights = NDArray[np.float64]
    Reports = list[SolveReport]
    # What is known to be several bags without a look at it. Another array may have three dimensions, which are several
    # bags, too: their weights are called one array here, and are a list.
    Several = Sequence[Union[NDArray[Any], Encodings]]


def _weights(found: tuple[bool, list[tuple[Weights, Reports]]], return_reports: bool) -> Any:
    single, bags = found
    warn_of([reports for _, reports in bags], "for weights")
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
    lambdas, several = _alcedo.lambdas(lambda_)
    options["relative"] = relative
    with reporting(progress, "bags") as report:
        found = _alcedo.gmp_weights(rows, lambdas, several, nonnegative, offsets, blocks, num_blocks, native(encoder),
                                    threads, report, options, list(gmp_weights.__kwdefaults__))
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
                                                  list(weights_from_kernel.__kwdefaults__))
    warn_of([[report]], "for weights")
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
        weights, solved = _alcedo.democratic_from_kernel(kernel, threads, {**options}, list(democratic.__kwdefaults__))
        return _weights((True, [(weights, [solved])]), return_reports)
    assert rows is not None
    with reporting(progress, "bags") as report:
        found = _alcedo.democratic_weights(rows, offsets, blocks, num_blocks, native(encoder), threads, report,
                                           {**options}, list(democratic.__kwdefaults__))
    return _weights(found, return_reports)
