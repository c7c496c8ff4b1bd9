"""Descriptors of images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from alcedo import _alcedo
from alcedo.checks import text
from alcedo.sources import source_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray
    from typing_extensions import Unpack

    from alcedo._options import DescribeOptions
    from alcedo._types import DescriptorName, Image


def _array(values: NDArray[Any], dtype: DTypeLike | None, copy: bool | None) -> NDArray[Any]:
    """What __array__ gives, in NumPy 1 and 2."""
    if dtype is not None and np.dtype(dtype) != values.dtype:
        if copy is False:
            raise ValueError(f"an array of {np.dtype(dtype)} needs a copy of these {values.dtype}")
        return values.astype(dtype)
    return values.copy() if copy else values


class Descriptors:
    """Descriptors of one image, from `describe`: an array of its rows in most places.

    Attributes
    ----------
    values : array of N x d
    patches : array of N x 3
        x and y of the centre of every patch and its side, in pixels of the image; the left upper corner is (0, 0).
    width, height : float
        Of the image.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
    >>> found = alcedo.describe(image, scales=1)
    >>> found.patches[0]
    array([12., 12., 24.], dtype=float32)
    >>> alcedo.spatial_pyramid(found, found.positions, "1,2x2", "mean").shape
    (640,)
    """

    def __init__(self, values: NDArray[np.float32], patches: NDArray[np.float32], width: float, height: float) -> None:
        self.values, self.patches, self.width, self.height = values, patches, width, height

    @property
    def positions(self) -> NDArray[np.float64]:
        """x and y relative to the image, in [0, 1]: what `spatial_pyramid` takes."""
        return self.patches[:, :2].astype(np.float64) / [self.width, self.height]

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return _array(self.values, dtype, copy)

    def __repr__(self) -> str:
        size = f"{self.width:g} x {self.height:g}"
        return f"<alcedo.Descriptors: {len(self)} of {self.values.shape[1]} dimensions, image {size}>"


def describe(image: Image, descriptor: DescriptorName = "sift", *, threads: int | None = None,
             **options: Unpack[DescribeOptions]) -> Descriptors:
    """Descriptors of the patches of a dense grid at several scales.

    Parameters
    ----------
    image : path, bytes of a file, open file, array or PIL image
        JPEG, PNG, WebP, GIF or PNM; an array is height x width, or height x width x 3 in the order red, green, blue:
        uint8, uint16, or floating point from 0 to 1.
    descriptor : {"sift", "color"}
    threads : int, optional
        At most so many; by default one for each core. The result does not depend on it.
    **options
        Of the descriptor, the grid and the reading of images: listed at the end of ``help(alcedo.describe)``.

    Returns
    -------
    Descriptors

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
    >>> alcedo.describe(image, scales=1)
    <alcedo.Descriptors: 150 of 128 dimensions, image 80 x 60>
    """
    name = text(descriptor, "descriptor")
    return Descriptors(*_alcedo.describe(source_of(image, "image"), name, threads, {**options}))


def _document() -> None:
    """The options of every descriptor, from the library's own lists, at the end of the documentation."""
    lines = ["", "    Options", "    -------"]
    seen: set[str] = set()
    for descriptor in ("sift", "color"):
        for keyword, default, kind, text in _alcedo.describe_fields(descriptor):
            if keyword not in seen:
                lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
            seen.add(keyword)
    describe.__doc__ = (describe.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
