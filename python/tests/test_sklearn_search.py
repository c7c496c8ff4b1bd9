"""A search over lambda solves every bag once, and finds what each lambda gives."""

import time
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

from joblib import parallel_backend  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import alcedo  # noqa: E402
from alcedo.sklearn import (  # noqa: E402
    FisherVectors, GeneralizedMaxPooling, LinearSvm, PowerNormalizer, limit_paths)
from conftest import rare_bags  # noqa: E402

LAMBDAS = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]
pytestmark = pytest.mark.usefixtures("no_paths_kept")


def naive_gmp(rows, lam):
    """Eq. 6, relative."""
    rows = rows.astype(np.float64)
    ridge = lam * (rows ** 2).sum() / len(rows) * np.eye(rows.shape[1])
    return np.linalg.solve(rows.T @ rows + ridge, rows.sum(axis=0))


@pytest.fixture
def solved(monkeypatch):
    """The bags with rows that alcedo.pool is given, with how many lambdas."""
    calls = []
    pool = alcedo.pool

    def counted(rows, method="gmp", **keywords):
        calls.extend((bag.tobytes(), np.size(keywords.get("lambda_", 1))) for bag in rows if len(bag))
        return pool(rows, method, **keywords)

    monkeypatch.setattr(alcedo, "pool", counted)
    return calls


def test_a_search_over_lambda_solves_every_bag_once(solved):
    bags, labels = rare_bags()
    folds = StratifiedKFold(5)
    grid = {"generalizedmaxpooling__lambda_": LAMBDAS}
    pipeline = make_pipeline(GeneralizedMaxPooling(l2=True), LinearSvm(C=10))
    plain = GridSearchCV(pipeline, grid, cv=folds).fit(bags, labels)
    assert len(solved) == 6 * 5 * 50 + 50  # once per lambda and fold, and to refit
    solved.clear()
    pipeline = make_pipeline(GeneralizedMaxPooling(l2=True, path=LAMBDAS), LinearSvm(C=10))
    search = GridSearchCV(pipeline, grid, cv=folds).fit(bags, labels)
    assert sorted(solved) == sorted((bag.tobytes(), 6) for bag in bags)
    for name in ("mean_test_score", *(f"split{i}_test_score" for i in range(5))):
        np.testing.assert_array_equal(search.cv_results_[name], plain.cv_results_[name])
    assert search.best_params_ == plain.best_params_
    scores = search.decision_function(bags)
    assert len(solved) == 50  # nor is what is asked again solved again
    np.testing.assert_allclose(scores, plain.decision_function(bags), atol=1e-4)


def test_a_search_over_power_and_other_steps_shares_it_too(solved):
    bags, labels = rare_bags()
    grid = {"generalizedmaxpooling__lambda_": LAMBDAS[::2], "generalizedmaxpooling__power": [None, 0.5],
            "linearsvm__C": [1, 10]}
    pipeline = make_pipeline(GeneralizedMaxPooling(path=LAMBDAS), PowerNormalizer(1, l2=True), LinearSvm())
    GridSearchCV(pipeline, grid, cv=5).fit(bags, labels)
    assert len(solved) == 50


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_path_gives_what_each_lambda_gives(dtype):
    bags, _ = rare_bags(dtype=dtype)
    for lam in LAMBDAS:
        ours = GeneralizedMaxPooling(lam, path=LAMBDAS).fit_transform(bags)
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours, alcedo.pool(bags, lambda_=lam), rtol=2e-5, atol=1e-7)


def test_what_changes_the_solution_is_not_mistaken(solved):
    bags, _ = rare_bags(10)
    kept = GeneralizedMaxPooling(0.1, path=LAMBDAS).fit(bags)
    kept.transform(bags)
    count = len(solved)
    changed = [bag.copy() for bag in bags]
    changed[3][0, 0] += 1e-9
    np.testing.assert_array_equal(kept.transform(changed), alcedo.pool(changed, lambda_=LAMBDAS)[:, 2])
    assert len(solved) == count + 1 + 10  # one bag, and the comparison
    for other in ({"relative": False}, {"nonnegative": True}, {"options": {"solver": "direct"}}, {"path": [0.1]},
                  {"encoder": alcedo.Codebook(np.eye(6))}):
        count = len(solved)
        clone(kept).set_params(**other).transform(bags)
        assert len(solved) == count + 10, other
    count = len(solved)
    kept.transform([bag.astype(np.float32) for bag in bags])
    clone(kept).transform([bag.reshape(-1, 3) for bag in bags])
    assert len(solved) == count + 20
    kept.transform([np.asfortranarray(bag) for bag in bags])
    kept.transform([bags[0]] * 7)
    assert len(solved) == count + 20


def test_what_is_kept_is_bounded():
    bags, _ = rare_bags()
    path_bytes = 6 * 6 * 8
    limit_paths(20 * path_bytes / 2**20)
    pooling = GeneralizedMaxPooling(0.1, path=LAMBDAS)
    with pytest.warns(UserWarning, match="lambda paths of all bags take more than"):
        vectors = pooling.fit_transform(bags)
    np.testing.assert_allclose(vectors, [naive_gmp(bag, 0.1) for bag in bags], rtol=1e-5)
    from alcedo.sklearn import paths

    assert len(paths._memory.paths) == 20 and paths._memory.size == 20 * path_bytes
    limit_paths(0)
    assert not paths._memory.paths and paths._memory.size == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(pooling.transform(bags), vectors)
    assert not paths._memory.paths
    with pytest.raises(ValueError, match="mib must be >= 0"):
        limit_paths(-1)


def test_long_paths_are_solved_in_parts(monkeypatch, solved):
    from alcedo.sklearn import paths

    monkeypatch.setattr(paths, "_CHUNK_BYTES", 7 * 6 * 6 * 8)
    bags, _ = rare_bags()
    np.testing.assert_allclose(GeneralizedMaxPooling(0.1, path=LAMBDAS).fit_transform(bags),
                               [naive_gmp(bag, 0.1) for bag in bags], rtol=1e-5)
    assert len(solved) == 50


def search_over(lambdas, bags, labels, jobs, **parameters):
    pipeline = make_pipeline(GeneralizedMaxPooling(path=lambdas, threads=1, **parameters), LinearSvm(threads=1))
    return GridSearchCV(pipeline, {"generalizedmaxpooling__lambda_": lambdas}, cv=5, n_jobs=jobs).fit(bags, labels)


def test_threads_wait_for_each_other(solved, monkeypatch):
    bags, labels = rare_bags()
    pool = alcedo.pool
    monkeypatch.setattr(alcedo, "pool", lambda *rest, **keywords: time.sleep(0.05) or pool(*rest, **keywords))
    with parallel_backend("threading"):
        search_over(LAMBDAS, bags, labels, 4)
    assert len(solved) == 50


def test_processes_share_a_folder(tmp_path, solved):
    bags, labels = rare_bags()
    alone = search_over(LAMBDAS, bags, labels, 1)
    solved.clear()
    folder = tmp_path / "paths"
    search = search_over(LAMBDAS, bags, labels, 2, memory=folder)
    assert not solved  # not even the refit solves: the workers left all paths
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    files = sorted(folder.glob("*.npy"))
    assert len(files) == 50 and len(list(folder.iterdir())) == 51  # and the lock
    written = {file: file.stat().st_mtime_ns for file in files}
    search_over(LAMBDAS, bags, labels, 2, memory=folder)
    assert {file: file.stat().st_mtime_ns for file in files} == written
    # Damaged and missing files are solved again.
    files[0].write_bytes(b"\x93NUMPY")
    files[1].unlink()
    vectors = GeneralizedMaxPooling(0.1, path=LAMBDAS, memory=str(folder)).fit_transform(bags)
    np.testing.assert_allclose(vectors, [naive_gmp(bag, 0.1) for bag in bags], rtol=1e-5)


def test_a_search_over_lambda_learns_one_vocabulary_per_fold(monkeypatch, solved):
    learned = []
    fit = alcedo.Vocabulary.fit
    monkeypatch.setattr(alcedo.Vocabulary, "fit", lambda *rest, **keywords: learned.append(1) or fit(*rest, **keywords))
    bags, labels = rare_bags()
    pipeline = make_pipeline(FisherVectors(gaussians=3, path=LAMBDAS), LinearSvm())
    GridSearchCV(pipeline, {"fishervectors__lambda_": LAMBDAS}, cv=5).fit(bags, labels)
    assert len(learned) == 5 + 1  # and to refit
    assert len(solved) == 6 * 50


def test_vocabularies_in_a_folder(tmp_path):
    bags, _ = rare_bags()
    first = FisherVectors(gaussians=3, memory=tmp_path).fit(bags)
    assert len(list(tmp_path.glob("*.safetensors"))) == 1
    second = FisherVectors(gaussians=3, memory=tmp_path).fit(bags)
    np.testing.assert_array_equal(first.transform(bags), second.transform(bags))
    assert len(list(tmp_path.glob("*.safetensors"))) == 1
    FisherVectors(gaussians=3, memory=tmp_path, random_state=1).fit(bags)
    assert len(list(tmp_path.glob("*.safetensors"))) == 2
