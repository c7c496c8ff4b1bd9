"""Models: from images to classes."""

from alcedo import _alcedo
from alcedo.errors import FormatError, InvalidArgument
from alcedo.images import _sources
from alcedo.paths import path_bytes
from alcedo.progress import reporting


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

    @property
    def classes(self):
        return list(self._native.classes)

    @property
    def multi_label(self):
        return self._native.multi_label

    @property
    def training(self):
        return self._native.training

    def _run(self, images, threads, progress, return_failures):
        single, sources, refused = _sources(images, return_failures)
        with reporting(progress, "images") as report:
            scores, probabilities, best, failures = self._native.predict(sources, threads, report, bool(return_failures))
        failures.update(refused)
        return single, scores, probabilities, best, failures

    def scores(self, images, *, threads=None, progress=None, return_failures=False):
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

    def probabilities(self, images, *, threads=None, progress=None, return_failures=False):
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
        values = values[0] if single else values
        return (values, failures) if return_failures else values

    def predict(self, images, *, threads=None, progress=None, return_failures=False):
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
        names = names[0] if single else names
        return (names, failures) if return_failures else names

    def __repr__(self):
        return f"<alcedo.Model: {len(self.classes)} classes, trained on {self.training['dataset']}>"

    def __getstate__(self):
        return {"alcedo": _alcedo.__version__, "model": self._native.to_bytes()}

    def __setstate__(self, state):
        if not isinstance(state, dict) or not isinstance(state.get("model"), bytes):
            raise FormatError("", "the pickle has no model")
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

    Examples
    --------
    >>> import alcedo
    >>> alcedo.load_model("stripes.safetensors").predict("up.png")
    'across'
    """
    model = Model.__new__(Model)
    model._native = _alcedo.Predictor.open(path_bytes(path))
    return model
