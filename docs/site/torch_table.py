#!/usr/bin/env python3
"""The table of docs/python-torch.md, from what bench/python_torch_bench.py --json wrote on several devices.

usage: torch_table.py [--check]
"""
import argparse
import json
import pathlib
import sys
import textwrap

DOCS = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- times: written by scripts/docs -->\n", "<!-- end of times -->"


def size_of(row):
    return row["kernel"].removeprefix("torch/").partition(",")[0]


def goal_of(row):
    return f"{row['goal']}{'' if row['reached'] else ', **missed**'}"


def table(runs):
    lines = ["| tokens | device | instead | its time | goal | its memory |",
             "| --- | --- | --- | ---: | --- | ---: |"]
    for run in runs:
        times = {row["peer"]: row for row in run["rows"] if row["unit"] == "ms"}
        memory = {row["peer"]: row for row in run["rows"] if row["unit"] == "MB"}
        for peer, row in times.items():
            lines.append(f"| {size_of(row)} | {run['device']}, PyTorch {run['torch'].partition('+')[0]} | {peer} | "
                         f"{row['ratio']:.2f} | {goal_of(row)} | {memory[peer]['ratio']:.1f} |")
    return "\n".join(lines) + "\n"


def verdict(runs):
    """What a reader would otherwise have to find in the table."""
    rows = [(run, row) for run in runs for row in run["rows"]]
    goals = [(run, row) for run, row in rows if row["goal"]]
    missed = [f"{row['peer']} with {size_of(row)} on {run['device']} ({row['ratio']:.2f})"
              for run, row in goals if not row["reached"]]
    slower = [f"{row['peer']} with {size_of(row)} on {run['device']} ({row['ratio']:.2f})"
              for run, row in rows if row["unit"] == "ms" and row["ratio"] < 1]
    sentences = ["The layer's goals are to take a third of the time of `torch.linalg.solve`, and no more memory."]
    sentences += [f"{len(missed)} of {len(goals)} were missed, all in time: {'; '.join(missed)}." if missed
                  else f"All {len(goals)} were reached."]
    sentences += [f"Faster than `gmp` are {'; '.join(slower)}." if slower else "Nothing in the table is faster."]
    assert all(row["reached"] for _, row in goals if row["unit"] == "MB"), "the sentence says: all in time"
    return "\n" + textwrap.fill(" ".join(sentences), 120, break_on_hyphens=False, break_long_words=False) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    page = DOCS / "python-torch.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    runs = json.loads((DOCS / "results" / "torch.json").read_text(encoding="utf-8"))["runs"]
    filled = before + BEGIN + table(runs) + verdict(runs) + END + rest.split(END)[1]
    if filled != text and check:
        print(f"the table of {page} is not what docs/results/torch.json says; run scripts/docs --update", file=sys.stderr)
        return 1
    page.write_text(filled, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
