"""The library's linear SVM, which solves in the space of products of rows: for few samples of many dimensions."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

import alcedo
from alcedo import _alcedo
from alcedo.sklearn.validation import FLOATS, validate_data

_RANDOM = "gives fit a random square matrix, which is not one of products, and is refused"
NOT_OF_PRODUCTS = dict.fromkeys(("check_estimators_dtypes", "check_fit_idempotent", "check_fit_check_is_fitted",
                                 "check_n_features_in"), _RANDOM)


class LinearSvm(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear support vector machine, one class against the rest.

    Of every class it minimises ``1/2 (|w|**2 + b**2) + C sum_i loss(1 - y_i (w . x_i + bias b))``: liblinear's problem,
    in which the bias is the weight of one more feature of value `bias`, and is regularised. All classes share the
    products of all pairs of rows while there are not more rows than dimensions; beyond, the rows are passed over.

    Parameters
    ----------
    C : float
        Penalty of every sample's loss.
    loss : {"squared-hinge", "hinge"}
        Of a sample inside the margin: ``max(0, t)**2`` or ``max(0, t)``.
    bias : float
        Value of the constant feature; 0: no bias.
    balanced : bool
        Weigh C so that both sides of a class count the same.
    kernel : {"linear", "precomputed"}
        With "precomputed", X is the matrix of products of samples with the training samples, as ``X @ X.T`` for `fit`
        and ``X_test @ X.T`` for `predict`: a search over C computes it once.
    tolerance : float
        Stop at this duality gap, relative to the objective.
    max_iterations : int
        Passes over the samples at most.
    solver : {"auto", "gram", "stream"}
        Products of all rows, or passes over them; "auto" takes the cheaper one.
    max_memory_mib : float
        What the products of all rows may take for "auto" to choose them.
    threads : int, optional
        At most so many; by default one for each core. No result depends on it.

    Attributes
    ----------
    classes_ : array
    coef_, intercept_ : array of classes x D, array of classes
        Of two classes there is one row, of the second against the first. Not with kernel "precomputed".
    dual_coef_ : array of classes x n
        Only with kernel "precomputed".
    n_iter_, duality_gap_ : array of classes
        What the solver did; the gap is relative to the objective.
    solver_ : {"gram", "stream"}
        The one that was used.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from alcedo.sklearn import LinearSvm
    >>> rng = np.random.default_rng(0)
    >>> labels = np.array(["cat", "dog", "owl"] * 20)
    >>> vectors = 3 * np.eye(3)[np.arange(60) % 3] + rng.normal(size=(60, 3))
    >>> svm = LinearSvm(C=1).fit(vectors, labels)
    >>> svm.predict([[3, 0, 0], [0, 0, 3]])
    array(['cat', 'owl'], dtype='<U3')
    >>> svm.score(vectors, labels) > 0.9
    True
    """

    def __init__(self, C: float = 1.0, *, loss: str = "squared-hinge", bias: float = 1.0, balanced: bool = False,
                 kernel: str = "linear", tolerance: float = 1e-3, max_iterations: int = 1000, solver: str = "auto",
                 max_memory_mib: float = 2048.0, threads: Any = None) -> None:
        self.C = C
        self.loss = loss
        self.bias = bias
        self.balanced = balanced
        self.kernel = kernel
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.solver = solver
        self.max_memory_mib = max_memory_mib
        self.threads = threads

    def fit(self, X: Any, y: Any) -> "LinearSvm":
        """Train on labelled vectors.

        Parameters
        ----------
        X : array of n x D
        y : array of n labels
            Of at least two classes.

        Returns
        -------
        LinearSvm
        """
        if self.kernel not in ("linear", "precomputed"):
            raise alcedo.InvalidArgument("kernel", "must be linear or precomputed", repr(self.kernel))
        X, y = validate_data(self, X, y, dtype=FLOATS)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must have at least 2 classes, got the one class {self.classes_[0]!r}")
        options = {"c": self.C, "loss": self.loss, "bias": self.bias, "balanced": self.balanced,
                   "tolerance": self.tolerance, "max_iterations": self.max_iterations, "solver": self.solver,
                   "max_memory_mib": self.max_memory_mib}
        if self.kernel == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"Precomputed matrix must be a square matrix: X has shape {X.shape}")
            self.dual_coef_, self._bias, report = _alcedo.train_kernel_svm(X, labels, len(self.classes_), self.threads,
                                                                           options)
        else:
            self.coef_, self.intercept_, report = _alcedo.train_svm(X, labels, len(self.classes_), self.threads,
                                                                    options)
        for stale in ("coef_", "intercept_") if self.kernel == "precomputed" else ("dual_coef_", "_bias"):
            self.__dict__.pop(stale, None)  # of a fit with the other kernel
        self.n_iter_, self.duality_gap_ = np.array(report.iterations), np.array(report.gap)
        self.solver_ = report.solver
        if not report.converged:
            warnings.warn(f"the SVM did not converge: its duality gap is {self.duality_gap_.max():.1e} after "
                          f"{self.n_iter_.max()} iterations", alcedo.ConvergenceWarning, stacklevel=2)
        return self

    def decision_function(self, X: Any) -> Any:
        """Scores of samples.

        Parameters
        ----------
        X : array of n x D

        Returns
        -------
        array of n x classes
            Of two classes ``(n,)``: positive for the second.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        if hasattr(self, "dual_coef_"):
            scores = _alcedo.score_products(self.dual_coef_, self._bias, X, self.threads)
        else:
            scores = _alcedo.score_rows(self.coef_, self.intercept_, X, self.threads)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Any:
        """The class of the highest score.

        Parameters
        ----------
        X : array of n x D

        Returns
        -------
        array of n labels
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _more_tags(self) -> dict[str, Any]:
        return {"pairwise": True, "_xfail_checks": NOT_OF_PRODUCTS} if self.kernel == "precomputed" else {}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
