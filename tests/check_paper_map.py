#!/usr/bin/env python3
"""Checks docs/paper_map.md: every function and test it names exists in the file it names, every section
and equation of the paper has a row, and the functions of the experiments are used by the library.

  check_paper_map.py              prints what is wrong, one line each; exit 1 if anything is
  check_paper_map.py --self-test  proves that wrong rows are found
"""

import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "paper_map.md"

EQUATIONS = [f"Eq. {n}" for n in range(1, 13)]
SECTIONS = [
    f"Sec. {n}"
    for n in "1 2 3 3.1 3.2 4 4.1 4.2 5 5.1 5.2 5.3 5.4 6".split()
] + ["App. A"]
WITHOUT_CODE = ("later", "none")
# What section 5 names must be what the tables are made with, and so be used outside of its own file.
EXPERIMENTS = re.compile(r"Sec\. 5|Table")
NOT_USED_YET = {"SumFisher", "TrainLinearSvm"}

# `Name` [file](../path/file)
REFERENCE = re.compile(r"`([^`]+)` \[([^\]]*)\]\(([^)]+)\)")


def code_of(path):
    """The text of a C++ file without its comments: a name in a comment proves nothing."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def declares(code, name):
    """True if code declares the function or class: `Name(`, after a type, or `class Name`."""
    for part in name.split("::")[:-1]:
        if not re.search(rf"\b(?:class|struct|namespace)\s+{re.escape(part)}\b", code):
            return False
    last = re.escape(name.split("::")[-1])
    if re.search(rf"\b(?:class|struct)\s+{last}\b[^;]*{{", code):
        return True
    return any(
        match.group(1) != "return"
        for match in re.finditer(rf"([\w>]+)[\s&*]+{last}\s*\(", code)
    )


def has_test(code, name):
    suite, _, case = name.partition(".")
    macro = r"\b(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)"
    return bool(re.search(rf"{macro}\(\s*{re.escape(suite)}\s*,\s*{re.escape(case)}\b", code))


@functools.cache
def library_code():
    """The code of the library, without tests, by file."""
    files = [path for path in (ROOT / "src").rglob("*.cc") if not path.stem.endswith("_test")]
    return {path: code_of(path) for path in files}


@functools.cache
def is_used(name, declared):
    """True if a file other than the one that implements the function names it."""
    last = re.compile(rf"\b{re.escape(name.split('::')[-1])}\b")
    return any(last.search(code) for path, code in library_code().items()
               if path.stem != declared.stem and not re.search(rf"\s{last.pattern}\([^;{{]*\)\s*{{", code))


def check_use(paper, cell):
    """Problems of the functions of a row about the experiments."""
    for name, _, link in REFERENCE.findall(cell) if EXPERIMENTS.match(paper) else ():
        used = is_used(name, PAGE.parent / link)
        if not used and name not in NOT_USED_YET:
            yield f"{name} is not used by the library: name what the tables are made with"
        if used and name in NOT_USED_YET:
            yield f"{name} is used now: take it out of NOT_USED_YET"


def check_cell(cell, kind, exists):
    """Problems of one cell: `later`, `none`, or references that must all exist."""
    if cell in WITHOUT_CODE:
        return
    references = REFERENCE.findall(cell)
    if not references or REFERENCE.sub("", cell).strip(", "):
        yield f"the {kind} cell must be 'later', 'none' or `Name` [file](../path), got: {cell}"
    for name, text, link in references:
        path = (PAGE.parent / link).resolve()
        if text != path.name:
            yield f"{kind} {name}: [{text}] should be [{path.name}]"
        if not path.is_file():
            yield f"{kind} {name}: there is no file {link}"
        elif not exists(code_of(path), name):
            yield f"{kind} {name} is not in {link}"


def problems(page):
    """All that is wrong with the text of the page, as sentences."""
    found = set()
    for number, line in enumerate(page.splitlines(), start=1):
        if not line.startswith("|") or re.match(r"\|\s*(paper|---)", line):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 4:
            yield f"line {number}: a row has 4 cells, this one {len(cells)}"
            continue
        paper, _, function, test = cells
        found.add(paper)
        for problem in check_cell(function, "function", declares):
            yield f"line {number}, {paper}: {problem}"
        for problem in check_cell(test, "test", has_test):
            yield f"line {number}, {paper}: {problem}"
        for problem in check_use(paper, function):
            yield f"line {number}, {paper}: {problem}"
        if (function in WITHOUT_CODE) != (test in WITHOUT_CODE):
            yield f"line {number}, {paper}: a function needs a test, and a test a function"
    for wanted in EQUATIONS + SECTIONS:
        if wanted not in found:
            yield f"{wanted} has no row"


def self_test():
    """Breaks the page in every way that must be found, each once."""
    page = PAGE.read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| Eq. 6 |"))
    start = row.split("|")[1:3]

    def with_row(function, test):
        return page.replace(row, "|" + "|".join(start + [f" {function} ", f" {test} "]) + "|")

    gmp = "`PoolGmp` [gmp.h](../src/alcedo/pooling/gmp.h)"
    law = "`RidgeLaws.EverySolverIsAccurate` [ridge_laws.cc](../tests/laws/ridge_laws.cc)"

    def in_file(name, file):
        return f"`{name}` [{file}](../src/alcedo/pooling/{file})"

    broken = {
        "a function that does not exist": with_row(gmp.replace("PoolGmp", "PoolNothing"), law),
        "a function in another file": with_row(in_file("PoolGmp", "elementary.h"), law),
        "a function only mentioned in a comment": with_row(in_file("PoolGmp", "gmp_weights.h"), law),
        "a member of another class": with_row(gmp.replace("PoolGmp", "Vector::PoolGmp"), law),
        "a file that does not exist": with_row(in_file("PoolGmp", "gmpp.h"), law),
        "a link with the name of another file": with_row(gmp.replace("[gmp.h]", "[elementary.h]"), law),
        "a test that does not exist": with_row(gmp, law.replace("Accurate", "Fast")),
        "a test in another file": with_row(gmp, law.replace("ridge_", "weights_")),
        "a function without a test": with_row(gmp, "later"),
        "a name without a file": with_row("`PoolGmp`", law),
        "an empty cell": with_row("", law),
        "a row with too few cells": page.replace(row, "| Eq. 6 | x |"),
    }
    for wanted in EQUATIONS + SECTIONS:
        lines = [l for l in page.splitlines() if not l.startswith(f"| {wanted} |")]
        broken[f"no row for {wanted}"] = "\n".join(lines)
    missed = [name for name, text in broken.items() if text == page or not list(problems(text))]
    if not list(check_use("Table 2", in_file("NobodyCallsThis", "gmp.h"))):
        missed.append("a function of the experiments that nothing uses")
    if list(check_use("Sec. 3", in_file("NobodyCallsThis", "gmp.h"))) or list(check_use("Table 2", gmp)):
        missed.append("nothing: a function that is used, or need not be, was refused")
    if list(problems(with_row(gmp, law))):
        missed.append("nothing: a correct row was refused")
    for name in missed:
        print(f"self-test: did not find {name}")
    print(f"self-test: {len(broken) - len(missed)} of {len(broken)} broken pages found")
    return 1 if missed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments:
        print(__doc__)
        return 2
    wrong = list(problems(PAGE.read_text(encoding="utf-8")))
    for problem in wrong:
        print(f"docs/paper_map.md: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
