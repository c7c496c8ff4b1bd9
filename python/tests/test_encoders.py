"""Projections, words and encoders from Python against their formulas, in NumPy."""

import os
import pickle
import signal
import threading

import numpy as np
import pytest

import alcedo
from conftest import longest_pause

RNG = np.random.default_rng(3)
ROWS = RNG.normal(size=(600, 6)).astype(np.float32)
CODEBOOK = alcedo.Codebook(RNG.normal(size=(5, 6)), [0.1, 0.2, 0.3, 0.15, 0.25])
MIXTURE = alcedo.GaussianMixture([0.2, 0.5, 0.3], RNG.normal(size=(3, 6)), RNG.uniform(0.5, 2, size=(3, 6)))


def nearest(rows, centers):
    return ((rows[:, None, :] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)


def in_blocks(values, blocks, count):
    dense = np.zeros((len(values), count * values.shape[1]))
    for n, (value, block) in enumerate(zip(values, blocks)):
        dense[n, block * len(value):(block + 1) * len(value)] = value
    return dense


def test_pca_is_the_eigenvectors_of_the_covariance():
    rows = ROWS * [5, 4, 3, 2, 1, 0.5] + 7
    pca = alcedo.Pca.fit(rows, dimensions=3)
    covariance = np.cov(rows.T, bias=True)
    values, vectors = np.linalg.eigh(covariance)
    np.testing.assert_allclose(pca.variances, values[::-1][:3], rtol=1e-6)
    assert pca.total_variance == pytest.approx(np.trace(covariance))
    np.testing.assert_allclose(np.abs(pca.components @ vectors[:, ::-1][:, :3]), np.eye(3), atol=1e-4)
    projected = (rows - rows.mean(axis=0)) @ pca.components.T
    np.testing.assert_allclose(pca.transform(rows), projected, atol=1e-4)
    whitened = alcedo.Pca.fit(rows, dimensions=3, whiten=True)
    np.testing.assert_allclose(whitened.transform(rows).std(axis=0), 1, rtol=1e-5)


def test_a_list_of_bags_is_projected_bag_by_bag():
    pca = alcedo.Pca.fit(ROWS, dimensions=2)
    bags = pca.transform([ROWS[:10], ROWS[:0], ROWS[10:30]])
    assert [bag.shape for bag in bags] == [(10, 2), (0, 2), (20, 2)]
    np.testing.assert_array_equal(np.concatenate(bags), pca.transform(ROWS[:30]))


def test_kmeans_is_a_fixed_point_of_lloyd():
    codebook = alcedo.Codebook.fit(ROWS, clusters=4, max_iterations=500, tolerance=0)
    assert codebook.report.converged and codebook.report.iterations > 1
    words = nearest(ROWS, codebook.centers)
    np.testing.assert_allclose(codebook.centers, [ROWS[words == k].mean(axis=0) for k in range(4)], atol=1e-5)
    np.testing.assert_allclose(codebook.weights, np.bincount(words, minlength=4) / len(ROWS))
    error = ((ROWS - codebook.centers[words]) ** 2).sum(axis=1).mean()
    assert codebook.report.objective == pytest.approx(error, rel=1e-5)


def log_density(rows, mixture):
    """Of every row and Gaussian, with its weight."""
    z = (rows[:, None, :].astype(float) - mixture.means[None]) ** 2 / mixture.variances[None]
    return np.log(mixture.weights) - 0.5 * (z + np.log(2 * np.pi * mixture.variances)[None]).sum(axis=2)


def test_em_raises_the_likelihood_to_a_fixed_point():
    mixture = alcedo.GaussianMixture.fit(ROWS, gaussians=3, max_iterations=2000, tolerance=1e-12)
    log = log_density(ROWS, mixture)
    posteriors = np.exp(log - np.logaddexp.reduce(log, axis=1, keepdims=True))
    np.testing.assert_allclose(mixture.weights, posteriors.mean(axis=0), atol=1e-3)
    means = posteriors.T @ ROWS / posteriors.sum(axis=0)[:, None]
    np.testing.assert_allclose(mixture.means, means, atol=1e-2)
    assert mixture.report.objective == pytest.approx(np.logaddexp.reduce(log, axis=1).mean(), rel=1e-4)


def test_bov_and_vlad_and_super_vectors():
    words = nearest(ROWS, CODEBOOK.centers)
    residuals = ROWS - CODEBOOK.centers[words]
    np.testing.assert_array_equal(alcedo.Encoder(CODEBOOK, "bov").encode(ROWS).to_dense(), np.eye(5)[words])
    vlad = in_blocks(residuals, words, 5)
    np.testing.assert_allclose(alcedo.Encoder(CODEBOOK).encode(ROWS).to_dense(), vlad, atol=1e-6)
    unit = residuals / np.linalg.norm(residuals, axis=1, keepdims=True)
    np.testing.assert_allclose(alcedo.Encoder(CODEBOOK, "vlad", residual_l2=True).encode(ROWS).to_dense(),
                               in_blocks(unit, words, 5), atol=1e-6)
    s = 0.7
    values = np.hstack([np.full((len(ROWS), 1), s), residuals]) / np.sqrt(CODEBOOK.weights[words])[:, None]
    np.testing.assert_allclose(alcedo.Encoder(CODEBOOK, "sv", s=s).encode(ROWS).to_dense(), in_blocks(values, words, 5), atol=1e-5)


def fisher(rows, mixture, posteriors):
    deviation = np.sqrt(mixture.variances)
    z = (rows[:, None, :].astype(float) - mixture.means[None]) / deviation[None]
    q = posteriors[:, :, None] / np.sqrt(mixture.weights)[None, :, None]
    return np.concatenate([q * z, q * (z ** 2 - 1) / np.sqrt(2)], axis=2).reshape(len(rows), -1)


def test_fisher_vectors():
    log = log_density(ROWS, MIXTURE)
    hard = np.eye(3)[log.argmax(axis=1)]
    soft = np.exp(log - np.logaddexp.reduce(log, axis=1, keepdims=True))
    np.testing.assert_allclose(alcedo.Encoder(MIXTURE).encode(ROWS).to_dense(), fisher(ROWS, MIXTURE, hard), atol=1e-4)
    encoder = alcedo.Encoder(MIXTURE, "fv", assignment="soft", posterior_threshold=0)
    np.testing.assert_allclose(encoder.encode(ROWS).to_dense(), fisher(ROWS, MIXTURE, soft), atol=1e-4)


def test_soft_bov_and_llc_and_sparse_codes():
    distances = ((ROWS[:, None, :].astype(float) - CODEBOOK.centers[None]) ** 2).sum(axis=2)
    weights = np.exp(-distances / (2 * 0.8 ** 2))
    codes = alcedo.Encoder(CODEBOOK, "soft-bov", sigma=0.8, nearest=5).encode(ROWS).to_dense()
    np.testing.assert_allclose(codes, weights / weights.sum(axis=1, keepdims=True), atol=1e-5)
    codes = alcedo.Encoder(CODEBOOK, "llc", nearest=3).encode(ROWS).to_dense()
    np.testing.assert_allclose(codes.sum(axis=1), 1, atol=1e-5)
    assert (np.count_nonzero(codes, axis=1) <= 3).all()
    atoms = CODEBOOK.centers / np.linalg.norm(CODEBOOK.centers, axis=1, keepdims=True)
    codes = alcedo.Encoder(alcedo.Dictionary(atoms), "sparse", l1=0.5, tolerance=1e-9).encode(ROWS).to_dense()
    # The conditions of a minimum of 1/2 |x - c A|^2 + l1 |c|_1.
    gradient = (ROWS - codes @ atoms) @ atoms.T
    used = codes != 0
    np.testing.assert_allclose(gradient[used], 0.5 * np.sign(codes[used]), atol=1e-4)
    assert (np.abs(gradient[~used]) <= 0.5 + 1e-4).all()


def test_emk_is_its_formula_and_approximates_the_kernel():
    features = alcedo.RandomFourier.draw(6, sigma=2.0, outputs=8192, seed=1)
    encoded = alcedo.Encoder(features).encode(ROWS[:40]).to_dense()
    x = ROWS[:40].astype(float)
    cosines = np.sqrt(2 / 8192) * np.cos(x @ features.frequencies.T.astype(float) + features.phases)
    np.testing.assert_allclose(encoded, cosines, atol=1e-5)
    kernel = np.exp(-((x[:, None] - x[None]) ** 2).sum(axis=2) / (2 * 2.0 ** 2))
    np.testing.assert_allclose(encoded @ encoded.T, kernel, atol=0.06)
    pairs = np.linalg.norm(ROWS[:, None] - ROWS[None], axis=2)[np.triu_indices(len(ROWS), 1)]
    assert alcedo.RandomFourier.fit(ROWS, outputs=16).sigma == pytest.approx(np.median(pairs), rel=0.02)


@pytest.mark.parametrize("kind, options", [("gmm", {"gaussians": 4}), ("kmeans", {"clusters": 4}), ("dictionary", {"atoms": 4}),
                                           ("fourier", {"outputs": 32})])
def test_vocabularies_survive_files_and_pickles_bit_for_bit(kind, options, tmp_path):
    vocabulary = alcedo.Vocabulary.fit(ROWS, kind, pca=3, seed=5, **options)
    again = alcedo.Vocabulary.fit(ROWS, kind, pca=3, seed=5, threads=1, **options)
    vocabulary.save(tmp_path / "v.safetensors")
    read = alcedo.Vocabulary.load(tmp_path / "v.safetensors")
    expected = alcedo.pool(ROWS, encoder=alcedo.Encoder(vocabulary), lambda_=1)
    copied_words = alcedo.Vocabulary(pickle.loads(pickle.dumps(vocabulary.words)), pickle.loads(pickle.dumps(vocabulary.pca)))
    for other in (again, read, pickle.loads(pickle.dumps(vocabulary)), copied_words):
        assert (other.kind, other.dimension, other.descriptor_dimension) == (kind, 3, 6)
        np.testing.assert_array_equal(alcedo.pool(ROWS, encoder=alcedo.Encoder(other), lambda_=1), expected)
    encoder = pickle.loads(pickle.dumps(alcedo.Encoder(vocabulary)))
    np.testing.assert_array_equal(alcedo.pool(ROWS, encoder=encoder, lambda_=1), expected)


def test_an_encoder_in_pool_is_encode_then_pool():
    encoder = alcedo.Encoder(alcedo.Vocabulary.fit(ROWS, "gmm", pca=4, gaussians=4))
    bags = [ROWS[:30], ROWS[30:30], ROWS[30:100]]
    encoded = encoder.encode(bags)
    assert [e.shape for e in encoded] == [(30, 32), (0, 32), (70, 32)]
    np.testing.assert_array_equal(alcedo.pool(bags, encoder=encoder), alcedo.pool(encoded))
    np.testing.assert_array_equal(alcedo.pool(ROWS[:100], offsets=[0, 30, 30, 100], encoder=encoder), alcedo.pool(encoded))
    for ours, theirs in zip(alcedo.gmp_weights(bags, encoder=encoder), alcedo.gmp_weights(encoded)):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(alcedo.democratic(bags[0], encoder=encoder), alcedo.democratic(encoded[0]))
    assert alcedo.pool([], encoder=encoder).shape == (0, 32)
    positions = np.random.default_rng(0).uniform(size=(30, 2))
    np.testing.assert_allclose(alcedo.spatial_pyramid(bags[0], positions, "1,2x1", encoder=encoder)[:32],
                               alcedo.pool(encoded[0]), rtol=1e-6)
    for threads in (1, 2, 5):
        np.testing.assert_array_equal(alcedo.pool(bags, encoder=encoder, threads=threads), alcedo.pool(encoded))


def test_vlad_with_rotations():
    rotations = np.concatenate([np.eye(6)[RNG.permutation(6)] for _ in range(5)])
    rotated = alcedo.Encoder(alcedo.Vocabulary(CODEBOOK, rotations=rotations)).encode(ROWS).to_dense()
    words = nearest(ROWS, CODEBOOK.centers)
    residuals = [rotations[6 * k:6 * k + 6] @ (x - CODEBOOK.centers[k]) for x, k in zip(ROWS, words)]
    np.testing.assert_allclose(rotated, in_blocks(np.array(residuals), words, 5), atol=1e-5)


def test_bundled_vocabularies():
    for name, dimensions in (("sift", 128), ("color", 96)):
        vocabulary = alcedo.Vocabulary.load(name)
        assert (vocabulary.descriptor_dimension, vocabulary.dimension, vocabulary.words.means.shape) == (dimensions, 64, (256, 64))


def test_arrays_of_models_are_views_that_cannot_be_written():
    centers = CODEBOOK.centers
    with pytest.raises(ValueError):
        centers[0, 0] = 1
    copy = alcedo.Codebook(np.array(centers))
    kept = copy.centers
    del copy
    np.testing.assert_array_equal(kept, centers)


def test_doubles_are_rounded_once():
    encoder = alcedo.Encoder(CODEBOOK)
    np.testing.assert_array_equal(encoder.encode(ROWS.astype(np.float64)).to_dense(), encoder.encode(ROWS).to_dense())
    doubles = alcedo.Codebook.fit(ROWS.astype(np.float64), clusters=4, seed=2)
    np.testing.assert_array_equal(doubles.centers, alcedo.Codebook.fit(ROWS, clusters=4, seed=2).centers)


def test_progress_and_interruption():
    seen = []
    alcedo.Codebook.fit(ROWS, clusters=8, progress=lambda done, most: seen.append((done, most)))
    assert seen[0] == (1, 25) and seen == sorted(seen)
    many = np.random.default_rng(0).normal(size=(200000, 16)).astype(np.float32)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        alcedo.GaussianMixture.fit(many, gaussians=64, max_iterations=100000, tolerance=0)


@pytest.mark.parametrize("wrong, message", [
    (lambda: alcedo.Encoder(CODEBOOK, "vald"), "encoder must be .* did you mean 'vlad'"),
    (lambda: alcedo.Encoder(CODEBOOK, "fv"), "encoder fv needs a vocabulary of kind gmm"),
    (lambda: alcedo.Encoder(CODEBOOK, "llc", nearest=0), "nearest must be >= 1"),
    (lambda: alcedo.Encoder(CODEBOOK).encode(ROWS[:, :4]), "rows have 4 dimensions, and the encoder takes 6"),
    (lambda: alcedo.Encoder(CODEBOOK).encode(np.full((2, 6), np.nan)), "rows: row 0, column 0 is NaN"),
    (lambda: alcedo.Encoder(CODEBOOK).encode([ROWS, np.full((2, 6), np.inf)]), r"rows\[1\]: row 0, column 0 is infinite"),
    (lambda: alcedo.pool(ROWS, encoder=alcedo.Encoder(CODEBOOK), blocks=np.zeros(600, int), num_blocks=1), "encoded already"),
    (lambda: alcedo.pool(alcedo.Encodings.from_dense(ROWS), encoder=alcedo.Encoder(CODEBOOK)), "encoded already"),
    (lambda: alcedo.Codebook(np.full((2, 2), np.nan)), "codebook centers: row 0, column 0 is NaN"),
    (lambda: alcedo.Codebook(np.zeros((0, 2))), "at least one"),
    (lambda: alcedo.GaussianMixture([1.0], np.zeros((1, 2)), np.zeros((1, 2))), "variance 0 must be positive"),
    (lambda: alcedo.Codebook.fit(ROWS, clusters=0), "clusters must be >= 1"),
    (lambda: alcedo.Codebook.fit(ROWS[:0]), "at least one"),
    (lambda: alcedo.Codebook.fit(np.full((3, 2), np.nan)), "row 0, column 0 is NaN"),
    (lambda: alcedo.Pca.fit(ROWS, dimensions=0), "dimensions must be"),
    (lambda: alcedo.Pca.fit(ROWS, dimensions=3).transform(ROWS[:, :5]), "5"),
    (lambda: alcedo.RandomFourier.draw(3, sigma=0), "sigma must be given"),
    (lambda: alcedo.Vocabulary.fit(ROWS, "gm"), "kind must be gmm"),
    (lambda: alcedo.Vocabulary(CODEBOOK, alcedo.Pca.fit(ROWS, dimensions=2)), "pca gives 2 dimensions, and the words have 6"),
])
def test_wrong_values(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@pytest.mark.parametrize("wrong, message", [
    (lambda: alcedo.Encoder(CODEBOOK, "vlad", nearest=3), "encoder 'vlad' has no option nearest"),
    (lambda: alcedo.Codebook.fit(ROWS, cluster=3), "did you mean 'clusters'"),
    (lambda: alcedo.pool(ROWS, encoder="vlad"), "encoder must be an alcedo.Encoder, not str"),
    (lambda: alcedo.Vocabulary("sift"), "words must be Codebook"),
    (lambda: alcedo.Codebook.fit(["a"]), "array of real numbers"),
])
def test_wrong_types(wrong, message):
    with pytest.raises(TypeError, match=message):
        wrong()


def test_files_that_are_no_vocabularies(tmp_path):
    with pytest.raises(alcedo.IoError, match="there is no vocabulary"):
        alcedo.Vocabulary.load(tmp_path / "none")
    (tmp_path / "v").write_bytes(b"not a vocabulary")
    with pytest.raises(alcedo.FormatError):
        alcedo.Vocabulary.load(tmp_path / "v")
    state = alcedo.Vocabulary(CODEBOOK).__getstate__()
    with pytest.raises(alcedo.FormatError, match="the pickle, of alcedo"):
        alcedo.Vocabulary(CODEBOOK).__setstate__({**state, "vocabulary": state["vocabulary"][:-5]})
    for state in ({}, None, {"vocabulary": 3}, {"alcedo": "99.0", "vocabulary": b"x"}):
        with pytest.raises(alcedo.FormatError, match="^the pickle, of .*, cannot be read: "):
            alcedo.Vocabulary.__new__(alcedo.Vocabulary).__setstate__(state)


@pytest.mark.parametrize("bad,text", [
    ({}, "it has no "), (None, "its state is of type NoneType"), ({"alcedo": "99.0"}, "of alcedo 99.0"),
    ({"parts": {}, "report": None, "vocabulary": 3}, "cannot be read"),
])
def test_pickles_of_another_version(bad, text):
    for one in (CODEBOOK, MIXTURE, alcedo.Pca.fit(ROWS, dimensions=2), alcedo.Encoder(CODEBOOK)):
        with pytest.raises(alcedo.FormatError, match="^the pickle, of .*, cannot be read: ") as raised:
            type(one).__new__(type(one)).__setstate__(bad)
        assert text in str(raised.value)


def test_reports_of_fits_survive_a_pickle():
    fitted = alcedo.Codebook.fit(ROWS, clusters=4)
    report = pickle.loads(pickle.dumps(fitted)).report
    assert repr(report) == repr(fitted.report)
    assert (report.iterations, report.objective, report.converged) == (
        fitted.report.iterations, fitted.report.objective, fitted.report.converged)
    assert repr(report).startswith("<alcedo.TrainingReport: converged, ")
    assert pickle.loads(pickle.dumps(CODEBOOK)).report is None


def test_pca_has_progress_and_ends_with_ctrl_c():
    rows = np.random.default_rng(0).normal(size=(20000, 30)).astype(np.float32)
    seen = []
    alcedo.Pca.fit(rows, dimensions=2, threads=1, progress=lambda done, all: seen.append((done, all)))
    assert seen[0] == (0, 20000) and seen[-1] == (20000, 20000) and seen == sorted(seen) and len(seen) > 3
    with pytest.raises(ZeroDivisionError):
        alcedo.Pca.fit(rows, progress=lambda done, all: 1 / 0)
    wide = np.zeros((60000, 2500), np.float32)  # would take a minute
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    calls = []
    with pytest.raises(KeyboardInterrupt):
        alcedo.Pca.fit(wide, progress=lambda done, all: calls.append(done))
    assert 60000 not in calls  # it did not run to its end


def test_other_threads_run_while_features_are_drawn():
    wide = np.random.default_rng(0).normal(size=(3000, 2000))
    assert longest_pause(lambda: alcedo.RandomFourier.fit(wide, outputs=4096)) < 0.5
    assert longest_pause(lambda: alcedo.RandomFourier.draw(2000, 3.0, outputs=8192)) < 0.5


fit = alcedo.Vocabulary.fit


@pytest.mark.parametrize("call,kind,option,text", [
    (lambda: alcedo.Pca.fit(ROWS, dimensions=3).transform(ROWS[:, :5]), ValueError, "rows", "have the 6 dimensions"),
    (lambda: fit(ROWS, "gm"), ValueError, "kind", "got 'gm'; did you mean 'gmm'?"),
    (lambda: fit(ROWS, ["gmm"]), TypeError, None, "kind must be a string, got ['gmm']"),
    (lambda: fit(ROWS, whiten=True), ValueError, "whiten", "whiten goes with pca"),
    (lambda: fit(ROWS, pca=-1), ValueError, "pca", "pca must be >= 0, got -1"),
    (lambda: fit(ROWS, pca=1.5), TypeError, None, "pca must be a whole number, got 1.5"),
    (lambda: fit(ROWS, "fourier", threads=-5), ValueError, "threads", "threads must be >= 1, got -5"),
    (lambda: fit(ROWS, "fourier", progress="no"), TypeError, None, "progress must be True, False or"),
    (lambda: alcedo.Vocabulary(CODEBOOK).project(ROWS, threads=0), ValueError, "threads", "threads must be >= 1"),
    (lambda: alcedo.Codebook.fit(ROWS, seed=-1), ValueError, "seed", "seed must be >= 0, got -1"),
    (lambda: alcedo.GaussianMixture.fit(ROWS, seed=2**64), ValueError, "seed", "seed must be <= 18446744073709551615"),
    (lambda: alcedo.Dictionary.fit(ROWS, seed=1.5), TypeError, None, "seed must be a whole number, got 1.5"),
    (lambda: fit(ROWS, seed=None), TypeError, None, "seed must be a whole number, got None"),
    (lambda: alcedo.RandomFourier.draw(4.0, 1), TypeError, None, "dimension must be a whole number, got 4.0"),
    (lambda: alcedo.RandomFourier.draw(0, 1), ValueError, "dimension", "dimension must be >= 1, got 0"),
    (lambda: alcedo.RandomFourier.draw(4, "1"), TypeError, None, "sigma must be a number, got '1'"),
    (lambda: alcedo.RandomFourier([[1.0]], [1.0], "2"), TypeError, None, "sigma must be a number, got '2'"),
    (lambda: alcedo.Pca([0.0], [[1.0]], [1.0], whiten=1), TypeError, None, "whiten must be True or False, got 1"),
    (lambda: alcedo.Codebook.fit(ROWS, sed=1), TypeError, None, "did you mean 'seed'?"),
    (lambda: alcedo.RandomFourier.fit([[0.0, np.nan]]), ValueError, "", "rows: row 0, column 1 is NaN"),
    (lambda: alcedo.Encoder(CODEBOOK, seed=-1), ValueError, "seed", "seed must be >= 0"),
    (lambda: alcedo.Encoder(CODEBOOK, 3), TypeError, None, "encoder must be a string, got 3"),
    (lambda: alcedo.Encoder(CODEBOOK, assignment="soft"), TypeError, None, "encoder 'vlad' has no option assignment"),
    (lambda: fit(ROWS, descriptor="sift"), ValueError, "rows", "128 dimensions of descriptor 'sift', got 6"),
    (lambda: alcedo.Vocabulary(CODEBOOK, descriptor="color"), ValueError, "descriptor", "6 dimensions of the"),
    (lambda: fit(ROWS, descriptor="shift"), ValueError, "descriptor", "did you mean 'sift'?"),
    (lambda: fit(ROWS, descriptor="sift", describe={"stepp": 3}), TypeError, None, "did you mean 'step'?"),
    (lambda: fit(ROWS, descriptor="sift", describe={"step": 0}), ValueError, "step", "got 0"),
    (lambda: fit(ROWS, describe={"step": 3}), ValueError, "describe", "describe goes with descriptor"),
    (lambda: fit(ROWS, descriptor="sift", describe=[3]), TypeError, None, "describe must be a dictionary"),
    (lambda: fit(ROWS, descriptor=3), TypeError, None, "descriptor must be a string, got 3"),
])
def test_errors_name_the_keyword(call, kind, option, text):
    with pytest.raises(kind) as raised:
        call()
    assert text in str(raised.value) and getattr(raised.value, "option", None) == option


def test_auto_takes_the_options_of_what_it_chooses():
    soft = alcedo.Encoder(MIXTURE, assignment="soft")
    assert soft.name == "fv"
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(soft)).encode(ROWS).to_dense(),
                                  alcedo.Encoder(MIXTURE, "fv", assignment="soft").encode(ROWS).to_dense())


@pytest.mark.parametrize("words,rotations,text", [
    (CODEBOOK, np.eye(6), "must be 30 x 6, one of 6 x 6 per word, got 6 x 6"),
    (CODEBOOK, np.zeros((0, 6)), "must be 30 x 6"),
    (CODEBOOK, np.full((30, 6), np.nan), "NaN"),
    (MIXTURE, np.tile(np.eye(6), (3, 1)), "rotations go with a Codebook"),
])
def test_what_cannot_be_loaded_is_not_made(words, rotations, text):
    with pytest.raises(alcedo.InvalidArgument, match=text):
        alcedo.Vocabulary(words, rotations=rotations)
