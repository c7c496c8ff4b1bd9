"""One warning for all solvers of a call that stopped early."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Sequence

from alcedo.errors import ConvergenceWarning

if TYPE_CHECKING:
    from alcedo._alcedo import SolveReport


def caller_level() -> int:
    """The stack level, for warnings of the function that asks, of the line that called the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "alcedo":
        level, frame = level + 1, frame.f_back
    return level


class Solves:
    """How many solves there were, how many stopped early, and why the first of those did."""

    def __init__(self) -> None:
        self._all = self._stopped = 0
        self._reason = ""

    def add(self, solves: int, stopped: int, reason: str) -> None:
        if stopped and not self._stopped:
            self._reason = reason
        self._all += solves
        self._stopped += stopped

    def warn(self, what: str) -> None:
        if self._stopped:
            warnings.warn(f"{self._stopped:,} of {self._all:,} solves {what} did not converge: {self._reason}",
                          ConvergenceWarning, stacklevel=caller_level())


def warn_of(reports: Sequence[Sequence[SolveReport]], what: str) -> None:
    """Of the reports of several bags."""
    solves = Solves()
    for bag in reports:
        stopped = [report for report in bag if not report.converged]
        solves.add(len(bag), len(stopped), stopped[0].reason if stopped else "")
    solves.warn(what)
