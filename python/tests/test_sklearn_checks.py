"""Estimators of plain matrices pass the checks of scikit-learn."""

import contextlib
import types

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

import alcedo  # noqa: E402
from alcedo.sklearn import (  # noqa: E402
    GaussianMixtureVocabulary, GeneralizedMaxPooling, KMeansVocabulary, LinearSvm, PowerNormalizer, Vlad)

PLAIN = [PowerNormalizer(), PowerNormalizer(0.3, l2=True), LinearSvm(), LinearSvm(solver="stream", balanced=True),
         LinearSvm(loss="hinge", C=0.01), LinearSvm(kernel="precomputed"), GaussianMixtureVocabulary(gaussians=2),
         GaussianMixtureVocabulary(gaussians=3, pca=1), KMeansVocabulary(clusters=3),
         KMeansVocabulary(clusters=4, encoder="llc", encoding={"nearest": 2})]


# 1.2 gives these a random square matrix if X is pairwise. It is not one of products, and is refused.
NOT_OF_PRODUCTS = {"check_estimators_dtypes", "check_fit_idempotent", "check_fit_check_is_fitted",
                   "check_n_features_in"}


@pytest.mark.filterwarnings("ignore::alcedo.ConvergenceWarning")
@estimator_checks.parametrize_with_checks(PLAIN)
def test_estimators_of_plain_matrices_pass_check_estimator(estimator, check):
    name = getattr(check, "func", check).__name__
    if getattr(estimator, "kernel", "") == "precomputed" and name in NOT_OF_PRODUCTS:
        with contextlib.suppress(alcedo.InvalidArgument):
            check(estimator)
    else:
        check(estimator)


class OfVersion16:
    """The tags of scikit-learn 1.6 and newer, for versions that have none: the last class that super() reaches."""

    def __sklearn_tags__(self):
        return types.SimpleNamespace(
            requires_fit=True, transformer_tags=types.SimpleNamespace(preserves_dtype=["float64"]),
            input_tags=types.SimpleNamespace(two_d_array=True, three_d_array=False, pairwise=False))


def test_tags_of_newer_versions():
    def tags_of(estimator):
        if not hasattr(BaseEstimator, "__sklearn_tags__"):
            kind = type(estimator)
            estimator = type(kind.__name__, (kind, OfVersion16), {})(**estimator.get_params())
        return estimator.__sklearn_tags__()

    assert tags_of(GeneralizedMaxPooling()).input_tags.three_d_array
    assert not tags_of(GeneralizedMaxPooling()).input_tags.two_d_array
    assert not tags_of(GeneralizedMaxPooling()).requires_fit and not tags_of(PowerNormalizer()).requires_fit
    assert tags_of(Vlad()).requires_fit and tags_of(KMeansVocabulary()).requires_fit
    assert tags_of(LinearSvm(kernel="precomputed")).input_tags.pairwise
    assert not tags_of(LinearSvm()).input_tags.pairwise
    assert "float32" in tags_of(PowerNormalizer()).transformer_tags.preserves_dtype
