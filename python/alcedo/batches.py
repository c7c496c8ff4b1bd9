"""Lists and iterators of images in batches: as many as a bounded memory holds."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from alcedo.errors import AlcedoError
from alcedo.sources import source_of

if TYPE_CHECKING:
    from typing import Callable, Iterable

    from numpy.typing import NDArray

    from alcedo._alcedo import _Source
    from alcedo._types import Images

    Failures = dict[int, str]  # by the number of the image

# Of the images that are in memory at the same time; of paths, only those that are worked on are.
_MOST_IMAGES, _MOST_BYTES = 1024, 256 << 20


class Batches:
    """One image, or several: a list, a tuple, an iterator, an array of paths or of images, or a column of a table."""

    def __init__(self, images: Images, collect: bool) -> None:
        given: Any = images
        if getattr(given, "ndim", 0) == 1 and hasattr(given, "to_numpy"):  # of pandas
            given = given.to_numpy()
        if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "UOT":
            given = given.tolist()  # of paths
        if isinstance(given, np.ndarray) and given.ndim == 4:
            given = list(given)
        iterator = hasattr(given, "__next__") and not hasattr(given, "read")
        self.single = not (iterator or isinstance(given, (list, tuple)))
        self._images: Iterable[Any] = [given] if self.single else given
        #: How many there are, as far as is known.
        self.length = 1 if self.single else operator.length_hint(given, 0)
        self._collect = collect
        #: What is wrong with images, by number; without `collect` that is raised.
        self.failures: Failures = {}

    def _source(self, image: Any, number: int) -> _Source:
        name = "image" if self.single else f"images[{number}]"
        try:
            return source_of(image, name)
        except (AlcedoError, TypeError, ValueError, OSError) as error:
            if not self._collect:
                raise
            self.failures[number] = getattr(error, "reason", str(error))
            return name.encode(), b""  # no image, which fails again

    def run(self, work: Callable[[list[_Source], Any], Failures], report: Callable[[int, int], object] | None) -> None:
        """Calls ``work(sources, report)``, which returns its failures, for every batch; at least once."""
        begin = 0
        for batch in self._batches():
            total = max(self.length, begin + len(batch))

            def of_all(done: int, unused: int, begin: int = begin, total: int = total) -> None:
                assert report is not None
                report(begin + done, total)

            for number, reason in work(batch, None if report is None else of_all).items():
                self.failures.setdefault(begin + number, reason)
            begin += len(batch)
        self.failures = dict(sorted(self.failures.items()))

    def _batches(self) -> Iterator[list[_Source]]:
        batch: list[_Source] = []
        size = number = 0
        for number, image in enumerate(self._images, 1):
            batch.append(self._source(image, number - 1))
            size += len(batch[-1][1] or b"")
            if len(batch) >= _MOST_IMAGES or size >= _MOST_BYTES:
                yield batch
                batch, size = [], 0
        if batch or number == 0:
            yield batch


class Stack:
    """Arrays along their first axis, one after the other in one array; `length` rows are expected."""

    def __init__(self, length: int) -> None:
        self._length, self._used = length, 0
        self._all: NDArray[Any] | None = None

    def add(self, part: NDArray[Any]) -> None:
        used = self._used + len(part)
        if self._all is None and len(part) >= self._length:
            self._all = part
        elif self._all is None:
            self._all = np.empty((self._length, *part.shape[1:]), part.dtype)
        if used > len(self._all):  # of an iterator; memory that is not written to costs nothing
            self._all.resize((max(used, 2 * len(self._all)), *part.shape[1:]), refcheck=False)
        if self._all is not part:
            self._all[self._used:used] = part
        self._used = used

    def array(self) -> NDArray[Any]:
        assert self._all is not None
        if self._used < len(self._all):
            self._all.resize((self._used, *self._all.shape[1:]), refcheck=False)
        return self._all
