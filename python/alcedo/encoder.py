"""From descriptors to encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alcedo import _alcedo
from alcedo.checks import seed_number, text
from alcedo.pickles import reading, state_of
from alcedo.progress import reporting
from alcedo.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from alcedo._options import EncoderOptions
    from alcedo._types import EncoderName, Progress, Rows
    from alcedo.words import Words


def native(encoder: Encoder | None) -> _alcedo.Encoder | None:
    """The compiled half of an encoder."""
    if encoder is None:
        return None
    found = getattr(encoder, "_native", None)
    if not isinstance(found, _alcedo.Encoder):
        raise TypeError(f"encoder must be an alcedo.Encoder, not {type(encoder).__name__}")
    return found


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

    def __init__(self, vocabulary: Vocabulary | Words, encoder: EncoderName = "auto", *, seed: int = 0,
                 threads: int | None = None, **options: Unpack[EncoderOptions]) -> None:
        if not isinstance(vocabulary, Vocabulary):
            vocabulary = Vocabulary(vocabulary)
        seed = seed_number(seed)
        self._arguments = (text(encoder, "encoder"), seed, {**options})
        self.vocabulary = vocabulary
        self._native = _alcedo.Encoder(vocabulary._native, encoder, seed, threads, {**options})

    @property
    def name(self) -> str:
        """Of the encoder that was chosen: "fv"."""
        return self._native.name

    @property
    def dimension(self) -> int:
        """Of the encodings."""
        return self._native.dimension

    @property
    def descriptor_dimension(self) -> int:
        """Of the descriptors, before any projection."""
        return self._native.descriptor_dimension

    # One Encodings, or a list of them: which of the two, only the rows themselves know.
    def encode(self, rows: Rows, *, offsets: ArrayLike | None = None, threads: int | None = None,
               progress: Progress | None = None) -> Any:
        """Encode one bag of descriptors, or several.

        Parameters
        ----------
        rows, offsets, threads, progress
            As in `pool`.

        Returns
        -------
        Encodings, or list of Encodings

        Examples
        --------
        >>> import alcedo
        >>> bov = alcedo.Encoder(alcedo.Codebook([[0.0, 0.0], [9.0, 9.0]]), "bov")
        >>> bov.encode([[1.0, 0.0], [8.0, 9.0]]).to_dense()
        array([[1., 0.],
               [0., 1.]], dtype=float32)
        """
        with reporting(progress, "bags") as report:
            return _alcedo.encode(self._native, rows, offsets, threads, report)

    def __repr__(self) -> str:
        return f"<alcedo.Encoder: {self.name}, {self.descriptor_dimension} dimensions to {self.dimension}>"

    def __getstate__(self) -> dict[str, Any]:
        encoder, seed, options = self._arguments
        return state_of(vocabulary=self.vocabulary, encoder=encoder, seed=seed, options=options)

    def __setstate__(self, state: Any) -> None:
        with reading(state, vocabulary=Vocabulary, encoder=str, seed=int, options=dict):
            Encoder.__init__(self, state["vocabulary"], state["encoder"], seed=state["seed"], **state["options"])


def _document() -> None:
    """The options of every encoder, from the library's own list, at the end of the documentation."""
    lines = ["", "    Options of the encoders", "    -----------------------"]
    for encoder in _alcedo.encoder_names():
        for keyword, default, kind, text in _alcedo.encoder_fields(encoder):
            lines += [f'    {keyword} : {kind}, default {default!r}, of encoder "{encoder}"', f"        {text}"]
    Encoder.__doc__ = (Encoder.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
