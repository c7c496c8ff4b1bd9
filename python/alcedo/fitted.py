"""What all projections and words have: arrays that were fitted or given, their report, and how they are pickled."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from alcedo import _alcedo
from alcedo.pickles import reading, state_of

_Self = TypeVar("_Self", bound="Fitted")


class Fitted:
    """Arrays that were fitted, or given; `_parts` are the names of the constructor's arguments."""

    _parts: ClassVar[tuple[str, ...]] = ()
    _compiled: ClassVar[Any]
    _native: Any
    #: What the fit did: iterations, objective and converged; None for arrays that were given.
    report: _alcedo.TrainingReport | None = None

    @classmethod
    def _of(cls: type[_Self], native: Any, report: _alcedo.TrainingReport | None = None) -> _Self:
        model = cls.__new__(cls)
        model._native, model.report = native, report
        return model

    def __getstate__(self) -> dict[str, Any]:
        parts = {part: getattr(self._native, part) for part in self._parts}
        return state_of(parts=parts, report=self.report)

    def __setstate__(self, state: Any) -> None:
        with reading(state, parts=dict, report=(type(None), _alcedo.TrainingReport)):
            self._native = self._compiled(*(state["parts"][part] for part in self._parts))
            self.report = state["report"]


def document(model: type[Fitted]) -> None:
    """The options of the fit, from the library's own list, at the end of the documentation."""
    lines = ["", "    Options of fit", "    --------------"]
    for keyword, default, kind, text in _alcedo.fit_fields(model.__name__):
        lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
    model.__doc__ = (model.__doc__ or "") + "\n".join(lines) + "\n    "
