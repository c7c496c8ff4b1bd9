"""Where lambda paths and vocabularies are kept: in this process, or in a folder that several processes share."""

import hashlib
import io
import os
import pathlib
import tempfile
import threading
import warnings
from collections import OrderedDict
from typing import Any

import numpy as np

import alcedo
from alcedo import _alcedo
from alcedo.sklearn.claims import Claims, claims_of

_VOCABULARIES = 16  # learned ones that are kept: a few for each of the folds that are worked on


def digest(*parts: Any) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


class InMemory:
    """Paths and vocabularies of this process, the least recently used ones dropped; for any number of threads."""

    def __init__(self, mib: float) -> None:
        self.limit = int(mib * 2**20)
        self.size = 0
        self.paths: OrderedDict[str, Any] = OrderedDict()
        self.vocabularies: OrderedDict[str, Any] = OrderedDict()
        self.lock = threading.RLock()
        self.claims = Claims()

    def after_fork(self) -> None:
        """In the child: locks and claims of the parent may be held by a thread that is not here."""
        self.lock = threading.RLock()
        self.claims = Claims()

    def path(self, key: str) -> Any:
        with self.lock:
            if key in self.paths:
                self.paths.move_to_end(key)
            return self.paths.get(key)

    def keep_path(self, key: str, path: Any) -> None:
        with self.lock:
            self.size += path.nbytes - getattr(self.paths.pop(key, None), "nbytes", 0)
            self.paths[key] = path
            over = self.size > self.limit > 0
            self.shrink()
        if over:
            warnings.warn(f"the lambda paths of all bags take more than {self.limit / 2**20:g} MiB, and are solved "
                          "again for other lambdas: give alcedo.sklearn.limit_paths more, or memory a folder",
                          stacklevel=2)

    def shrink(self) -> None:
        with self.lock:
            while self.size > self.limit:
                self.size -= self.paths.popitem(last=False)[1].nbytes

    def clear(self) -> None:
        with self.lock:
            self.paths.clear()
            self.vocabularies.clear()
            self.size = 0

    def vocabulary(self, key: str) -> Any:
        with self.lock:
            return self.vocabularies.get(key)

    def keep_vocabulary(self, key: str, vocabulary: Any) -> None:
        with self.lock:
            self.vocabularies[key] = vocabulary
            while len(self.vocabularies) > _VOCABULARIES:
                self.vocabularies.popitem(last=False)


class InFolder:
    """The same as files, which several processes share. Files appear whole; who uses them may delete them.

    A path is a file of NumPy, followed by a hash of its key and its contents: one that is damaged is solved again.
    """

    def __init__(self, folder: Any) -> None:
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.claims = claims_of(self.folder)

    def path(self, key: str) -> Any:
        try:
            content = (self.folder / f"{key}.npy").read_bytes()
            body, seal = content[:-32], content[-32:]
            if seal != self._seal(key, body):
                return None
            path = np.load(io.BytesIO(body), allow_pickle=False)
        except Exception:  # missing, or a file of something else that NumPy stumbles over
            return None
        return path if np.isfinite(path).all() else None

    def keep_path(self, key: str, path: Any) -> None:
        buffer = io.BytesIO()
        np.save(buffer, path, allow_pickle=False)
        body = buffer.getvalue()
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body + self._seal(key, body))
            os.replace(name, self.folder / f"{key}.npy")
        except BaseException:
            os.unlink(name)
            raise

    @staticmethod
    def _seal(key: str, body: bytes) -> bytes:
        return digest(key, len(body), _alcedo.content_hash(np.frombuffer(body, np.uint8))).encode()

    def vocabulary(self, key: str) -> Any:
        try:
            return alcedo.Vocabulary.load(self.folder / f"{key}.safetensors")
        except Exception:  # missing or damaged: learned again
            return None

    def keep_vocabulary(self, key: str, vocabulary: Any) -> None:
        vocabulary.save(self.folder / f"{key}.safetensors")
