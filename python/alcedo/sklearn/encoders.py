"""Vocabularies that are learned from the training bags, and the encodings that they give, pooled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

import alcedo
from alcedo.sklearn import paths
from alcedo.sklearn.bags import BagTransformer
from alcedo.sklearn.pooling import pooled, size_checked
from alcedo.sklearn.validation import seed_of, with_learning

if TYPE_CHECKING:
    from alcedo._types import EncoderName, Kind

_PARAMETERS = """
    pca : int
        Dimensions of a projection that is learned first; 0: no projection.
    whiten : bool
        Scale every component of it to unit variance.
    vocabulary : alcedo.Vocabulary, words or str, optional
        A vocabulary that was learned elsewhere, words alone such as an alcedo.Codebook, or "sift" or "color", which
        are part of the package: then `fit` learns nothing, and what says how to learn is not used.
    learning : dict, optional
        The other options of the fit: ``help({model})`` lists them.
    max_rows : int
        Learn from at most so many rows of all bags, drawn at random.
    random_state : int, RandomState instance or None
        Of the rows and of the fit. An int gives the same vocabulary each time.
    lambda_, relative, method, nonnegative, power, block_l2, l2, options, path, memory, threads
        How encodings are pooled: see `GeneralizedMaxPooling`. With `path` or `memory` the vocabulary is also learned
        once for all copies of the estimator that see the same rows.

    Attributes
    ----------
    vocabulary_ : alcedo.Vocabulary
    encoder_ : alcedo.Encoder
    n_features_in_ : int
        Dimensions of the rows.
"""


def sample_of(bags: list[Any], most: int, seed: int) -> Any:
    """At most so many of the rows of all bags, each with the same chance, in their order."""
    if not isinstance(most, (int, np.integer)) or most < 1:
        raise alcedo.InvalidArgument("max_rows", "must be a whole number >= 1", repr(most))
    if not all(isinstance(bag, np.ndarray) for bag in bags):
        raise TypeError("X must be arrays of descriptors, not Encodings")
    ends = np.cumsum([len(bag) for bag in bags])
    if ends[-1] <= most:
        return np.concatenate(bags)
    chosen = np.sort(np.random.default_rng(seed).choice(ends[-1], most, replace=False))
    parts = np.split(chosen, np.searchsorted(chosen, ends[:-1]))
    return np.concatenate([bag[part - (end - len(bag))] for bag, part, end in zip(bags, parts, ends)])


class _LearnedEncoding(BagTransformer, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What the three have in common; `_kind`, `_encoder`, `_size` and `_encoder_options` are theirs."""

    _kind: Kind
    _encoder: EncoderName
    _size: str
    _encoder_options: tuple[str, ...] = ()
    _last_learned = "encoder_"

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn the projection and the vocabulary from the rows of the bags.

        Parameters
        ----------
        X : list of arrays, array of bags x rows x dimensions, object array or pandas Series of arrays
        y : ignored

        Returns
        -------
        self
        """
        bags = self._bags(X, reset=True)
        size_checked(self, None, self.n_features_in_)  # before the vocabulary is learned, which may take hours
        if self.vocabulary is None:
            self.vocabulary_ = self._learn(bags)
        elif isinstance(self.vocabulary, str):
            self.vocabulary_ = alcedo.Vocabulary.load(self.vocabulary)
        elif isinstance(self.vocabulary, alcedo.Vocabulary):
            self.vocabulary_ = self.vocabulary
        else:  # words alone
            self.vocabulary_ = alcedo.Vocabulary(self.vocabulary)
        self.encoder_ = alcedo.Encoder(self.vocabulary_, self._encoder, threads=self.threads,
                                       **{name: getattr(self, name) for name in self._encoder_options})
        size_checked(self, self.encoder_, self.n_features_in_)
        return self

    def _learn(self, bags: list[Any]) -> Any:
        seed = seed_of(self.random_state)
        rows = sample_of(bags, self.max_rows, seed)
        if len(rows) == 0:
            raise ValueError("X has no rows to learn from: 0 sample(s)")
        how = with_learning({"pca": self.pca, "whiten": self.whiten, "seed": seed, "threads": self.threads,
                             self._size: getattr(self, self._size), **self._learning()}, self.learning)
        threads = how.pop("threads")  # no result depends on it, and no kept vocabulary

        def learn() -> Any:
            return alcedo.Vocabulary.fit(rows, self._kind, threads=threads, **how)

        if self.path is None and self.memory is None:
            return learn()
        return paths.learned(rows, (self._kind, sorted(how.items())), self.memory, learn)

    def _learning(self) -> dict[str, Any]:
        return {}

    def _pool(self, bags: list[Any]) -> Any:
        return pooled(bags, self, self.encoder_)

    def _dimension(self) -> int:
        return int(self.encoder_.dimension)


class FisherVectors(_LearnedEncoding):
    __doc__ = """Fisher Vectors of every bag, pooled: a Gaussian mixture is learned from the training bags.

    Parameters
    ----------
    gaussians : int
        How many Gaussians the mixture has.
    assignment : {"hard", "soft"}
        One Gaussian per row, or posteriors.""" + _PARAMETERS.format(model="alcedo.GaussianMixture") + """
    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import FisherVectors
    >>> rng = np.random.default_rng(0)
    >>> bags = [rng.normal(size=(n, 8)) for n in (300, 500, 200)]
    >>> fisher = FisherVectors(gaussians=4, pca=6, power=0.5, l2=True).fit(bags)
    >>> fisher.transform(bags).shape
    (3, 48)
    >>> fisher.vocabulary_
    <alcedo.Vocabulary: gmm of 4 words, 8 dimensions to 6>
    """

    _kind, _encoder, _size, _encoder_options = "gmm", "fv", "gaussians", ("assignment",)

    def __init__(self, gaussians: int = 256, *, assignment: str = "hard", pca: int = 0, whiten: bool = False,
                 vocabulary: Any = None, learning: Any = None, max_rows: int = 1000000, random_state: Any = 0,
                 lambda_: float = 1.0, relative: bool = True, method: str = "gmp", nonnegative: bool = False,
                 power: Any = None, block_l2: bool = False, l2: bool = False, options: Any = None, path: Any = None,
                 memory: Any = None, threads: Any = None) -> None:
        self.gaussians = gaussians
        self.assignment = assignment
        self.pca = pca
        self.whiten = whiten
        self.vocabulary = vocabulary
        self.learning = learning
        self.max_rows = max_rows
        self.random_state = random_state
        self.lambda_ = lambda_
        self.relative = relative
        self.method = method
        self.nonnegative = nonnegative
        self.power = power
        self.block_l2 = block_l2
        self.l2 = l2
        self.options = options
        self.path = path
        self.memory = memory
        self.threads = threads


class Vlad(_LearnedEncoding):
    __doc__ = """VLAD of every bag, pooled: the centres of k-means are learned from the training bags.

    Parameters
    ----------
    clusters : int
        How many centres there are.
    residual_l2 : bool
        Divide every residual by its norm.""" + _PARAMETERS.format(model="alcedo.Codebook") + """
    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import Vlad
    >>> rng = np.random.default_rng(0)
    >>> bags = [rng.normal(size=(n, 8)) for n in (300, 500, 200)]
    >>> Vlad(clusters=16, lambda_=1, power=0.5, l2=True).fit_transform(bags).shape
    (3, 128)
    """

    _kind, _encoder, _size, _encoder_options = "kmeans", "vlad", "clusters", ("residual_l2",)

    def __init__(self, clusters: int = 256, *, residual_l2: bool = False, pca: int = 0, whiten: bool = False,
                 vocabulary: Any = None, learning: Any = None, max_rows: int = 1000000, random_state: Any = 0,
                 lambda_: float = 1.0, relative: bool = True, method: str = "gmp", nonnegative: bool = False,
                 power: Any = None, block_l2: bool = False, l2: bool = False, options: Any = None, path: Any = None,
                 memory: Any = None, threads: Any = None) -> None:
        self.clusters = clusters
        self.residual_l2 = residual_l2
        self.pca = pca
        self.whiten = whiten
        self.vocabulary = vocabulary
        self.learning = learning
        self.max_rows = max_rows
        self.random_state = random_state
        self.lambda_ = lambda_
        self.relative = relative
        self.method = method
        self.nonnegative = nonnegative
        self.power = power
        self.block_l2 = block_l2
        self.l2 = l2
        self.options = options
        self.path = path
        self.memory = memory
        self.threads = threads


class EfficientMatchKernel(_LearnedEncoding):
    __doc__ = """The efficient match kernel (EMK) of every bag, pooled: random Fourier features of the Gaussian kernel.

    Parameters
    ----------
    outputs : int
        Random projections, the dimension of the vectors.
    sigma : float
        Bandwidth of the kernel; 0: the median distance between rows of the training bags.""" + _PARAMETERS.format(
        model="alcedo.RandomFourier") + """
    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import EfficientMatchKernel
    >>> rng = np.random.default_rng(0)
    >>> bags = [rng.normal(size=(n, 8)) for n in (300, 500, 200)]
    >>> EfficientMatchKernel(outputs=256, lambda_=1).fit_transform(bags).shape
    (3, 256)
    """

    _kind, _encoder, _size = "fourier", "emk", "outputs"

    def __init__(self, outputs: int = 2048, *, sigma: float = 0.0, pca: int = 0, whiten: bool = False,
                 vocabulary: Any = None, learning: Any = None, max_rows: int = 1000000, random_state: Any = 0,
                 lambda_: float = 1.0, relative: bool = True, method: str = "gmp", nonnegative: bool = False,
                 power: Any = None, block_l2: bool = False, l2: bool = False, options: Any = None, path: Any = None,
                 memory: Any = None, threads: Any = None) -> None:
        self.outputs = outputs
        self.sigma = sigma
        self.pca = pca
        self.whiten = whiten
        self.vocabulary = vocabulary
        self.learning = learning
        self.max_rows = max_rows
        self.random_state = random_state
        self.lambda_ = lambda_
        self.relative = relative
        self.method = method
        self.nonnegative = nonnegative
        self.power = power
        self.block_l2 = block_l2
        self.l2 = l2
        self.options = options
        self.path = path
        self.memory = memory
        self.threads = threads

    def _learning(self) -> dict[str, Any]:
        return {"sigma": self.sigma}
