"""One warning for all solvers of a call that stopped early."""

from __future__ import annotations

import warnings

from alcedo.errors import ConvergenceWarning


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

    def warn(self, what: str, level: int = 3) -> None:
        """In the name of the caller's caller."""
        if self._stopped:
            warnings.warn(f"{self._stopped:,} of {self._all:,} solves {what} did not converge: {self._reason}",
                          ConvergenceWarning, stacklevel=level)
