"""Pickles that another version of the package may have written."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

from alcedo import _alcedo
from alcedo.errors import AlcedoError, FormatError


def state_of(**parts: Any) -> dict[str, Any]:
    """What ``__getstate__`` returns: the parts, and who wrote them."""
    return {"alcedo": _alcedo.__version__, **parts}


def _refusal(state: Any, reason: str) -> FormatError:
    written = state.get("alcedo") if isinstance(state, dict) else None
    version = f"alcedo {written}" if written else "an unknown version"
    return FormatError("", f"the pickle, of {version}, cannot be read: {reason}")


@contextlib.contextmanager
def reading(state: Any, /, **parts: type | tuple[type, ...]) -> Iterator[Any]:
    """Checks that a state has these parts, and says of any error in the block which version wrote it."""
    if not isinstance(state, dict):
        raise _refusal(state, f"its state is of type {type(state).__name__}")
    for part, kind in parts.items():
        if part not in state:
            raise _refusal(state, f"it has no {part}")
        if not isinstance(state[part], kind):
            raise _refusal(state, f"its {part} is of type {type(state[part]).__name__}")
    try:
        yield state
    except (AlcedoError, TypeError, ValueError, KeyError) as error:
        raise _refusal(state, getattr(error, "reason", str(error))) from error
