#!/usr/bin/env python3
"""Writes docs/results.md, the charts of docs/images, and the results in README.md, docs/gmp.md, docs/faq.md and docs/reliability.md,
from the JSON files in docs/results.

usage: results_page.py [--check]      --check writes nothing, and fails if a file is not what it would write

The datasets of the page are those whose files are there: voc2007.json, cub2010.json, cub2011.json, pets.json, flowers102.json.
Beside one of them, NAME-as-paper.json, NAME-mirror.json and NAME-*seeds.json get a section each, other NAME-*.json with
methods that the paper lacks get a line, and NAME*.md get links. The sentences that no program can write are in docs/site/fragments.
"""
import argparse
import json
import pathlib
import sys

import campaign_tables
import results_charts
from accuracy_sections import against_paper, dataset_table, in_short, over_seeds, setting, tables
from comparison_sections import decided, emk_gains, headline, tried, where_gmp_loses
from made_section import made
from results_data import PAIRS, SETTINGS, fragment, joined, load, row_title, table
from speed_section import cost, speed

SITE = pathlib.Path(__file__).resolve().parent
DOCS = SITE.parent


def chart_name(method, baseline):
    """The file of a chart: gmp-over-sum-p.svg."""
    return f"{method}-over-{baseline}".replace("+", "-") + ".svg"


def images(entries):
    """The charts by the names of their files; those that would be empty are left out."""
    found = {}
    if results_charts.describe_accuracy(entries):
        found["accuracy.svg"] = results_charts.accuracy_chart(entries)
    for pair in PAIRS:
        if results_charts.describe_gains(entries, *pair):
            found[chart_name(*pair)] = results_charts.gain_chart(entries, *pair)
    return found


def accuracy_image(entries, folder):
    words = results_charts.describe_accuracy(entries)
    return f"![{words}]({folder}images/accuracy.svg)\n\n" if words else ""


def gain_images(entries):
    described = {pair: results_charts.describe_gains(entries, *pair) for pair in PAIRS}
    return "\n\n".join(f"![{words}](images/{chart_name(*pair)})" for pair, words in described.items() if words)


def page(entries, bench):
    files = joined(f"[{entry.file}.json](results/{entry.file}.json)" for entry in entries)
    return f"""# Results
This page is written by `docs/site/results_page.py` from {files}, which
`alcedo reproduce` wrote, and [bench.json](results/bench.json), which `scripts/bench --json` wrote. No number in it was
typed by hand. The [glossary](glossary.md) explains the terms.

## In short
{in_short(entries)}
{accuracy_image(entries, "")}{dataset_table(entries)}
## Accuracy
{tables(entries)}
### Against the paper
{against_paper(entries)}
{"".join(setting(entries, name) for name in SETTINGS)}{over_seeds(entries)}## GMP against the others
{gain_images(entries)}

{decided(entries)}
{emk_gains(entries)}## Where GMP loses
{where_gmp_loses(entries)}
{fragment("where_gmp_loses.md")}
## Cost beside accuracy
{cost(entries, bench)}
## How the numbers were made
{made(entries)}
## What else was tried
{fragment("what_else_was_tried.md")}{tried(entries)}
{speed(bench)}"""


def headline_text(entries, folder):
    """The chart and the counts, with their counter-evidence; `folder` is that of the other pages, as seen from the page."""
    return accuracy_image(entries, folder) + headline(entries, folder)


def lambda_table(results):
    """Validation accuracy of GMP along lambda, with sum pooling beside it."""
    curves = [c for c in results["curves"]
              if c["encoder"] == "fv" and c["method"] == "gmp" and c["parameter"] in ("lambda", "relative lambda")]
    columns = sorted({(c["parameter"], p["x"]) for c in curves for p in c["points"]})
    rows = {}
    for curve in curves:
        row = rows.setdefault(row_title(curve), {"sum": curve["baseline"]})
        row.update({(curve["parameter"], p["x"]): p["y"] for p in curve["points"]})
    lines = []
    for name, row in rows.items():
        best_value = max(row.get(column, 0) for column in columns)
        cells = [f"{row[c]:.1f}" if c in row else "" for c in columns]
        cells = [f"**{cell}**" if row.get(c) == best_value else cell for c, cell in zip(columns, cells)]
        lines.append([name, f"{row['sum']:.1f}", *cells])
    header = ["", "sum", *(("rel. " if parameter != "lambda" else "") + f"{x:g}" for parameter, x in columns)]
    return "\n" + table(header, lines, range(1, len(header))) + "\n"


def fill(text, name, content):
    """The text with `content` between the markers of that name."""
    begin, end = f"<!-- {name}: written by scripts/docs -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(begin)
    return before + begin + content + end + rest.split(end)[1]


def outputs():
    entries = load(DOCS / "results")
    bench = json.loads((DOCS / "results/bench.json").read_text())
    campaign = json.loads((DOCS / "results/campaign.json").read_text())
    flowers = next(entry for entry in entries if entry.dataset["name"] == "flowers")
    readme, faq, gmp, reliability = DOCS.parent / "README.md", DOCS / "faq.md", DOCS / "gmp.md", DOCS / "reliability.md"
    return {
        DOCS / "results.md": page(entries, bench),
        **{DOCS / "images" / name: text for name, text in images(entries).items()},
        faq: fill(faq.read_text(), "lambda", lambda_table(flowers.results)),
        gmp: fill(gmp.read_text(), "results", headline_text(entries, "")),
        reliability: fill(reliability.read_text(), "campaign", campaign_tables.campaign_text(campaign, table)),
        readme: fill(readme.read_text(), "results", headline_text(entries, "docs/")),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = 0
    for path, text in outputs().items():
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        if check:
            print(f"{path} is not what its JSON files say; run scripts/docs --update", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            print(f"wrote {path}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
