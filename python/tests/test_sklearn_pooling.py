"""Bags in pipelines of scikit-learn: against the formulas, and what is wrong with bags."""

import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import alcedo  # noqa: E402
from alcedo.sklearn import (  # noqa: E402
    EfficientMatchKernel, FisherVectors, GeneralizedMaxPooling, LinearSvm, PowerNormalizer, Vlad)
from conftest import rare_bags  # noqa: E402

LAMBDAS = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]
pytestmark = pytest.mark.usefixtures("no_paths_kept")


def naive_gmp(rows, lam):
    """Eq. 6, relative."""
    rows = rows.astype(np.float64)
    ridge = lam * (rows ** 2).sum() / len(rows) * np.eye(rows.shape[1])
    return np.linalg.solve(rows.T @ rows + ridge, rows.sum(axis=0))


def test_vectors_are_their_formula():
    bags, _ = rare_bags()
    for path in (None, [0.3, 2.0]):
        vectors = GeneralizedMaxPooling(0.3, path=path).fit_transform(bags)
        np.testing.assert_allclose(vectors, [naive_gmp(bag, 0.3) for bag in bags], rtol=1e-5)
        expected = np.sign(vectors) * np.abs(vectors) ** 0.5
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
        np.testing.assert_allclose(GeneralizedMaxPooling(0.3, path=path, power=0.5, l2=True).fit_transform(bags),
                                   expected, rtol=1e-6)
    cube = np.stack([bag[:5] for bag in bags])
    objects = np.empty(50, dtype=object)
    objects[:] = [bag[:5] for bag in bags]
    expected = alcedo.pool(cube, lambda_=0.3)
    for form in (cube, list(cube), objects, cube.astype(object), tuple(cube),
                 [alcedo.Encodings.from_dense(bag) for bag in cube]):
        np.testing.assert_array_equal(GeneralizedMaxPooling(0.3).fit_transform(form), expected)


@pytest.mark.parametrize("method, options",
                         [("sum", {}), ("max", {}), ("lp", {"p": 3, "keep_sign": True}), ("softmax", {"beta": 2}),
                          ("democratic", {})])
def test_every_method(method, options):
    bags, _ = rare_bags()
    vectors = GeneralizedMaxPooling(method=method, options=options, l2=True).fit_transform(bags)
    np.testing.assert_array_equal(vectors, alcedo.pool(bags, method, l2=True, **options))


ENCODERS = [(FisherVectors(gaussians=4, pca=3, random_state=5), "gmm", "fv", {"gaussians": 4, "pca": 3}),
            (FisherVectors(gaussians=2, assignment="soft", random_state=5), "gmm", "fv", {"gaussians": 2}),
            (Vlad(clusters=4, residual_l2=True, random_state=5), "kmeans", "vlad", {"clusters": 4}),
            (EfficientMatchKernel(outputs=32, sigma=2.0, random_state=5), "fourier", "emk",
             {"outputs": 32, "sigma": 2.0})]


@pytest.mark.parametrize("estimator, kind, encoder, options", ENCODERS)
def test_encoders_learn_from_the_rows_of_the_bags(estimator, kind, encoder, options):
    bags, _ = rare_bags()
    vocabulary = alcedo.Vocabulary.fit(np.concatenate(bags), kind, seed=5, **options)
    own = {name: getattr(estimator, name) for name in ("assignment", "residual_l2") if hasattr(estimator, name)}
    expected = alcedo.pool(bags, encoder=alcedo.Encoder(vocabulary, encoder, **own), lambda_=0.2, power=0.5, l2=True)
    fitted = clone(estimator).set_params(lambda_=0.2, power=0.5, l2=True).fit(bags)
    np.testing.assert_array_equal(fitted.transform(bags), expected)
    shared = clone(fitted).set_params(path=[0.2, 1.0]).fit_transform(bags)
    np.testing.assert_allclose(shared, expected, rtol=1e-3, atol=1e-4)
    given = clone(estimator).set_params(vocabulary=vocabulary, lambda_=0.2, power=0.5, l2=True).fit(bags)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(given)).transform(bags), expected)


def test_fisher_vectors_are_their_formula():
    bags, _ = rare_bags()
    fitted = FisherVectors(gaussians=3, lambda_=0.2).fit(bags)
    mixture = fitted.vocabulary_.words
    for bag, vector in zip(bags, fitted.transform(bags)):
        z = (bag[:, None] - mixture.means[None]) / np.sqrt(mixture.variances)[None]
        log = np.log(mixture.weights) - 0.5 * (z ** 2 + np.log(2 * np.pi * mixture.variances)[None]).sum(axis=2)
        q = (np.eye(3)[log.argmax(axis=1)] / np.sqrt(mixture.weights))[:, :, None]
        encoded = np.concatenate([q * z, q * (z ** 2 - 1) / np.sqrt(2)], axis=2).reshape(len(bag), -1)
        np.testing.assert_allclose(vector, naive_gmp(encoded, 0.2), rtol=1e-3, atol=1e-4)


def test_rows_to_learn_from_are_drawn_by_the_seed():
    from alcedo.sklearn.encoders import sample_of

    bags = [np.arange(10.0)[:, None], np.empty((0, 1)), np.arange(10.0, 40)[:, None]]
    rows = sample_of(bags, 12, 3)[:, 0]
    assert len(set(rows)) == 12 and list(rows) == sorted(rows) and rows.max() > 9
    np.testing.assert_array_equal(rows, sample_of(bags, 12, 3)[:, 0])
    assert len(sample_of(bags, 40, 0)) == 40
    counts = np.bincount(np.concatenate([sample_of(bags, 10, seed)[:, 0] for seed in range(2000)]).astype(int),
                         minlength=40)
    assert abs(counts - 500).max() < 6 * np.sqrt(500)  # each row with the same chance
    few = Vlad(clusters=2, max_rows=12, random_state=3).fit(bags)
    np.testing.assert_array_equal(few.vocabulary_.words.centers,
                                  alcedo.Codebook.fit(rows[:, None], clusters=2, seed=3).centers)


def test_a_pipeline_finds_the_rare_row():
    bags, labels = rare_bags(100)
    gmp, summed = (cross_val_score(make_pipeline(pooling, LinearSvm(C=10)), bags, labels, cv=5).mean()
                   for pooling in (GeneralizedMaxPooling(0.01, l2=True), GeneralizedMaxPooling(method="sum", l2=True)))
    assert gmp > summed and gmp > 0.7


def test_other_processes_give_the_same():
    bags, labels = rare_bags()
    encoder = alcedo.Encoder(alcedo.Codebook(np.eye(6)))
    for pooling in (FisherVectors(3, pca=4, threads=1), GeneralizedMaxPooling(encoder=encoder, path=[1.0], threads=1)):
        pipeline = make_pipeline(pooling, LinearSvm(threads=1))
        scores = [cross_val_score(pipeline, bags, labels, cv=4, n_jobs=jobs) for jobs in (1, 2)]
        np.testing.assert_array_equal(*scores)


def test_a_pipeline_of_frames():
    pytest.importorskip("pandas", reason="pandas is not installed")
    bags, labels = rare_bags()
    pipeline = make_pipeline(Vlad(2, l2=True), PowerNormalizer(), LinearSvm()).set_output(transform="pandas")
    pipeline.fit(bags, labels)
    assert list(pipeline[-1].feature_names_in_) == [f"vlad{i}" for i in range(12)]
    assert list(pipeline[:-1].get_feature_names_out()) == [f"vlad{i}" for i in range(12)]
    plain = make_pipeline(Vlad(2, l2=True), PowerNormalizer(), LinearSvm()).fit(bags, labels)
    np.testing.assert_array_equal(pipeline.predict(bags), plain.predict(bags))


@pytest.mark.parametrize("parameters, message", [
    ({"lambda_": -1}, "lambda_ must be finite and >= 0"),
    ({"lambda_": 2.0, "path": [1.0]}, "lambda_ must be a value of path, got 2.0"),
    ({"method": "gmq"}, "did you mean 'gmp'"), ({"power": 3}, "power"),
    ({"method": "sum", "options": {"p": 2}}, "no option p"),
    ({"lambda_": [1.0]}, "lambda_ must be a number"), ({"path": [-1.0], "lambda_": -1.0}, "lambda_ must be"),
    ({"threads": 0}, "threads must be >= 1"), ({"encoder": "vlad"}, "encoder must be"),
    ({"options": {"solver": "cgg"}}, "solver must be"),
    ({"options": {"dtype": "float32"}}, "options must be options of the method alone, got dtype"),
    ({"options": {"blocks": [0], "num_blocks": 2}, "path": [1.0]}, "method alone, got blocks, num_blocks"),
    ({"options": {"relative": True}}, "options of the method alone, got relative"),
    ({"options": {"bogus": 1}, "path": [1.0]}, "no option bogus"),
    ({"memory": "folder"}, "memory goes with path"),
])
def test_bad_parameters(parameters, message):
    for method in ("fit", "fit_transform"):
        with pytest.raises((ValueError, TypeError), match=message):
            getattr(GeneralizedMaxPooling(**parameters), method)(rare_bags()[0])


@pytest.mark.parametrize("estimator, message", [
    (FisherVectors(gaussians=0), "gaussians must be >= 1"), (Vlad(max_rows=0), "max_rows must be"),
    (FisherVectors(2, assignment="sof"), "assignment must be"),
    (FisherVectors(2, learning={"iterations": 3}), "no option iterations"),
    (FisherVectors(vocabulary=alcedo.Codebook(np.eye(6))), "encoder fv needs"),
    (FisherVectors(2, pca=-1), "pca must be|dimensions"), (EfficientMatchKernel(sigma=-1), "sigma"),
    (FisherVectors(2, lambda_=-1), "lambda_"),
    (FisherVectors(2, learning={"gaussians": 3}), "learning must have other options than .*, got gaussians"),
    (EfficientMatchKernel(4, learning={"sigma": 3, "seed": 1}), "learning must have other options .*, got seed, sigma"),
    (Vlad(2, learning={"threads": 1}), "learning must have other options than"),
    (Vlad(2, random_state=-1), "random_state must be from 0"), (Vlad(vocabulary=3), "words must be"),
    (FisherVectors(vocabulary="shift"), "shift"), (FisherVectors(vocabulary="sift"), "6.*128|128.*6"),
])
def test_bad_encoders(estimator, message):
    with pytest.raises((ValueError, TypeError, OSError), match=message):
        estimator.fit(rare_bags()[0])


@pytest.mark.parametrize("path", [None, [1.0]])
@pytest.mark.parametrize("parameters, message", [
    ({"lambda_": -2.0}, "lambda_ must be"), ({"power": 7}, "power must be"), ({"method": "gmq"}, "did you mean 'gmp'"),
    ({"options": {"solver": "cgg"}}, "solver must be"), ({"options": {"dtype": "float32"}}, "options of the method"),
])
def test_bad_pooling_is_refused_before_anything_is_learned(path, parameters, message, monkeypatch):
    monkeypatch.setattr(alcedo.Vocabulary, "fit", lambda *rest, **keywords: pytest.fail("it was learned"))
    with pytest.raises((ValueError, TypeError), match=message):
        FisherVectors(2, path=path, **parameters).fit(rare_bags()[0])


def test_lambda_must_be_on_the_path_before_anything_is_learned(monkeypatch):
    monkeypatch.setattr(alcedo.Vocabulary, "fit", lambda *rest, **keywords: pytest.fail("it was learned"))
    with pytest.raises(ValueError, match="lambda_ must be a value of path, got 2.0"):
        FisherVectors(2, path=[1.0], lambda_=2.0).fit(rare_bags()[0])


def test_words_that_are_given_become_a_vocabulary():
    bags, _ = rare_bags()
    fitted = Vlad(vocabulary=alcedo.Codebook(np.eye(6))).fit(bags)
    assert isinstance(fitted.vocabulary_, alcedo.Vocabulary)
    np.testing.assert_array_equal(fitted.vocabulary_.words.centers, np.eye(6))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).transform(bags), fitted.transform(bags))


def test_another_encoder_after_the_fit_has_other_names():
    pytest.importorskip("pandas", reason="pandas is not installed")
    bags, _ = rare_bags()
    pooling = GeneralizedMaxPooling().fit(bags).set_output(transform="pandas")
    pooling.set_params(encoder=alcedo.Encoder(alcedo.Codebook(np.eye(6)), "vlad"))
    frame = pooling.transform(bags)
    assert frame.shape == (50, 36) and list(frame.columns) == [f"generalizedmaxpooling{i}" for i in range(36)]


def test_a_bad_row_is_named_by_its_bag():
    bags, _ = rare_bags()
    pooling = GeneralizedMaxPooling(0.1, path=LAMBDAS).fit(bags)
    pooling.transform(bags[:10])
    bags[17][2, 1] = np.nan
    with pytest.raises(ValueError, match=r"X\[17\], row 2, column 1 is NaN"):
        pooling.transform(bags)
    with pytest.raises(ValueError, match=r"rows\[17\]: row 2, column 1 is NaN"):
        GeneralizedMaxPooling(0.1).fit(bags[:3]).transform(bags)
    with pytest.raises(ValueError, match=r"X\[1\] has 3 dimensions, and X\[0\] has 6"):
        pooling.transform([bags[0], np.zeros((2, 3))])


@pytest.mark.parametrize("module", ["", ".pooling", ".encoders", ".paths", ".normalization", ".svm", ".vocabularies"])
def test_examples_of_the_documentation(module):
    import doctest
    import importlib

    found = doctest.testmod(importlib.import_module("alcedo.sklearn" + module))
    assert found.attempted > 0 and found.failed == 0


def test_examples_of_the_page():
    import doctest

    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python-sklearn.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 10 and found.failed == 0


def test_the_example_program():
    """GMP beats sum pooling by more than its test set could by chance: 300 images, a deviation of 3% at most."""
    program = pathlib.Path(__file__).resolve().parents[1] / "examples" / "grid_search.py"
    printed = subprocess.check_output([sys.executable, str(program)], text=True, timeout=300)
    accuracy = {line[:12].strip(): float(line[12:].split("%")[0]) for line in printed.splitlines()}
    assert list(accuracy) == ["sum", "sum + power", "GMP", "GMP + power"]
    assert accuracy["GMP"] > accuracy["sum"] + 9 and accuracy["GMP + power"] > accuracy["sum + power"]


def test_without_scikit_learn_it_says_what_to_install():
    code = ("import sys; sys.modules['sklearn'] = None\n"
            "try:\n"
            "    import alcedo.sklearn\n"
            "except ImportError as error:\n"
            "    assert 'needs scikit-learn 1.2 or newer' in str(error), error\n"
            "else:\n"
            "    sys.exit(1)\n")
    subprocess.run([sys.executable, "-c", code], check=True)
    old = code.replace("sys.modules['sklearn'] = None", "import sklearn; sklearn.__version__ = '1.1.3'")
    subprocess.run([sys.executable, "-c", old.replace("1.2 or newer'", "1.2 or newer (version 1.1.3 is installed)'")],
                   check=True)
