"""The programs of the gallery run, print a number or write a figure, and show what they promise."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
SHARED = {"scenes"}                       # imported by others
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in SHARED)
SKIPPED_HERE = {"matplotlib", "pandas", "sklearn", "torch"}


def missing(path):
    """The packages that a program imports and that are not installed."""
    imported = set(re.findall(r"^(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.M))
    imported |= {name.split(".")[1] for name in re.findall(r"alcedo\.(?:torch|sklearn)", path.read_text(encoding="utf-8"))}
    return sorted(name for name in imported & SKIPPED_HERE if importlib.util.find_spec(name) is None)


def run(name, folder):
    path = EXAMPLES / f"{name}.py"
    lacking = missing(path)
    if lacking:
        pytest.skip(f"{', '.join(lacking)} is not installed")
    done = subprocess.run([sys.executable, path], cwd=folder, env=dict(os.environ, MPLCONFIGDIR=str(folder)), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def number(text, line):
    """The first number, or percentage, after what begins a line."""
    return float(re.search(rf"^{re.escape(line)}\D*?(-?[\d.]+)", text, re.M)[1])


def test_the_gallery_names_every_program():
    listed = (EXAMPLES.parent.parent / "docs" / "python-gallery.md").read_text(encoding="utf-8")
    assert set(re.findall(r"examples/(\w+)\.py\)", listed)) == set(PROGRAMS)


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - {"rare_object", "vit_tokens", "vlad_retrieval", "stream_features",
                                                         "weight_maps", "lambda_path", "torch_layer",
                                                         "results_table"}))
def test_programs_run_and_print(name, tmp_path):
    assert re.search(r"\d", run(name, tmp_path))


def test_a_network_learns_more_with_gmp_than_with_an_average(tmp_path):
    text = run("torch_layer", tmp_path)
    mean = {name: float(rest[3].rstrip("%")) for name, rest in
            ((line[:22].strip(), line[22:].split()) for line in text.splitlines()[1:-1])}
    assert list(mean) == ["average", "GMP, lambda 1", "GMP, learned lambda"]
    assert min(mean["GMP, lambda 1"], mean["GMP, learned lambda"]) >= mean["average"] + 5


def test_the_table_of_results_has_the_numbers_of_its_file(tmp_path):
    text = run("results_table", tmp_path)
    cells = json.loads((EXAMPLES.parent.parent / "docs" / "results" / "flowers102.json").read_text())["cells"]
    for cell in (cells[0], cells[-1]):
        assert re.search(rf"(?<![\d.]){cell['value']:.1f}(?![\d.])", text), cell
    value = {(c["encoder"], c["gaussians"], c["descriptor"], c["method"]): c["value"] for c in cells}
    gains = [gmp - value[(*key[:3], "sum")] for key, gmp in value.items() if key[3] == "gmp"]
    assert number(text, "GMP over sum: ") == pytest.approx(sum(gains) / len(gains), abs=0.06)
    assert number(text, "GMP over sum: ") > 0


def test_gmp_finds_rare_objects(tmp_path):
    text = run("rare_object", tmp_path)
    assert number(text, "GMP") >= number(text, "sum") + 5


def test_gmp_of_tokens_beats_their_mean(tmp_path):
    text = run("vit_tokens", tmp_path)
    assert number(text, "GMP, lambda 1 ") >= number(text, "mean") + 20


def test_gmp_retrieves_better_than_intra_normalisation(tmp_path):
    text = run("vlad_retrieval", tmp_path)
    recall = {name.strip(): float(value) for name, value in re.findall(r"^(.+?)\s+recall@1\s+([\d.]+)", text, re.M)}
    assert recall["GMP"] >= recall["sum, L2 of every word"] + 3


def test_rare_kinds_of_a_stream_count(tmp_path):
    last = run("stream_features", tmp_path).splitlines()[-1].split()
    assert min(float(value) for value in last[3:]) > 0.5


@pytest.mark.parametrize("name", ["weight_maps", "lambda_path"])
def test_figures_are_written(name, tmp_path):
    text = run(name, tmp_path)
    figure = tmp_path / f"{name}.png"
    assert f"wrote {figure.name}" in text
    assert figure.read_bytes().startswith(b"\x89PNG") and figure.stat().st_size > 5000
