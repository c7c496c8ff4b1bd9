"""Models: from images to classes."""

import os


from alcedo import _alcedo
from alcedo.errors import FormatError, InvalidArgument
from alcedo.images import _source


class Model:
    """A model of ``alcedo train``: vocabularies, encoders and linear classifiers in one file. See `load_model`.

    Attributes
    ----------
    classes : list of str
    multi_label : bool
        Whether an image may be of several classes.
    training : dict
        Where the model comes from: the dataset, its number of images, how good it was in validation.
    """

    @property
    def classes(self):
        return self._native.classes

    @property
    def multi_label(self):
        return self._native.multi_label

    @property
    def training(self):
        return self._native.training

    def _run(self, images, threads, progress, return_failures):
        single = not isinstance(images, (list, tuple))
        sources = [_source(image, "image" if single else f"images[{i}]") for i, image in enumerate([images] if single else images)]
        scores, probabilities, failures = self._native.predict(sources, threads, progress, return_failures)
        return single, scores, probabilities, failures

    def scores(self, images, *, threads=None, progress=None, return_failures=False):
        """Scores of images for every class, ``(n, classes)``; of one image ``(classes,)``. The larger the more likely.

        Images, threads, progress and return_failures are those of `ImageEncoder.encode`.
        """
        single, scores, _, failures = self._run(images, threads, progress, return_failures)
        scores = scores[0] if single else scores
        return (scores, failures) if return_failures else scores

    def probabilities(self, images, *, threads=None, progress=None, return_failures=False):
        """The probability of every class against the rest, for models of ``alcedo train --probabilities``."""
        single, _, values, failures = self._run(images, threads, progress, return_failures)
        if values is None:
            raise InvalidArgument("", "the model has no probabilities: train it with --probabilities", "")
        values = values[0] if single else values
        return (values, failures) if return_failures else values

    def predict(self, images, *, threads=None, progress=None, return_failures=False):
        """The most likely class of every image; None for a bad one, with `return_failures`."""
        single, scores, values, failures = self._run(images, threads, progress, return_failures)
        classes = self.classes
        # By probability, and by score if those are equal up to rounding.
        best = [max(range(len(classes)), key=lambda c: (0.0 if values is None else values[i, c], scores[i, c], -c))
                for i in range(len(scores))]
        names = [None if i in failures else classes[c] for i, c in enumerate(best)]
        names = names[0] if single else names
        return (names, failures) if return_failures else names

    def __repr__(self):
        return f"<alcedo.Model: {len(self.classes)} classes, trained on {self.training['dataset']}>"

    def __getstate__(self):
        return {"alcedo": _alcedo.__version__, "model": self._native.to_bytes()}

    def __setstate__(self, state):
        try:
            self._native = _alcedo.Predictor.from_bytes(state["model"])
        except FormatError as error:
            written = state.get("alcedo", "an unknown version")
            raise FormatError("", f"the pickle, of alcedo {written}, cannot be read: {error.reason}") from error


def load_model(path):
    """A model of ``alcedo train``.

    Parameters
    ----------
    path : path

    Returns
    -------
    Model
    """
    model = Model.__new__(Model)
    model._native = _alcedo.Predictor.open(os.fspath(path))
    return model
