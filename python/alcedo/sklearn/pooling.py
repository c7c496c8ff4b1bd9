"""Bags of rows to vectors, as a step of a pipeline."""

import copy
import inspect
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

import alcedo
from alcedo.sklearn import paths
from alcedo.sklearn.bags import BagTransformer

# What alcedo.pool takes by name: parameters of the estimator, or things of one call. Its other options are a method's.
_OF_POOL = frozenset(inspect.signature(alcedo.pool).parameters)


def _native_encoder(encoder: Any) -> Any:
    if isinstance(encoder, (alcedo.Vocabulary, alcedo.Codebook, alcedo.GaussianMixture, alcedo.Dictionary,
                            alcedo.RandomFourier)):
        return alcedo.Encoder(encoder)
    return encoder


def _require_number(lambda_: Any) -> None:
    if isinstance(lambda_, (str, bytes)) or not np.isscalar(lambda_):
        raise TypeError(f"lambda_ must be a number, got {lambda_!r}")


def _lambda_on_path(lambda_: Any, path: Any) -> tuple[list[float], int]:
    lambdas = [float(value) for value in path]
    if float(lambda_) not in lambdas:
        raise alcedo.InvalidArgument("lambda_", "must be a value of path", repr(lambda_))
    return lambdas, lambdas.index(float(lambda_))


def _options(given: Any) -> dict[str, Any]:
    options: dict[str, Any] = dict(given or {})
    others = sorted(_OF_POOL & options.keys())
    if others:
        raise alcedo.InvalidArgument("options", "must be options of the method alone", ", ".join(others),
                                     "help(alcedo.pool) lists them at its end")
    return options


def size_checked(settings: Any, encoder: Any, dimension: int) -> int:
    """The size of a vector; refuses bad parameters of pooling, without a look at any bag."""
    _require_number(settings.lambda_)
    if settings.path is not None and settings.method == "gmp":
        _lambda_on_path(settings.lambda_, settings.path)
    without_path = copy.copy(settings)
    without_path.path = None
    return int(pooled([np.zeros((0, dimension))], without_path, encoder).shape[1])


def pooled(bags: list[Any], settings: Any, encoder: Any) -> Any:
    """The vectors of bags, pooled as an estimator's parameters say."""
    options = _options(settings.options)
    _require_number(settings.lambda_)
    normalization = {"power": settings.power, "block_l2": settings.block_l2, "l2": settings.l2}
    if settings.method != "gmp":
        return alcedo.pool(bags, settings.method, encoder=encoder, threads=settings.threads, **normalization, **options)
    options.update(relative=settings.relative, nonnegative=settings.nonnegative)
    if settings.path is None:
        return alcedo.pool(bags, lambda_=settings.lambda_, encoder=encoder, threads=settings.threads, **normalization,
                           **options)
    lambdas, index = _lambda_on_path(settings.lambda_, settings.path)
    vectors = paths.on_path(bags, lambdas, index, encoder=encoder, memory=settings.memory, threads=settings.threads,
                            **options)
    # Normalisation is not part of what is kept: a search over power finds the same path.
    if settings.power is not None:
        vectors = alcedo.power_normalize(vectors, settings.power)
    if settings.block_l2:
        empty = np.zeros((0, bags[0].shape[1]))
        block_size = vectors.shape[1] if encoder is None else encoder.encode(empty).block_size
        vectors = alcedo.l2_normalize(vectors, block_size)
    return alcedo.l2_normalize(vectors) if settings.l2 else vectors


class GeneralizedMaxPooling(BagTransformer, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Pool every bag of rows into one vector.

    Parameters
    ----------
    lambda_ : float
        Regularisation of GMP, >= 0.
    relative : bool
        Take `lambda_` times the mean squared norm of the bag's rows.
    method : {"gmp", "sum", "mean", "max", "lp", "softmax", "democratic"}
        How rows become one vector; `lambda_`, `relative`, `nonnegative` and `path` are GMP's.
    nonnegative : bool
        GMP with weights of the rows that are not negative.
    power, block_l2, l2 : float or None, bool, bool
        Normalisations, in this order: ``sign(x) |x|**power``, L2 of every block, L2 of the vector.
    encoder : alcedo.Encoder, vocabulary or None
        Rows are descriptors, and are encoded first. It is given, not learned: see `FisherVectors` for that.
    options : dict, optional
        The other options of the method: ``help(alcedo.pool)`` lists them.
    path : list of float, optional
        All lambdas that will be asked for. Every bag is then solved once for the whole list, and other copies of the
        estimator, as a search over `lambda_` makes them, find what was solved: `lambda_` must be in the list.
    memory : str or path, optional
        A folder for what was solved, which several processes share (``n_jobs``) and later runs find again. By default
        each process remembers its own, up to `limit_paths` in MiB.
    threads : int, optional
        At most so many; by default one for each core.

    Attributes
    ----------
    n_features_in_ : int
        Dimensions of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import GeneralizedMaxPooling, LinearSvm
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.pipeline import make_pipeline
    >>> rng = np.random.default_rng(0)
    >>> labels = np.arange(40) % 2
    >>> bags = [np.vstack([rng.normal([3, 0, 0], 0.3, (50, 3)), [[0, 1, 2 * y - 1]]]) for y in labels]
    >>> lambdas = [0.01, 1, 100]
    >>> pipeline = make_pipeline(GeneralizedMaxPooling(path=lambdas, l2=True), LinearSvm())
    >>> search = GridSearchCV(pipeline, {"generalizedmaxpooling__lambda_": lambdas}).fit(bags, labels)
    >>> search.best_params_, round(search.best_score_, 2)
    ({'generalizedmaxpooling__lambda_': 0.01}, 1.0)
    """

    _requires_fit = False

    def __init__(self, lambda_: float = 1.0, *, relative: bool = True, method: str = "gmp", nonnegative: bool = False,
                 power: Any = None, block_l2: bool = False, l2: bool = False, encoder: Any = None, options: Any = None,
                 path: Any = None, memory: Any = None, threads: Any = None) -> None:
        self.lambda_ = lambda_
        self.relative = relative
        self.method = method
        self.nonnegative = nonnegative
        self.power = power
        self.block_l2 = block_l2
        self.l2 = l2
        self.encoder = encoder
        self.options = options
        self.path = path
        self.memory = memory
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> "GeneralizedMaxPooling":
        """Learns nothing; checks the bags and the parameters.

        Parameters
        ----------
        X : list of arrays, array of bags x rows x dimensions, object array or pandas Series of arrays
        y : ignored

        Returns
        -------
        GeneralizedMaxPooling
        """
        bags = self._bags(X, reset=True)
        self._require_path()
        size_checked(self, _native_encoder(self.encoder), bags[0].shape[1])
        return self

    def _require_path(self) -> None:
        if self.memory is not None and self.path is None:
            raise alcedo.InvalidArgument("memory", "goes with path", "", "without it nothing is kept")

    def _pool(self, bags: list[Any]) -> Any:
        self._require_path()
        return pooled(bags, self, _native_encoder(self.encoder))

    def _dimension(self) -> int:
        return size_checked(self, _native_encoder(self.encoder), self.n_features_in_)
