"""A bar for calls that take long: progress=True."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from typing import Any, Callable, Iterator

_Report = Callable[[int, int], object]

_BAR_SECONDS = 0.1  # between two updates of a bar
_LINE_SECONDS = 10  # between two lines, if nobody watches


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _Bar:
    """A bar in one line of a terminal; elsewhere, such as in a log, a line now and then."""

    def __init__(self, what: str, stream: Any, now: Callable[[], float] = time.monotonic) -> None:
        self._what, self._stream, self._now = what, stream, now
        try:
            self._terminal = stream.isatty()
        except (AttributeError, ValueError):  # some object with write(), or a log that was closed
            self._terminal = False
        self._begin = self._shown = now()
        self._drawn = 0  # characters that the next update has to cover
        self._last: tuple[int, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        now = self._now()
        first = self._last is None and self._terminal
        self._last = (done, total)
        if first or now - self._shown >= (_BAR_SECONDS if self._terminal else _LINE_SECONDS):
            self._shown = now
            self._draw(done, total)

    def _text(self, done: int, total: int) -> str:
        took = self._now() - self._begin
        text = f"{done:,} of {total:,} {self._what} in {_clock(took)}"
        if 0 < done < total:
            text += f", {_clock(took / done * (total - done))} left"
        return text

    def _draw(self, done: int, total: int) -> None:
        text = self._text(done, total)
        if self._terminal:
            room = shutil.get_terminal_size().columns - len(text) - 4
            width = min(40, room)
            if width >= 5:
                filled = width * done // total if total else width
                text = f"[{'#' * filled}{'.' * (width - filled)}] {text}"
            end, self._drawn = text.ljust(self._drawn), len(text)
            self._write("\r" + end)
        else:
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        # A log that was closed is no reason to end the work.
        with contextlib.suppress(AttributeError, OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()

    def close(self, finished: bool = False) -> None:
        """Draws it for the last time. What is finished has no more to do: a fit may end before its last iteration."""
        if self._last is None:
            return
        done, total = self._last
        self._draw(done, done if finished else total)
        if self._terminal:
            self._write("\n")


@contextlib.contextmanager
def reporting(progress: bool | _Report | None, what: str) -> Iterator[_Report | None]:
    """What the compiled half calls now and then: None, the caller's function, or a bar that ends with the block."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        if sys.stderr is None:  # a program without a console
            yield None
            return
        bar = _Bar(what, sys.stderr)
        finished = False
        try:
            yield bar
            finished = True
        finally:
            bar.close(finished)
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress must be True, False or a function of two numbers, got {progress!r}")
