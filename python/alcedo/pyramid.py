"""Cells of an image, each pooled by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from alcedo import _alcedo
from alcedo.errors import InvalidArgument
from alcedo.pooling import pool

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from alcedo._alcedo import Encodings
    from alcedo._types import CellKeywords, FloatArray, Method


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
