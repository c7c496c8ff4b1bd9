"""What keywords must be, in one sentence each, before the compiled half sees them."""

from __future__ import annotations

import difflib
import operator
from typing import Any, Iterable

from alcedo.errors import InvalidArgument


def whole_number(value: Any, keyword: str, least: int = 0, most: int = 2**63 - 1) -> int:
    """As an int; NumPy's whole numbers count, and True does not."""
    if isinstance(value, bool):
        raise TypeError(f"{keyword} must be a whole number, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{keyword} must be a whole number, got {value!r}") from None
    if number < least:
        raise InvalidArgument(keyword, f"must be >= {least}", str(number))
    if number > most:
        raise InvalidArgument(keyword, f"must be <= {most}", str(number))
    return number


def seed_number(value: Any) -> int:
    """Of random numbers: whatever 64 bits hold."""
    return whole_number(value, "seed", most=2**64 - 1)


def real_number(value: Any, keyword: str) -> float:
    """As a float; True is not a number."""
    if isinstance(value, (bool, str, bytes)):
        raise TypeError(f"{keyword} must be a number, got {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{keyword} must be a number, got {value!r}") from None


def text(value: Any, keyword: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{keyword} must be a string, got {value!r}")
    return value


def flag(value: Any, keyword: str) -> bool:
    """NumPy's True counts, and 1 does not."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise TypeError(f"{keyword} must be True or False, got {value!r}")
    return bool(value)


def one_of(value: Any, keyword: str, names: Iterable[str]) -> str:
    """One of some names; of others it says which was perhaps meant."""
    known = list(names)
    name = text(value, keyword)
    if name in known:
        return name
    close = difflib.get_close_matches(name, known, 1)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    raise InvalidArgument(keyword, f"must be {', '.join(known[:-1])} or {known[-1]}", f"{name!r}{meant}")
