"""Datasets as their authors distribute them, and plain folders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from alcedo import _alcedo
from alcedo.checks import one_of, text
from alcedo.paths import path_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from alcedo._options import ReadDatasetOptions
    from alcedo._types import DatasetKind, Split


class Dataset:
    """Images with classes and splits. See `read_dataset`.

    Attributes
    ----------
    title, kind : str
    classes : list of str
    names, paths : list of str
        Of the images.
    splits : array of str
        "train", "validation" or "test", for every image.
    labels : array of int
        The class of every image; -1 in sets of several classes per image.
    targets : array of images x classes, or None
        For sets of several classes per image: 1, -1, and 0 for difficult images.
    boxes : list of lists of (x, y, width, height)
        In pixels; empty if the authors give none.
    notes : list of str
        What a person should know, such as images that no list names.

    Examples
    --------
    >>> import alcedo
    >>> dataset = alcedo.read_dataset("stripes")
    >>> dataset.classes, dataset.names[:2], dataset.labels[:2]
    (['across', 'down'], ['across/00.png', 'across/01.png'], array([0, 0]))
    """

    def __init__(self, parts: dict[str, Any]) -> None:
        self.title: str = parts["title"]
        self.kind: str = parts["kind"]
        self.classes: list[str] = parts["classes"]
        self.names: list[str] = parts["names"]
        self.paths: list[str] = parts["paths"]
        self.boxes: list[list[tuple[float, float, float, float]]] = parts["boxes"]
        self.notes: list[str] = parts["notes"]
        self.splits: NDArray[np.str_] = np.array(parts["splits"], dtype="U10")
        self.labels = np.array(parts["labels"], dtype=np.int64)
        self.targets = np.array(parts["targets"], dtype=np.int8) if len(parts["targets"]) else None

    def numbers(self, split: Split) -> NDArray[np.intp]:
        """The numbers of the images of a split: "train", "validation" or "test".

        Examples
        --------
        >>> import alcedo
        >>> dataset = alcedo.read_dataset("stripes", "folder", test_fraction=0.1)
        >>> [dataset.names[i] for i in dataset.numbers("test")]
        ['across/07.png', 'across/14.png', 'down/08.png', 'down/13.png']
        """
        one_of(split, "split", ("train", "validation", "test"))
        return np.flatnonzero(self.splits == split)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<alcedo.Dataset: {self.title}, {len(self)} images of {len(self.classes)} classes>"


def read_dataset(root: str | bytes | os.PathLike[str], kind: DatasetKind = "auto",
                 **options: Unpack[ReadDatasetOptions]) -> Dataset:
    """Read the lists of a dataset; no image is opened.

    Parameters
    ----------
    root : path
    kind : {"auto", "flowers", "voc2007", "cub2010", "cub2011", "pets", "folder"}
        A folder has a folder of images for every class, or such folders in train/ and test/.
    **options
        How a folder without a split is split: listed at the end of ``help(alcedo.read_dataset)``.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import alcedo
    >>> alcedo.read_dataset("stripes")
    <alcedo.Dataset: folder stripes, 40 images of 2 classes>
    """
    return Dataset(_alcedo.read_dataset(path_bytes(root, "root"), text(kind, "kind"), {**options}))


def _document() -> None:
    lines = ["", "    Options", "    -------"]
    for keyword, default, kind, text in _alcedo.dataset_fields():
        lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
    read_dataset.__doc__ = (read_dataset.__doc__ or "") + "\n".join(lines) + "\n    "


_document()
