#!/usr/bin/env python3
"""The table of docs/python-torch.md, from what bench/python_torch_bench.py --json wrote on several devices.

usage: torch_table.py [--check]
"""
import argparse
import json
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- times: written by scripts/docs -->\n", "<!-- end of times -->"


def table(runs):
    lines = ["| tokens | device | instead | its time | its memory |", "| --- | --- | --- | ---: | ---: |"]
    for run in runs:
        times = {row["peer"]: row for row in run["rows"] if row["unit"] == "ms"}
        memory = {row["peer"]: row for row in run["rows"] if row["unit"] == "MB"}
        for peer, row in times.items():
            size = row["kernel"].removeprefix("torch/").partition(",")[0]
            lines.append(f"| {size} | {run['device']}, PyTorch {run['torch'].partition('+')[0]} | {peer} | {row['ratio']:.2f} | "
                         f"{memory[peer]['ratio']:.1f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    page = DOCS / "python-torch.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    runs = json.loads((DOCS / "results" / "torch.json").read_text(encoding="utf-8"))["runs"]
    filled = before + BEGIN + table(runs) + END + rest.split(END)[1]
    if filled != text and check:
        print(f"the table of {page} is not what docs/results/torch.json says; run scripts/docs --update", file=sys.stderr)
        return 1
    page.write_text(filled, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
