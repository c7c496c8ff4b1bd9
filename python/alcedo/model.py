"""Models: from images to classes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, overload

from alcedo import _alcedo
from alcedo.batches import Batches, Stack
from alcedo.convergence import Solves
from alcedo.errors import InvalidArgument
from alcedo.paths import path_bytes
from alcedo.pickles import reading, state_of
from alcedo.progress import reporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from alcedo._types import Image, Images, ListOfImages, Progress
    from alcedo.batches import Failures

    Scores = NDArray[np.float64]


class Model:
    """A model of ``alcedo train``: vocabularies, encoders and linear classifiers in one file. See `load_model`.

    Attributes
    ----------
    classes : list of str
    multi_label : bool
        Whether an image may be of several classes.
    training : dict
        Where the model comes from: the dataset, its number of images, how good it was in validation.

    Examples
    --------
    >>> import alcedo
    >>> model = alcedo.load_model("stripes.safetensors")
    >>> model
    <alcedo.Model: 2 classes, trained on folder stripes>
    >>> model.classes, model.multi_label, model.training["images"]
    (['across', 'down'], False, 20)
    """

    _native: _alcedo.Predictor

    def __init__(self) -> None:
        raise TypeError("a Model is read from a file, by load_model")

    @property
    def classes(self) -> list[str]:
        return list(self._native.classes)

    @property
    def multi_label(self) -> bool:
        return self._native.multi_label

    @property
    def training(self) -> dict[str, Any]:
        return self._native.training

    def _run(self, images: Images, threads: int | None, progress: Progress | None,
             return_failures: bool) -> tuple[bool, Scores, Scores | None, list[int], Failures]:
        batches, solves = Batches(images, bool(return_failures)), Solves()
        all_scores, all_probabilities, all_best = Stack(batches.length), Stack(batches.length), list[int]()

        def predict(sources: list[Any], report: Any) -> Failures:
            scores, probabilities, best, failures, counts = self._native.predict(sources, threads, report,
                                                                                 bool(return_failures))
            all_scores.add(scores)
            if probabilities is not None:
                all_probabilities.add(probabilities)
            all_best.extend(best)
            solves.add(*counts)
            return failures

        with reporting(progress, "images") as report:
            batches.run(predict, report)
        solves.warn("of images")
        probabilities = all_probabilities.array() if self._native.calibrated else None
        return batches.single, all_scores.array(), probabilities, all_best, batches.failures

    @overload
    def scores(self, images: Images, *, threads: int | None = ..., progress: Progress | None = ...,
               return_failures: Literal[False] = ...) -> Scores: ...
    @overload
    def scores(self, images: Images, *, threads: int | None = ..., progress: Progress | None = ...,
               return_failures: Literal[True]) -> tuple[Scores, Failures]: ...
    def scores(self, images: Images, *, threads: int | None = None, progress: Progress | None = None,
               return_failures: bool = False) -> Scores | tuple[Scores, Failures]:
        """Scores of images for every class, ``(n, classes)``; of one image ``(classes,)``. The larger the more likely.

        Parameters
        ----------
        images, threads, progress, return_failures
            As in `ImageEncoder.encode`; the scores of a bad image are zeros.

        Examples
        --------
        >>> import alcedo
        >>> model = alcedo.load_model("stripes.safetensors")
        >>> model.scores(["up.png", "down.png"]).shape
        (2, 2)
        """
        single, scores, _, _, failures = self._run(images, threads, progress, return_failures)
        scores = scores[0] if single else scores
        return (scores, failures) if return_failures else scores

    @overload
    def probabilities(self, images: Images, *, threads: int | None = ..., progress: Progress | None = ...,
                      return_failures: Literal[False] = ...) -> Scores: ...
    @overload
    def probabilities(self, images: Images, *, threads: int | None = ..., progress: Progress | None = ...,
                      return_failures: Literal[True]) -> tuple[Scores, Failures]: ...
    def probabilities(self, images: Images, *, threads: int | None = None, progress: Progress | None = None,
                      return_failures: bool = False) -> Scores | tuple[Scores, Failures]:
        """The probability of every class against the rest, for models of ``alcedo train --probabilities``.

        Parameters
        ----------
        images, threads, progress, return_failures
            As in `ImageEncoder.encode`; the probabilities of a bad image are zeros.

        Examples
        --------
        >>> import alcedo
        >>> model = alcedo.load_model("stripes.safetensors")
        >>> model.probabilities("up.png").argmax() == model.classes.index("across")
        True
        """
        if not self._native.calibrated:
            raise InvalidArgument("", "the model has no probabilities: train it with --probabilities", "")
        single, _, values, _, failures = self._run(images, threads, progress, return_failures)
        assert values is not None
        values = values[0] if single else values
        return (values, failures) if return_failures else values

    @overload  # type: ignore[misc]  # a str is an image, and as a sequence of str a list of images
    def predict(self, images: Image, *, threads: int | None = ..., progress: Progress | None = ...,
                return_failures: Literal[False] = ...) -> str: ...
    @overload  # type: ignore[misc]
    def predict(self, images: Image, *, threads: int | None = ..., progress: Progress | None = ...,
                return_failures: Literal[True]) -> tuple[str | None, Failures]: ...
    @overload
    def predict(self, images: ListOfImages, *, threads: int | None = ..., progress: Progress | None = ...,
                return_failures: Literal[False] = ...) -> list[str]: ...
    @overload
    def predict(self, images: ListOfImages, *, threads: int | None = ..., progress: Progress | None = ...,
                return_failures: Literal[True]) -> tuple[list[str | None], Failures]: ...
    def predict(self, images: Images, *, threads: int | None = None, progress: Progress | None = None,
                return_failures: bool = False) -> Any:
        """The most likely class of every image, a list of names; of one image its name.

        Parameters
        ----------
        images, threads, progress, return_failures
            As in `ImageEncoder.encode`; the class of a bad image is None.

        Examples
        --------
        >>> import alcedo
        >>> model = alcedo.load_model("stripes.safetensors")
        >>> model.predict(["up.png", "down.png"])
        ['across', 'down']
        """
        single, _, _, best, failures = self._run(images, threads, progress, return_failures)
        classes = self.classes
        names = [None if i in failures else classes[c] for i, c in enumerate(best)]
        found = names[0] if single else names
        return (found, failures) if return_failures else found

    def __repr__(self) -> str:
        return f"<alcedo.Model: {len(self.classes)} classes, trained on {self.training['dataset']}>"

    def __getstate__(self) -> dict[str, Any]:
        return state_of(model=self._native.to_bytes())

    def __setstate__(self, state: Any) -> None:
        with reading(state, model=bytes):
            self._native = _alcedo.Predictor.from_bytes(state["model"])


def load_model(path: str | bytes | os.PathLike[str]) -> Model:
    """A model of ``alcedo train``.

    Parameters
    ----------
    path : path

    Returns
    -------
    Model

    Examples
    --------
    >>> import alcedo
    >>> alcedo.load_model("stripes.safetensors").predict("up.png")
    'across'
    """
    model = Model.__new__(Model)
    model._native = _alcedo.Predictor.open(path_bytes(path))
    return model
