"""Models from Python against the program, which classifies the same files."""

import json
import os
import pickle

import numpy as np
import pytest

import alcedo
from conftest import stripes


@pytest.fixture(scope="module")
def model(trained):
    return alcedo.load_model(trained / "stripes.safetensors")


@pytest.fixture(scope="module")
def images(trained):
    return sorted(str(path) for path in trained.glob("stripes/*/*.png")) + [str(trained / "up.png"), str(trained / "down.png")]


def test_the_program_says_the_same(program, trained, model, images):
    text = program(trained, "classify", "stripes.safetensors", *images, "--format", "jsonl", "--top", 2)
    said = [json.loads(line) for line in text.splitlines()]
    assert [one["image"] for one in said] == images
    scores, probabilities = model.scores(images), model.probabilities(images)
    for i, one in enumerate(said):
        assert model.predict(images[i]) == one["predictions"][0]["class"]
        for entry in one["predictions"]:
            c = model.classes.index(entry["class"])
            assert scores[i, c] == entry["score"] and probabilities[i, c] == entry["probability"]


def test_it_learned_the_stripes(model, images):
    assert model.predict(images) == ["across"] * 20 + ["down"] * 20 + ["across", "down"]
    probabilities = model.probabilities(images)
    assert probabilities.shape == (42, 2) and (0 <= probabilities).all() and (probabilities <= 1).all()
    assert model.training["images"] == 20 and not model.multi_label


def test_any_form_of_an_image(model, trained):
    expected = model.scores(trained / "up.png")
    assert expected.shape == (2,)
    for same in ((trained / "up.png").read_bytes(), stripes("across", 7)):
        np.testing.assert_array_equal(model.scores(same), expected)
    np.testing.assert_array_equal(model.scores([trained / "up.png"] * 5, threads=2), [expected] * 5)
    assert model.predict([]) == [] and model.scores([]).shape == (0, 2)


def test_bad_images(model, trained):
    names, failures = model.predict([trained / "up.png", b"text", trained / "none.png"], return_failures=True)
    assert names == ["across", None, None] and sorted(failures) == [1, 2]
    with pytest.raises(alcedo.FormatError) as raised:
        model.predict([trained / "up.png", b"text"])
    assert raised.value.file == "images[1]"
    with pytest.raises(ValueError, match="threads must be >= 1"):
        model.predict(trained / "up.png", threads=0)


def test_without_probabilities(program, trained):
    program(trained, "train", "stripes", "--gaussians", 4, "--samples", 2000, "-o", "plain.safetensors")
    model = alcedo.load_model(trained / "plain.safetensors")
    seen = []
    with pytest.raises(alcedo.InvalidArgument, match="no probabilities"):
        model.probabilities([trained / "up.png"], progress=lambda *step: seen.append(step))
    assert not seen  # it is refused before any work
    assert model.predict(trained / "down.png") == "down"


def test_bad_files(trained, tmp_path):
    with pytest.raises(alcedo.IoError) as raised:
        alcedo.load_model(tmp_path / "none.safetensors")
    assert raised.value.file == str(tmp_path / "none.safetensors")
    content = bytearray((trained / "stripes.safetensors").read_bytes())
    content[len(content) // 2] ^= 1
    name = os.path.join(os.fsencode(tmp_path), b"caf\xe9.safetensors")
    with open(name, "wb") as file:
        file.write(content)
    with pytest.raises(alcedo.FormatError) as raised:
        alcedo.load_model(name)
    assert raised.value.file == os.fsdecode(name)
    with open(name, "wb") as file:
        file.write((trained / "stripes.safetensors").read_bytes())
    assert alcedo.load_model(os.fsdecode(name)).classes == ["across", "down"]
    for nothing in (None, 3, ["a"]):
        with pytest.raises(TypeError):
            alcedo.load_model(nothing)


def test_pickles(model, images):
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.scores(images), model.scores(images))
    state = model.__getstate__()
    for bad in ({"alcedo": "99.0", "model": state["model"][:-100]}, {"alcedo": "99.0"}, None):
        with pytest.raises(alcedo.FormatError, match="pickle"):
            alcedo.Model.__new__(alcedo.Model).__setstate__(bad)
    for bad in ({}, {"alcedo": "99.0", "model": 3}):
        with pytest.raises(alcedo.FormatError, match="^the pickle, of .*, cannot be read: "):
            alcedo.Model.__new__(alcedo.Model).__setstate__(bad)


def test_lists_iterators_and_failures(model, images, monkeypatch):
    names, scores = model.predict(images), model.scores(images)
    for most in (1, 5):
        monkeypatch.setattr(alcedo.batches, "_MOST_IMAGES", most)
        assert model.predict(iter(images)) == names
        np.testing.assert_array_equal(model.scores(image for image in images), scores)
    found, failures = model.probabilities([images[0], None, images[1]], return_failures=True)
    np.testing.assert_array_equal(found[[0, 2]], model.probabilities(images[:2]))
    assert list(failures) == [1] and not found[1].any()


def test_a_model_is_made_from_a_file():
    with pytest.raises(TypeError, match="by load_model"):
        alcedo.Model()
