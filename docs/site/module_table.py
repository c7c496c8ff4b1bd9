#!/usr/bin/env python3
"""Writes the table of modules in CONTRIBUTING.md from the CMake files, and checks that sources include only what these declare.

usage: module_table.py [--check]      --check writes nothing, and fails if the table is not up to date
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

WHAT = {
    "base": "types, errors with fields, closed sets of options, random numbers, `ParallelFor`",
    "io": "`.npy`, `.npz`, safetensors, CSV, checksums, files that appear whole or not at all",
    "linalg": "SIMD kernels, rows as operators, conjugate gradients, direct solver",
    "image": "decoding, EXIF, limits, scaling down, PNG and PNM output",
    "synth": "synthetic birds whose classes differ in one small mark",
    "descriptors": "the patch grid, dense SIFT, colour statistics, descriptors from elsewhere",
    "projection": "PCA",
    "vocabulary": "k-means, Gaussian mixture, dictionary, random Fourier frequencies",
    "encoding": "`Encodings`, rows of blocks; BOV, LLC, sparse coding, VLAD, Super Vector, Fisher Vector, EMK",
    "pooling": "sum, max, lp, softmax, GMP, weights, democratic, accumulator, pyramids",
    "normalization": "power, L2, per-block L2",
    "classifier": "linear SVMs, Platt scaling, late fusion",
    "evaluation": "average precision, top-1 accuracy, intervals over images and seeds, paired tests, Holm's correction, folds",
    "dataset": "VOC 2007, CUB 2010 and 2011, Pets, Flowers, one folder per class",
    "config": "configurations as JSON and TOML: every option of a vocabulary, an encoding, a model",
    "store": "feature stores: resumable folders of vectors",
    "learn": "vocabularies from collections, and their files",
    "encode": "from an image to its vector, and the loop over many images",
    "training": "training, evaluating and applying models, and their files",
    "report": "results, and their tables, charts and pages",
    "reproduce": "the paper's tables: plan, vectors, selection, test",
    "figures": "colour scales, drawing and lettering; Figure 1",
    "weights": "weights of patches, weight maps, shares inside boxes and masks",
    "files": "lists of images and of failures, names of outputs, files of vectors",
    "bags": "arrays of your own rows: reading, pooling, writing",
    "info": "what a file holds, what the program was built with, its self-test",
    "cli": "the program: parse, one call, print",
}

# A target that is a part of a folder of another name.
PARTS = {"encoding_types": "encoding"}


class Modules:
    """The folders of src/alcedo in the order of its CMakeLists.txt, and the targets each declares to use."""

    def __init__(self, source):
        self.source = source
        listed = (source / "CMakeLists.txt").read_text(encoding="utf-8")
        self.names = re.findall(r"^\s*add_subdirectory\((\w+)\)", listed, re.M)
        self.links = {name: self.read_links(name) for name in self.names}

    def read_links(self, name):
        text = re.sub(r"#.*", "", (self.source / name / "CMakeLists.txt").read_text(encoding="utf-8"))
        pattern = r"(?:alcedo_module\(\w+|target_link_libraries\(alcedo_(?:cli|program))\s([^()]*)\)"
        used = []
        for body in re.findall(pattern, text):
            for words in re.findall(r"\b(?:PUBLIC|PRIVATE)\b(.*?)(?=\bPUBLIC\b|\bPRIVATE\b|\Z)", body, re.S):
                used += re.findall(r"\balcedo_(\w+)", words)
        return [target for target in dict.fromkeys(used)
                if PARTS.get(target, target) in self.names and PARTS.get(target, target) != name]

    def folders(self, name):
        """The folders that a module links to, directly."""
        return {PARTS.get(target, target) for target in self.links[name]}

    def reachable(self, name):
        found, todo = set(), [name]
        while todo:
            for other in self.folders(todo.pop()) - found:
                found.add(other)
                todo.append(other)
        return found

    def table(self):
        lines = ["| folder | what | uses |", "| --- | --- | --- |"]
        for name in self.names:
            shown = [f"{PARTS[t]} (types)" if t in PARTS else t for t in self.links[name]]
            lines.append(f"| {name} | {WHAT.get(name, '?')} | {', '.join(shown) or '-'} |")
        return "\n".join(lines) + "\n"

    def problems(self):
        for name in self.names:
            if name not in WHAT:
                yield f"docs/site/module_table.py does not say what {name} is"
            for other in sorted(self.folders(name)):
                if self.names.index(other) > self.names.index(name):
                    yield f"{name} uses {other}, which src/alcedo/CMakeLists.txt lists after it"
            allowed = self.reachable(name) | {name}
            for path in sorted((self.source / name).rglob("*.[ch]*")):
                if path.suffix not in (".cc", ".h") or path.stem.endswith(("_test", "_testing")):
                    continue
                for other in set(re.findall(r'#include "alcedo/(\w+)/', path.read_text(encoding="utf-8"))) - allowed:
                    yield f"{path.relative_to(self.source.parent.parent)} includes {other}, which {name} does not link to"


def fill(text, table):
    begin, end = "<!-- modules: written by scripts/docs -->\n", "<!-- end of modules -->"
    before, rest = text.split(begin)
    return before + begin + table + end + rest.split(end)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    modules = Modules(ROOT / "src" / "alcedo")
    wrong = list(modules.problems())
    page = ROOT / "CONTRIBUTING.md"
    text = page.read_text(encoding="utf-8")
    filled = fill(text, modules.table())
    if filled != text and check:
        wrong.append("the table of modules in CONTRIBUTING.md is not what the CMake files say; run scripts/docs --update")
    elif filled != text:
        page.write_text(filled, encoding="utf-8")
        print(f"wrote {page}")
    for problem in wrong:
        print(problem, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
