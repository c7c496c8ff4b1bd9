"""Estimators of plain matrices pass the checks of scikit-learn."""

import types

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

import alcedo  # noqa: E402
from alcedo.sklearn import (  # noqa: E402
    GaussianMixtureVocabulary, GeneralizedMaxPooling, KMeansVocabulary, LinearSvm, PowerNormalizer, Vlad, svm)

PLAIN = [PowerNormalizer(), PowerNormalizer(0.3, l2=True), LinearSvm(), LinearSvm(solver="stream", balanced=True),
         LinearSvm(loss="hinge", C=0.01), GaussianMixtureVocabulary(gaussians=2),
         GaussianMixtureVocabulary(gaussians=3, pca=1), KMeansVocabulary(clusters=3),
         KMeansVocabulary(clusters=4, encoder="llc", encoding={"nearest": 2})]


NOT_OF_PRODUCTS = svm.NOT_OF_PRODUCTS  # the expected failures with this kernel, which the tag _xfail_checks names


@pytest.mark.filterwarnings("ignore::alcedo.ConvergenceWarning")
@estimator_checks.parametrize_with_checks(PLAIN)
def test_estimators_of_plain_matrices_pass_check_estimator(estimator, check):
    check(estimator)


def checks_of(estimator):
    """By their names, as this version of scikit-learn generates them, and as none is left out."""
    generate = getattr(estimator_checks, "estimator_checks_generator", None)
    pairs = estimator_checks.check_estimator(estimator, generate_only=True) if generate is None else generate(estimator)
    return [(check.func.__name__, check) for _, check in pairs]


class StrictSvm(LinearSvm):
    """Expects no failure, so that scikit-learn leaves no check out."""

    def _more_tags(self):
        return {"pairwise": True, "_xfail_checks": {}}


@pytest.mark.filterwarnings("ignore::alcedo.ConvergenceWarning")
@pytest.mark.parametrize("name, check", checks_of(StrictSvm(kernel="precomputed")))
def test_products_pass_all_checks_but_those_of_random_matrices(name, check):
    if name in NOT_OF_PRODUCTS:
        with pytest.raises(alcedo.InvalidArgument, match="gram must be a matrix of products"):
            check(StrictSvm(kernel="precomputed"))
    else:
        check(StrictSvm(kernel="precomputed"))


def test_the_expected_failures_are_those_of_the_tag():
    names = {name for name, _ in checks_of(StrictSvm(kernel="precomputed"))}
    assert set(NOT_OF_PRODUCTS) <= names
    assert LinearSvm(kernel="precomputed")._more_tags()["_xfail_checks"] == NOT_OF_PRODUCTS
    assert "_xfail_checks" not in LinearSvm()._more_tags()


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
