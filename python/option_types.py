#!/usr/bin/env python3
"""Writes the types of options, python/alcedo/_options.pyi, from the library's own list of them.

usage: PYTHONPATH=build/release/python /usr/bin/python3 python/option_types.py [--check]
--check only says whether the file is up to date.
"""
import pathlib
import sys

import alcedo
from alcedo import _alcedo

FILE = pathlib.Path(__file__).resolve().parent / "alcedo" / "_options.pyi"
DESCRIPTORS = ("sift", "color")
HEAD = '''"""The options of every method, encoder and fit. Written by python/option_types.py: do not edit."""

from typing import Literal, TypedDict
'''


def merged(lists):
    """The options of several lists; those of one name must be of one type."""
    fields = {}
    for keyword, _, kind, help_text in (field for fields in lists for field in fields):
        if fields.setdefault(keyword, (kind, help_text))[0] != kind:
            raise ValueError(f"option {keyword} has two types: {kind} and {fields[keyword][0]}")
    return fields


def literal(names):
    return "Literal[{}]".format(", ".join(f'"{name}"' for name in names))


def typed_dict(name, lists, without=()):
    lines = ["", f"class {name}(TypedDict, total=False):"]
    for keyword, (kind, help_text) in merged(lists).items():
        if keyword in without:
            continue
        if "|" in kind:
            kind = literal(one.strip() for one in kind.split("|"))
        lines += [f"    {keyword}: {kind}  # {help_text}"]
    if len(lines) == 2:
        lines += ["    pass"]
    return [line if len(line) <= 120 else line.split("  # ")[0] for line in lines]


def image_encoder():
    """The settings of ImageEncoder: a configuration has the names and sections, and the lists of options the types."""
    choices = {"descriptor": DESCRIPTORS, "encoder": _alcedo.encoder_names(), "dtype": ("f4", "f8"),
               "pooling": [name for name in _alcedo.pooling_methods() if name != "weighted"]}
    lists = {name.replace("-", "_"): _alcedo.encoder_fields(name) for name in _alcedo.encoder_names()}
    lists.update((name, _alcedo.pooling_fields(name)) for name in choices["pooling"])
    described = [field for name in DESCRIPTORS for field in _alcedo.describe_fields(name)]
    lines, settings = [], ["", "class ImageEncoderSettings(TypedDict, total=False):"]
    for name, value in alcedo.ImageEncoder("sift").config.items():
        if isinstance(value, dict):
            section = "".join(part.capitalize() for part in name.split("_")) + "Section"
            lines += typed_dict(section, [[f for f in lists.get(name, described) if f[0] in value]])
            settings.append(f"    {name}: {section}")
        elif name not in ("vocabulary", "lambda"):  # parameters by themselves
            settings.append(f"    {name}: {literal(choices[name]) if name in choices else type(value).__name__}")
    return lines + settings


def text():
    poolings = {name: _alcedo.pooling_fields(name) for name in _alcedo.pooling_methods() if name != "weighted"}
    lines = typed_dict("GmpOptions", [poolings["gmp"]], without=["relative"])  # a parameter of every function
    lines += typed_dict("DemocraticOptions", [poolings["democratic"]])
    lines += typed_dict("PoolingOptions", poolings.values(), without=["relative"])
    lines += typed_dict("EncoderOptions", [_alcedo.encoder_fields(name) for name in _alcedo.encoder_names()])
    for name in ("Pca", "Codebook", "GaussianMixture", "Dictionary", "RandomFourier"):
        lines += typed_dict(f"{name}Options", [_alcedo.fit_fields(name)])
    words = [_alcedo.fit_fields(name) for name in ("Codebook", "GaussianMixture", "Dictionary", "RandomFourier")]
    lines += typed_dict("WordsOptions", words)
    lines += typed_dict("DescribeOptions", [_alcedo.describe_fields(name) for name in DESCRIPTORS])
    lines += typed_dict("ReadDatasetOptions", [_alcedo.dataset_fields()])
    return HEAD + "\n".join(lines + image_encoder()) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    if not sys.argv[1:]:
        FILE.write_text(text())
    elif FILE.read_text() != text():
        sys.exit(f"{FILE} is out of date: run python/option_types.py")
