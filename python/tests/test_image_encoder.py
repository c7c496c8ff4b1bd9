"""Encoders of images: their settings, vocabularies of one's own, and what they say of solvers that stopped early."""

import pickle
import re
import warnings

import numpy as np
import pytest

import alcedo
from alcedo import _alcedo
from conftest import stripes

GREY = stripes("across", 1)
IMAGES = [stripes("across", seed) for seed in range(3)] + [stripes("down", seed) for seed in range(3)]


@pytest.mark.parametrize("descriptor,settings", [
    ("sift", {"scales": 1, "step": 8, "root": True, "contrast": 0.0}),
    ("color", {"scales": 2, "step": 8, "patch": 32, "max_pixels": 3000}),
])
def test_a_vocabulary_of_ones_own_encodes_images(descriptor, settings, tmp_path, program):
    rows = np.concatenate([alcedo.describe(image, descriptor, **settings).values for image in IMAGES])
    vocabulary = alcedo.Vocabulary.fit(rows, pca=16, gaussians=4, descriptor=descriptor, describe=settings)
    assert vocabulary.descriptor == descriptor
    vocabulary.save(tmp_path / "own.safetensors")
    expected = alcedo.pool(alcedo.describe(GREY, descriptor, **settings).values, encoder=alcedo.Encoder(vocabulary))
    for one in (vocabulary, tmp_path / "own.safetensors", pickle.loads(pickle.dumps(vocabulary))):
        encoder = alcedo.ImageEncoder(one)
        np.testing.assert_allclose(encoder.encode(GREY), expected, rtol=1e-5, atol=1e-6)
        again = pickle.loads(pickle.dumps(encoder))
        np.testing.assert_array_equal(again.encode(GREY), encoder.encode(GREY))
    assert "gmm" in program(tmp_path, "info", "own.safetensors")
    words = alcedo.Vocabulary(vocabulary.words, vocabulary.pca, descriptor=descriptor, describe=settings)
    np.testing.assert_array_equal(alcedo.ImageEncoder(words).encode(GREY), alcedo.ImageEncoder(vocabulary).encode(GREY))
    # Settings say where a vocabulary comes from, or that it comes from nowhere.
    assert alcedo.ImageEncoder(vocabulary).config["vocabulary"] == "given"
    assert alcedo.ImageEncoder(alcedo.Vocabulary.load("sift")).config["vocabulary"] == "sift"


def test_a_vocabulary_of_other_descriptors_is_refused_at_once():
    vocabulary = alcedo.Vocabulary.fit(alcedo.describe(GREY, scales=1), gaussians=2)
    assert vocabulary.descriptor == "external"
    text = "give descriptor to Vocabulary.fit, or use Encoder and pool"
    with pytest.raises(alcedo.InvalidArgument, match=text) as raised:
        alcedo.ImageEncoder(vocabulary)
    assert raised.value.option == "vocabulary"
    for own, other in ((vocabulary, "sift"), ("color", "sift")):
        with pytest.raises(alcedo.InvalidArgument, match="which the vocabulary was learned from, got 'sift'") as raised:
            alcedo.ImageEncoder(own, descriptor=other)
        assert raised.value.option == "descriptor"


def test_files_of_descriptors_are_encoded_if_asked_for(tmp_path):
    found = alcedo.describe(GREY, scales=1).values
    np.save(tmp_path / "tokens.npy", found)
    vocabulary = alcedo.Vocabulary.fit(found, gaussians=2)
    encoder = alcedo.ImageEncoder(vocabulary, descriptor="external")
    expected = alcedo.pool(found, encoder=alcedo.Encoder(vocabulary))
    np.testing.assert_allclose(encoder.encode(tmp_path / "tokens.npy"), expected, rtol=1e-5, atol=1e-6)


def test_relative_is_not_overruled():
    def relative(**settings):
        config = alcedo.ImageEncoder("sift", **settings).config
        return config["gmp"]["relative"], config["lambda"]

    assert relative(lambda_=5, gmp={"relative": False}) == (False, [5])
    assert relative(lambda_=5, gmp={"solver": "cg"}) == (True, [5])
    assert relative(lambda_=5, relative=False) == (False, [5])
    assert relative(relative=False, gmp={"solver": "cg"}) == (False, [1])
    assert relative(relative=True, **{"lambda": [2, 3]}) == (True, [2, 3])
    assert relative(**{"lambda": [2]}, gmp={"relative": False}) == (False, [2])
    for both in (True, False):
        with pytest.raises(alcedo.InvalidArgument, match="must not be given beside") as raised:
            alcedo.ImageEncoder("sift", lambda_=5, relative=both, gmp={"relative": True})
        assert raised.value.option == "relative"
    with pytest.raises(TypeError, match="relative must be True or False, got 1"):
        alcedo.ImageEncoder("sift", lambda_=5, relative=1)


def test_solvers_that_stop_early_warn():
    settings = {"gmp": {"solver": "cg", "max_iterations": 1}, "grid": {"scales": 1}}
    encoder = alcedo.ImageEncoder("sift", lambda_=[1e-9, 1e9], **settings)
    for images, count in ((GREY, 1), ([GREY] * 3, 3), (iter([GREY] * 3), 3)):
        text = f"^{count} of {2 * count} solves of images did not converge: "
        with pytest.warns(alcedo.ConvergenceWarning, match=text) as caught:
            encoder.encode(images)
        assert len(caught) == 1 and caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alcedo.ImageEncoder("sift", lambda_=1, grid={"scales": 1}).encode(GREY)
        alcedo.ImageEncoder("sift", pooling="sum", grid={"scales": 1}).encode(GREY)


def impatient(content):
    """A model whose solver stops after one iteration, sealed again."""
    for ours, theirs in ((rb'\"max_iterations\":10000', rb'\"max_iterations\":1    '),
                         (rb'\"solver\":\"auto\"', rb'\"solver\":\"cg\"  ')):
        assert ours in content
        content = content.replace(ours, theirs)
    content = re.sub(rb'"checksum":"\w{32}"', b'"checksum":"%s"' % (b"0" * 32), content)
    seal = _alcedo.content_hash(np.frombuffer(content, np.uint8)).encode()
    return content.replace(b'"checksum":"%s"' % (b"0" * 32), b'"checksum":"%s"' % seal)


def test_models_warn_too(trained, tmp_path):
    (tmp_path / "model.safetensors").write_bytes(impatient((trained / "stripes.safetensors").read_bytes()))
    model = alcedo.load_model(tmp_path / "model.safetensors")
    for call in (model.predict, model.scores, model.probabilities):
        with pytest.warns(alcedo.ConvergenceWarning, match=r"^\d of \d solves of images did not converge: ") as caught:
            call([GREY, GREY])
        assert len(caught) == 1 and caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alcedo.load_model(trained / "stripes.safetensors").predict(GREY)


@pytest.mark.parametrize("state", [{}, None, {"alcedo": "99.0", "vocabulary": 3}, {"vocabulary": None, "several": 1}])
def test_pickles_of_another_version(state):
    with pytest.raises(alcedo.FormatError, match="^the pickle, of .*, cannot be read: "):
        alcedo.ImageEncoder.__new__(alcedo.ImageEncoder).__setstate__(state)
