"""Images in any form, as paths or the bytes of files: what the compiled half takes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from alcedo.errors import FormatError, InvalidArgument
from alcedo.paths import path_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from alcedo._alcedo import _Source  # (path, None), or (name, content)
    from alcedo._types import Image

_MOST_PIXELS = 10**9  # of an array: more is a mistake, such as a broadcast array


def _netpbm(array: NDArray[Any], name: str) -> bytes:
    """The bytes of a file with the pixels of an array: what holds for files holds for arrays, too."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind != "f" and (kind, size) not in (("u", 1), ("u", 2)):
        raise TypeError(f"{name} must be an array of uint8, uint16 or floating point numbers, not of {array.dtype}")
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise InvalidArgument("", f"{name} must be height x width, or height x width x 3, got an array of shape "
                              f"{array.shape}", "")
    if 0 in array.shape:
        raise InvalidArgument("", f"{name} has no pixels: its shape is {array.shape}", "")
    if array.size > _MOST_PIXELS:
        raise InvalidArgument("", f"{name} must have at most {_MOST_PIXELS:,} values, got an array of shape "
                              f"{array.shape}", "")
    if kind == "f":
        if not 0 <= array.min() <= array.max() <= 1:  # NaN is neither
            rule = f"{name}: floating point values must be from 0 to 1"
            raise InvalidArgument("", rule, "", "use uint8 for 0 to 255")
        array, size = np.rint(array.astype(np.float64) * 65535).astype(np.uint16), 2
    height, width = array.shape[:2]
    magic = b"P6" if array.ndim == 3 and array.shape[2] == 3 else b"P5"
    header = b"%s\n%d %d\n%d\n" % (magic, width, height, 255 if size == 1 else 65535)
    return header + np.ascontiguousarray(array, dtype="u1" if size == 1 else ">u2").tobytes()


def _from_pil(image: Any, name: str) -> NDArray[Any]:
    """As the readers of files see it: upright, and with transparency over white."""
    from PIL import Image, ImageOps

    if 0 in image.size:
        raise InvalidArgument("", f"{name} has no pixels: its size is {image.size}", "")
    try:
        image = ImageOps.exif_transpose(image)
    except (OSError, SyntaxError, ValueError) as error:  # what Pillow says of a file that it cannot decode
        raise FormatError(name, f"cannot be read by Pillow: {error}") from error
    if image.mode.startswith("I"):  # 16 bits, in some versions of Pillow in an array of 32
        array = np.asarray(image)
        if array.min() < 0 or array.max() > 65535:
            raise InvalidArgument("", f"{name}: values of mode {image.mode} must be from 0 to 65535", "")
        return array.astype(np.uint16)
    if image.mode in ("L", "RGB", "F"):
        return np.asarray(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return np.asarray(image.convert("L" if image.mode == "1" else "RGB"))


def source_of(image: Image, name: str) -> _Source:
    """(name as bytes, content), or (path as bytes, None)."""
    if isinstance(image, (str, os.PathLike)):
        return path_bytes(image, name), None
    if isinstance(image, (bytes, bytearray, memoryview)):
        return name.encode(), bytes(image)
    if hasattr(image, "read"):  # a file that is open
        content = image.read()
        if not isinstance(content, bytes):
            raise TypeError(f"{name} must be a file opened for bytes: its read() gives {type(content).__name__}")
        return name.encode(), content
    if hasattr(image, "convert") and hasattr(image, "mode"):
        image = _from_pil(image, name)
    masked = np.count_nonzero(image.mask) if isinstance(image, np.ma.MaskedArray) else 0
    if masked:
        raise InvalidArgument("", f"{name} has {masked:,} masked values: give it filled, as by image.filled(0)", "")
    try:
        array: NDArray[Any] | None = np.asarray(image)
    except ValueError:  # rows of different lengths
        array = None
    if array is None or (array.dtype.kind not in "biufc" and not isinstance(image, np.ndarray)):
        raise TypeError(f"{name} must be a path, bytes, a file, an array or a PIL image, not {type(image).__name__}")
    return name.encode(), _netpbm(array, name)
