"""Who solves what: a bag that several threads or processes need at the same time is solved by one of them.

A claim is on one key, and is never waited for while another one is held: so nobody waits in a circle, and who works on
other bags waits for nobody. Between processes, a key is one byte of the file "lock" in the folder that they share,
locked with lockf. Such locks belong to a process: they end with it, and a fork does not copy them.
"""

import contextlib
import errno
import os
import pathlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

try:
    import fcntl
except ImportError:  # not a POSIX system: two processes may solve the same bag, both correctly
    fcntl = None  # type: ignore[assignment]

_POLL_S = 0.02  # a look at what other processes hold


class Claims:
    """The keys that this process works on, of its own store or of the one in a folder."""

    def __init__(self, folder: Any = None) -> None:
        self.folder = folder
        self.keys: set[str] = set()
        self.changed = threading.Condition()
        self.file: Any = None

    def claim(self, keys: Iterable[str], most: int) -> list[str]:
        """Those of the keys, at most so many, that nobody works on; they are now the caller's."""
        got: list[str] = []
        with self.changed:
            for key in keys:
                if len(got) >= most:
                    break
                if key not in self.keys and self._lock(key):
                    self.keys.add(key)
                    got.append(key)
        return got

    def release(self, keys: Iterable[str]) -> None:
        with self.changed:
            for key in keys:
                self.keys.discard(key)
                if self.file is not None:
                    with contextlib.suppress(OSError):  # a file system without locks
                        fcntl.lockf(self.file, fcntl.LOCK_UN, 1, _place(key))
            if not self.keys and self.file is not None:  # closing it ends all locks of the process on it
                self.file.close()
                self.file = None
            self.changed.notify_all()

    def wait(self, keys: Iterable[str]) -> None:
        """Until one of the keys may be free."""
        with self.changed:
            if self.folder is not None:
                self.changed.wait(_POLL_S)
            elif all(key in self.keys for key in keys):
                self.changed.wait()

    def _lock(self, key: str) -> bool:
        if self.folder is None or fcntl is None:
            return True
        if self.file is None:
            self.file = open(self.folder / "lock", "ab")
        try:
            fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except OSError as error:  # a file system without locks: two processes may solve the same bag
            return error.errno not in (errno.EACCES, errno.EAGAIN)
        return True


def _place(key: str) -> int:
    return int(key[:15], 16)


_lock = threading.Lock()
_of_folders: dict[pathlib.Path, Claims] = {}


def claims_of(folder: pathlib.Path) -> Claims:
    """The one of this process: a second one would end the locks of the first."""
    with _lock:
        return _of_folders.setdefault(folder.resolve(), Claims(folder))


def after_fork() -> None:
    """In the child: what is claimed by the threads of the parent is not claimed by threads that are here."""
    global _lock
    _lock = threading.Lock()
    _of_folders.clear()


@contextlib.contextmanager
def held(claims: Claims, keys: Iterable[str], most: int) -> Iterator[list[str]]:
    got = claims.claim(keys, most)
    try:
        yield got
    finally:
        claims.release(got)


def once(claims: Claims, keys: list[str], take: Callable[[str], bool], make: Callable[[list[str]], None],
         most: int) -> None:
    """Has every key taken or made: ``take(key)`` finds what was made by anybody, and ``make(keys)`` makes at most
    so many at a time."""
    while keys:
        with held(claims, keys, most) as got:
            left = [key for key in got if not take(key)]  # it may have been made since it was last looked for
            if left:
                make(left)
        settled = set(got)
        others = [key for key in keys if key not in settled]
        if others and not got:
            claims.wait(others)
            others = [key for key in others if not take(key)]
        keys = others
