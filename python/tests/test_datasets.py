"""The dataset readers from Python: folders that are made here, and samples of the real formats."""

import os
import pathlib

import numpy as np
import pytest

import alcedo
from conftest import write_png

SAMPLES = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "data" / "samples"


@pytest.fixture
def birds(tmp_path):
    """Two classes of five and three images."""
    for name, count in (("gull", 5), ("auk", 3)):
        (tmp_path / "birds" / name).mkdir(parents=True)
        for i in range(count):
            write_png(tmp_path / "birds" / name / f"{i}.png", np.zeros((4, 4)))
    return tmp_path / "birds"


def test_a_folder(birds):
    dataset = alcedo.read_dataset(birds)
    assert dataset.kind == "folder" and dataset.classes == ["auk", "gull"] and len(dataset) == 8
    assert dataset.names == [f"auk/{i}.png" for i in range(3)] + [f"gull/{i}.png" for i in range(5)]
    assert [pathlib.Path(path) for path in dataset.paths] == [birds / name for name in dataset.names]
    np.testing.assert_array_equal(dataset.labels, [0] * 3 + [1] * 5)
    assert dataset.targets is None and not any(dataset.boxes)
    parts = [dataset.numbers(split) for split in ("train", "validation", "test")]
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(8))


def test_folders_that_are_the_split(birds, tmp_path):
    for split in ("train", "test"):
        (tmp_path / "two" / split).mkdir(parents=True)
        for name in ("auk", "gull"):
            os.symlink(birds / name, tmp_path / "two" / split / name)
    dataset = alcedo.read_dataset(tmp_path / "two", "folder")
    assert len(dataset.numbers("train")) == len(dataset.numbers("test")) == 8
    np.testing.assert_array_equal(dataset.splits == "test", [name.startswith("test/") for name in dataset.names])


def test_names_that_are_not_utf_8(birds):
    os.rename(birds / "auk", os.path.join(os.fsencode(birds), b"\xe9tourneau"))
    dataset = alcedo.read_dataset(birds)
    name = os.fsdecode(b"\xe9tourneau")
    assert sorted(dataset.classes) == sorted(["gull", name])
    paths = [path for path in dataset.paths if name in path]
    assert len(paths) == 3 and all(os.path.exists(path) for path in paths)


@pytest.mark.parametrize("folder,kind,classes", [("VOCdevkit", "voc2007", 20), ("CUB_200_2011", "cub2011", None),
                                                 ("CUB_200_2010", "cub2010", None), ("oxford-iiit-pet", "pets", None)])
def test_samples_of_the_real_formats(folder, kind, classes):
    if not (SAMPLES / folder).is_dir():
        pytest.skip(f"the samples of datasets are not in {SAMPLES}")
    dataset = alcedo.read_dataset(SAMPLES / folder)
    assert dataset.kind == kind and len(dataset) > 0 and classes in (None, len(dataset.classes))
    assert all(os.path.exists(path) for path in dataset.paths)
    if kind == "voc2007":
        assert dataset.targets.shape == (len(dataset), 20) and set(np.unique(dataset.targets)) <= {-1, 0, 1}
        assert (dataset.labels == -1).all()
    else:
        assert dataset.targets is None and (0 <= dataset.labels).all() and (dataset.labels < len(dataset.classes)).all()
    with_boxes = [boxes for boxes in dataset.boxes if boxes]
    assert all(len(box) == 4 for boxes in with_boxes for box in boxes)
    # As one reads it by hand.
    if kind == "cub2011":
        lines = (pathlib.Path(SAMPLES / folder) / "images.txt").read_text().split()
        assert [name.removeprefix("images/") for name in dataset.names] == lines[1::2]


@pytest.mark.parametrize("call,kind,text", [
    (lambda f: alcedo.read_dataset(f, "foldr"), alcedo.InvalidArgument, "did you mean 'folder'"),
    (lambda f: alcedo.read_dataset(f / "none"), (alcedo.FormatError, alcedo.IoError), "none"),
    (lambda f: alcedo.read_dataset(f, seedd=1), TypeError, "did you mean 'seed'"),
    (lambda f: alcedo.read_dataset(None), TypeError, "root"),
    (lambda f: alcedo.read_dataset("a\0b"), alcedo.InvalidArgument, "NUL"),
    (lambda f: alcedo.read_dataset(f, kind=3), TypeError, "kind must be a string, got 3"),
    (lambda f: alcedo.read_dataset(f).numbers("training"), alcedo.InvalidArgument, "got 'training'"),
    (lambda f: alcedo.read_dataset(f, "voc2007"), (alcedo.FormatError, alcedo.IoError), "birds"),
])
def test_errors(birds, call, kind, text):
    with pytest.raises(kind) as raised:
        call(birds)
    assert text in str(raised.value)
