"""The linear SVM and the vocabularies in scikit-learn against its own, and against their formulas."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402

import alcedo  # noqa: E402
from alcedo.sklearn import GaussianMixtureVocabulary, KMeansVocabulary, LinearSvm, PowerNormalizer  # noqa: E402


def problem(n, d, classes, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % classes
    rows = rng.normal(size=(n, d)) + 1.5 * rng.normal(size=(classes, d))[labels]
    return rows.astype(dtype), labels


def objective(w, b, rows, signs, C, loss, bias):
    """Of the documentation: b is the intercept, bias times the weight of the constant feature."""
    slack = np.maximum(0, 1 - signs * (rows @ w + b))
    weight_of_bias = b / bias if bias else 0
    losses = slack ** 2 if loss == "squared-hinge" else slack
    return 0.5 * (w @ w + weight_of_bias ** 2) + C * losses.sum()


@pytest.mark.parametrize("n, d", [(60, 200), (300, 12)])
@pytest.mark.parametrize("loss", ["squared-hinge", "hinge"])
@pytest.mark.parametrize("C, bias", [(0.01, 1.0), (1.0, 3.0)])
def test_it_solves_the_problem_of_liblinear(n, d, loss, C, bias):
    rows, labels = problem(n, d, 4)
    # Products of rows are floats: the gap cannot be much smaller.
    ours = LinearSvm(C=C, loss=loss, bias=bias, tolerance=2e-5, max_iterations=20000).fit(rows, labels)
    assert ours.solver_ == ("gram" if n <= d else "stream") and (ours.duality_gap_ <= 2e-5).all()
    theirs = LinearSVC(C=C, loss=loss.replace("-", "_"), dual=True, intercept_scaling=bias, tol=1e-8, max_iter=1000000,
                       random_state=0).fit(rows, labels)
    for k in range(4):
        signs = np.where(labels == k, 1, -1)
        best = objective(theirs.coef_[k], theirs.intercept_[k], rows, signs, C, loss, bias)
        found = objective(ours.coef_[k], ours.intercept_[k], rows, signs, C, loss, bias)
        assert found == pytest.approx(best, rel=2e-5, abs=3e-6)  # scores are of floats
    scores = theirs.decision_function(rows)
    np.testing.assert_allclose(ours.decision_function(rows), scores, atol=1e-2 * np.abs(scores).max())
    np.testing.assert_allclose(ours.decision_function(rows), rows @ ours.coef_.T + ours.intercept_, rtol=1e-4,
                               atol=1e-4)


def test_two_classes_are_one_problem():
    rows, labels = problem(80, 20, 2)
    ours = LinearSvm(tolerance=1e-6).fit(rows, np.array(["no", "yes"])[labels])
    assert ours.coef_.shape == (1, 20) and ours.intercept_.shape == (1,) and ours.decision_function(rows).shape == (80,)
    np.testing.assert_array_equal(ours.predict(rows), np.where(ours.decision_function(rows) > 0, "yes", "no"))
    theirs = LinearSVC(tol=1e-8, max_iter=1000000).fit(rows, labels)
    np.testing.assert_allclose(ours.decision_function(rows), theirs.decision_function(rows), atol=5e-3)
    assert ours.score(rows, np.array(["no", "yes"])[labels]) == theirs.score(rows, labels)


def test_balanced_is_liblinear_with_weights_of_classes():
    rows, labels = problem(90, 10, 2)
    rows, labels = rows[labels + (np.arange(90) < 30) > 0], labels[labels + (np.arange(90) < 30) > 0]
    ours = LinearSvm(balanced=True, tolerance=1e-6).fit(rows, labels)
    theirs = LinearSVC(class_weight="balanced", tol=1e-8, max_iter=1000000).fit(rows, labels)
    np.testing.assert_allclose(ours.decision_function(rows), theirs.decision_function(rows), atol=5e-3)


@pytest.mark.parametrize("classes", [2, 3])
def test_products_give_the_scores_of_the_rows(classes):
    rows, labels = problem(60, 200, classes)
    new = problem(20, 200, classes, seed=1)[0]
    linear = LinearSvm(tolerance=1e-6).fit(rows, labels)
    products = LinearSvm(kernel="precomputed", tolerance=1e-6).fit(rows @ rows.T, labels)
    np.testing.assert_allclose(products.decision_function(new @ rows.T), linear.decision_function(new), atol=1e-4)
    # A search cuts rows and columns of the matrix, as the tag pairwise says.
    of_rows = cross_val_score(LinearSvm(), rows, labels, cv=3)
    np.testing.assert_allclose(cross_val_score(LinearSvm(kernel="precomputed"), rows @ rows.T, labels, cv=3), of_rows)


def test_in_searches_and_pickles():
    rows, labels = problem(90, 30, 3)
    grid = {"C": [1e-6, 1.0]}
    search, alone = (GridSearchCV(LinearSvm(threads=1), grid, cv=3, n_jobs=jobs).fit(rows, labels) for jobs in (2, 1))
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    fitted = search.best_estimator_
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(rows), fitted.predict(rows))
    for threads in (2, 5):
        np.testing.assert_array_equal(LinearSvm(threads=threads).fit(rows, labels).coef_,
                                      LinearSvm(threads=1).fit(rows, labels).coef_)


@pytest.mark.parametrize("parameters, error, message", [
    ({"C": 0}, ValueError, "c must be"), ({"C": "1"}, TypeError, "c must be a number"),
    ({"loss": "squared_hing"}, ValueError, "loss must be squared-hinge or hinge"),
    ({"bias": -1}, ValueError, "bias must be"),
    ({"kernel": "rbf"}, ValueError, "kernel must be linear or precomputed"),
    ({"threads": 0}, ValueError, "threads must be"),
    ({"solver": "stream", "kernel": "precomputed"}, ValueError, "solver"),
])
def test_bad_parameters(parameters, error, message):
    rows, labels = problem(20, 20, 2)
    with pytest.raises(error, match=message):
        LinearSvm(**parameters).fit(rows, labels)


def test_bad_samples():
    rows, labels = problem(20, 5, 2)
    with pytest.raises(ValueError, match="at least 2 classes"):
        LinearSvm().fit(rows, np.zeros(20))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        LinearSvm().fit(rows, labels[:-1])
    with pytest.raises(ValueError, match="norm|large|1e"):
        LinearSvm().fit(rows * 1e30, labels)
    with pytest.raises(ValueError, match="square"):
        LinearSvm(kernel="precomputed").fit(rows, labels)
    with pytest.warns(alcedo.ConvergenceWarning, match="duality gap"):
        LinearSvm(C=1e6, max_iterations=1, tolerance=1e-9).fit(rows, labels)


def test_posteriors_are_their_formula():
    rows = problem(200, 5, 3)[0]
    fitted = GaussianMixtureVocabulary(gaussians=4, random_state=7).fit(rows)
    same = alcedo.GaussianMixture.fit(rows, gaussians=4, seed=7)
    np.testing.assert_array_equal(fitted.means_, same.means)
    z = (rows[:, None, :] - fitted.means_[None]) ** 2 / fitted.variances_[None]
    log = np.log(fitted.weights_) - 0.5 * (z + np.log(2 * np.pi * fitted.variances_)[None]).sum(axis=2)
    total = np.logaddexp.reduce(log, axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.transform(rows), np.exp(log - total), atol=1e-4)
    np.testing.assert_array_equal(fitted.predict(rows), log.argmax(axis=1))
    assert fitted.score(rows) == pytest.approx(total.mean(), rel=1e-5)
    assert list(fitted.get_feature_names_out()) == [f"gaussianmixturevocabulary{i}" for i in range(4)]


def test_words_are_the_nearest_centres():
    rows = problem(200, 5, 3)[0]
    fitted = KMeansVocabulary(clusters=6, random_state=7).fit(rows)
    nearest = ((rows[:, None] - fitted.cluster_centers_[None]) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(fitted.predict(rows), nearest)
    np.testing.assert_array_equal(fitted.transform(rows), np.eye(6)[nearest])
    projected = KMeansVocabulary(clusters=6, pca=3, encoder="vlad").fit(rows)
    assert projected.transform(rows).shape == (200, 18) and len(projected.get_feature_names_out()) == 18


def test_normalisation_is_its_formula():
    rows = problem(9, 6, 3)[0]
    powered = np.sign(rows) * np.abs(rows) ** 0.3
    np.testing.assert_allclose(PowerNormalizer(0.3).fit_transform(rows), powered)
    np.testing.assert_allclose(PowerNormalizer(0.3, l2=True).fit_transform(rows),
                               powered / np.linalg.norm(powered, axis=1, keepdims=True))
    blocks = PowerNormalizer(1, block_size=2).fit_transform(rows).reshape(9, 3, 2)
    np.testing.assert_allclose(np.linalg.norm(blocks, axis=2), 1)


@pytest.mark.parametrize("parameters, error, message", [
    ({"power": 2}, ValueError, "power must be in"), ({"power": None}, TypeError, "power must be a number, got None"),
    ({"power": "0.5"}, TypeError, "power must be a number, got '0.5'"),
    ({"block_size": -1}, ValueError, "block_size must be >= 0, got -1"),
    ({"block_size": 2.0}, TypeError, "block_size must be a whole number, got 2.0"),
    ({"block_size": 4}, ValueError, "block_size must be a divisor"),
])
def test_bad_normalisation(parameters, error, message):
    with pytest.raises(error, match=message) as caught:
        PowerNormalizer(**parameters).fit(problem(9, 6, 3)[0])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("estimator, message", [
    (KMeansVocabulary(2, encoder="emk"), "encoder must be bov, soft-bov, llc, vlad or sv, got 'emk'"),
    (KMeansVocabulary(2, encoder="fv"), "encoder must be bov"),
    (KMeansVocabulary(2, learning={"clusters": 3}), "learning must have other options than .*, got clusters"),
    (GaussianMixtureVocabulary(2, learning={"pca": 3}), "learning must have other options than .*, got pca"),
    (GaussianMixtureVocabulary(2, random_state=-1), "random_state must be from 0"),
])
def test_bad_vocabularies(estimator, message):
    with pytest.raises(alcedo.InvalidArgument, match=message):
        estimator.fit(problem(50, 5, 2)[0])


def test_a_fit_with_another_kernel_leaves_nothing_behind():
    rows, labels = problem(60, 20, 3)
    products = rows @ rows.T
    svm = LinearSvm(kernel="precomputed", tolerance=1e-6).fit(products, labels)
    scores = svm.decision_function(products)
    svm.set_params(kernel="linear").fit(rows, labels)
    assert hasattr(svm, "coef_") and not hasattr(svm, "dual_coef_")
    np.testing.assert_allclose(svm.decision_function(rows), scores, atol=1e-3)
    svm.set_params(kernel="precomputed").fit(products, labels)
    assert not hasattr(svm, "coef_") and not hasattr(svm, "intercept_")
    np.testing.assert_array_equal(svm.decision_function(products), scores)
