"""From descriptors to encodings."""

from alcedo import _alcedo
from alcedo.vocabulary import Vocabulary


class Encoder:
    """Encodes descriptors with the words of a vocabulary; prepared once, for any number of images.

    Parameters
    ----------
    vocabulary : Vocabulary, Codebook, GaussianMixture, Dictionary or RandomFourier
        If it has a projection, descriptors are projected first.
    encoder : {"auto", "bov", "soft-bov", "llc", "sparse", "vlad", "sv", "fv", "emk"}
        "auto" is what the vocabulary is made for: Fisher Vectors ("fv") for a mixture, VLAD for a codebook, sparse
        coding for a dictionary, EMK for Fourier features.
    seed : int
        For EMK with a vocabulary of another kind: of the frequencies that are drawn.
    threads : int, optional
        For the tables; by default one for each core.
    **options
        The options of the encoder: ``help(alcedo.Encoder)`` lists them at its end.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> codebook = alcedo.Codebook.fit(rng.normal(size=(500, 8)), clusters=16)
    >>> vlad = alcedo.Encoder(codebook, "vlad")
    >>> images = [rng.normal(size=(n, 8)) for n in (30, 50, 20)]
    >>> alcedo.pool(images, encoder=vlad, lambda_=1, power=0.5, l2=True).shape
    (3, 128)
    >>> vlad.encode(images[0])
    <alcedo.Encodings: 30 rows of 16 x 8>
    """

    def __init__(self, vocabulary, encoder="auto", *, seed=0, threads=None, **options):
        if not isinstance(vocabulary, Vocabulary):
            vocabulary = Vocabulary(vocabulary)
        self._arguments = (encoder, seed, dict(options))
        self.vocabulary = vocabulary
        self._native = _alcedo.Encoder(vocabulary._native, encoder, seed, threads, options)

    @property
    def name(self):
        """Of the encoder that was chosen: "fv"."""
        return self._native.name

    @property
    def dimension(self):
        """Of the encodings."""
        return self._native.dimension

    @property
    def descriptor_dimension(self):
        """Of the descriptors, before any projection."""
        return self._native.descriptor_dimension

    def encode(self, rows, *, offsets=None, threads=None, progress=None):
        """Encodings of one bag of descriptors, or a list of them of several; bags as in `pool`."""
        return _alcedo.encode(self._native, rows, offsets, threads, progress)

    def __repr__(self):
        return f"<alcedo.Encoder: {self.name}, {self.descriptor_dimension} dimensions to {self.dimension}>"

    def __reduce__(self):
        encoder, seed, options = self._arguments
        return _make, (self.vocabulary, encoder, seed, options)


def _make(vocabulary, encoder, seed, options):
    return Encoder(vocabulary, encoder, seed=seed, **options)


def _document():
    """The options of every encoder, from the library's own list, at the end of the documentation."""
    lines = ["", "    Options of the encoders", "    -----------------------"]
    for encoder in _alcedo.encoder_names():
        for keyword, default, kind, text in _alcedo.encoder_fields(encoder):
            lines += [f'    {keyword} : {kind}, default {default!r}, of encoder "{encoder}"', f"        {text}"]
    Encoder.__doc__ += "\n".join(lines) + "\n    "


_document()
