"""Vocabularies on plain matrices: what a row of X is, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

import alcedo
from alcedo import _alcedo
from alcedo.sklearn.validation import FLOATS, KeepsFloat32, seed_of, validate_data, with_learning

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from alcedo._types import EncoderName, Kind

_OF_CENTRES = ("bov", "soft-bov", "llc", "vlad", "sv")


class _Vocabulary(KeepsFloat32, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What both have in common; `_kind` and `_size` are theirs."""

    _kind: Kind
    _size: str

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn the projection and the words from the rows of X.

        Parameters
        ----------
        X : array of n x d
        y : ignored

        Returns
        -------
        self
        """
        X = validate_data(self, X, dtype=FLOATS)
        how = with_learning({"pca": self.pca, "whiten": self.whiten, "seed": seed_of(self.random_state),
                             "threads": self.threads, self._size: getattr(self, self._size)}, self.learning)
        self.vocabulary_ = alcedo.Vocabulary.fit(X, self._kind, **how)
        return self

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.vocabulary_.project(validate_data(self, X, dtype=FLOATS, reset=False), threads=self.threads)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The name of the class in small letters, with a number. `input_features` is not used."""
        check_is_fitted(self)
        return np.asarray([f"{type(self).__name__.lower()}{i}" for i in range(self._n_features_out)], dtype=object)


class GaussianMixtureVocabulary(_Vocabulary):
    """A Gaussian mixture of the rows of X, as Fisher Vectors need it: `transform` gives posteriors.

    Parameters
    ----------
    gaussians : int
        How many there are.
    pca : int
        Dimensions of a projection that is learned first; 0: no projection.
    whiten : bool
        Scale every component of it to unit variance.
    learning : dict, optional
        The other options of the fit: ``help(alcedo.GaussianMixture)`` lists them.
    random_state : int, RandomState instance or None
        An int is the seed of ``alcedo.GaussianMixture.fit``.
    threads : int, optional
        At most so many; by default one for each core.

    Attributes
    ----------
    vocabulary_ : alcedo.Vocabulary
        For `FisherVectors`, `alcedo.Encoder`, and to save.
    weights_, means_, variances_ : array
        Of the Gaussians.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import GaussianMixtureVocabulary
    >>> rng = np.random.default_rng(0)
    >>> rows = np.concatenate([rng.normal(-5, 1, (100, 2)), rng.normal(5, 1, (100, 2))])
    >>> mixture = GaussianMixtureVocabulary(gaussians=2).fit(rows)
    >>> mixture.transform(rows[[0, -1]]).round(2).max(axis=1)
    array([1., 1.])
    >>> len(set(mixture.predict(rows[:100]))), mixture.vocabulary_
    (1, <alcedo.Vocabulary: gmm of 2 words, 2 dimensions>)
    """

    _kind, _size = "gmm", "gaussians"

    def __init__(self, gaussians: int = 256, *, pca: int = 0, whiten: bool = False, learning: Any = None,
                 random_state: Any = 0, threads: Any = None) -> None:
        self.gaussians = gaussians
        self.pca = pca
        self.whiten = whiten
        self.learning = learning
        self.random_state = random_state
        self.threads = threads

    @property
    def _mixture(self) -> alcedo.GaussianMixture:
        words = self.vocabulary_.words
        assert isinstance(words, alcedo.GaussianMixture)
        return words

    def _posteriors(self, X: Any) -> tuple[NDArray[np.float32], float]:
        """And the mean log-likelihood."""
        return _alcedo.posteriors(self._mixture._native, self._rows(X), self.threads)

    def transform(self, X: Any) -> Any:
        """The posterior of every Gaussian for every row.

        Parameters
        ----------
        X : array of n x d

        Returns
        -------
        array of n x gaussians
            Of sum 1 in every row.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return self._posteriors(X)[0].astype(X.dtype, copy=False)

    def predict(self, X: Any) -> Any:
        """The most likely Gaussian of every row."""
        return self.transform(X).argmax(axis=1)

    def predict_proba(self, X: Any) -> Any:
        """The same as `transform`, for what looks for this name."""
        return self.transform(X)

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log-likelihood of the rows; `y` is ignored."""
        check_is_fitted(self)
        return float(self._posteriors(X)[1])

    @property
    def weights_(self) -> NDArray[np.float64]:
        return self._mixture.weights

    @property
    def means_(self) -> NDArray[np.float32]:
        return self._mixture.means

    @property
    def variances_(self) -> NDArray[np.float32]:
        return self._mixture.variances

    @property
    def _n_features_out(self) -> int:
        return len(self.weights_)


class KMeansVocabulary(_Vocabulary):
    """The centres of k-means of the rows of X, as VLAD and bags of visual words need them: `transform` gives codes.

    Parameters
    ----------
    clusters : int
        How many there are.
    encoder : {"bov", "soft-bov", "llc", "vlad", "sv"}
        What `transform` gives for a row: 1 for the nearest centre, weights of the nearest few, and so on.
    encoding : dict, optional
        Options of the encoder: ``help(alcedo.Encoder)`` lists them.
    pca, whiten, random_state, threads
        As in `GaussianMixtureVocabulary`.
    learning : dict, optional
        The other options of the fit: ``help(alcedo.Codebook)`` lists them.

    Attributes
    ----------
    vocabulary_ : alcedo.Vocabulary
        For `Vlad`, `alcedo.Encoder`, and to save.
    cluster_centers_ : array of clusters x d
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import KMeansVocabulary
    >>> rng = np.random.default_rng(0)
    >>> rows = np.concatenate([rng.normal(-5, 1, (100, 2)), rng.normal(5, 1, (100, 2))])
    >>> words = KMeansVocabulary(clusters=2).fit(rows)
    >>> sorted(words.transform(rows).sum(axis=0).tolist())
    [100.0, 100.0]
    """

    _kind, _size = "kmeans", "clusters"

    def __init__(self, clusters: int = 256, *, encoder: EncoderName = "bov", encoding: Any = None, pca: int = 0,
                 whiten: bool = False, learning: Any = None, random_state: Any = 0, threads: Any = None) -> None:
        self.clusters = clusters
        self.encoder = encoder
        self.encoding = encoding
        self.pca = pca
        self.whiten = whiten
        self.learning = learning
        self.random_state = random_state
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn the projection and the centres from the rows of X; `y` is ignored."""
        if self.encoder not in _OF_CENTRES:
            raise alcedo.InvalidArgument("encoder", f"must be {', '.join(_OF_CENTRES[:-1])} or {_OF_CENTRES[-1]}",
                                         repr(self.encoder))
        super().fit(X, y)
        self.encoder_ = alcedo.Encoder(self.vocabulary_, self.encoder, threads=self.threads, **(self.encoding or {}))
        return self

    def transform(self, X: Any) -> Any:
        """The code of every row.

        Parameters
        ----------
        X : array of n x d

        Returns
        -------
        array of n x clusters
            Of encoders whose codes are longer, n x that.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return self.encoder_.encode(X, threads=self.threads).to_dense().astype(X.dtype, copy=False)

    def predict(self, X: Any) -> Any:
        """The nearest centre of every row."""
        rows = self._rows(X)
        return _alcedo.nearest_words(self._codebook._native, rows, self.threads)

    @property
    def _codebook(self) -> alcedo.Codebook:
        words = self.vocabulary_.words
        assert isinstance(words, alcedo.Codebook)
        return words

    @property
    def cluster_centers_(self) -> NDArray[np.float32]:
        return self._codebook.centers

    @property
    def _n_features_out(self) -> int:
        return int(self.encoder_.dimension)
