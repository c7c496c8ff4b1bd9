"""Names of files, as the operating system has them: bytes, which need not be UTF-8."""

from __future__ import annotations

import os

from alcedo.errors import InvalidArgument


def path_bytes(path: str | bytes | os.PathLike[str] | os.PathLike[bytes], name: str = "path") -> bytes:
    """Of a str, bytes or a path object."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:  # half of a surrogate pair
        raise InvalidArgument(name, "must be the name of a file", ascii(path)) from None
    except TypeError:
        raise TypeError(f"{name} must be a path, not {type(path).__name__}") from None
    if b"\0" in encoded:
        raise InvalidArgument(name, "must not have a NUL byte", ascii(path))
    return encoded
