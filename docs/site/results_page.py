#!/usr/bin/env python3
"""Writes docs/results.md, the charts of docs/images, and the results in README.md, docs/gmp.md, docs/faq.md and docs/reliability.md,
from the JSON files in docs/results.

usage: results_page.py [--check]      --check writes nothing, and fails if a file is not what it would write
"""
import argparse
import json
import pathlib
import re
import sys

import bar_chart
import campaign_tables

DOCS = pathlib.Path(__file__).resolve().parent.parent
EXTERNAL = re.compile(r"VLFeat|vl_|scikit-learn|NumPy|liblinear|OpenBLAS|OpenCV|LAPACK|Eigen|cblas|sparse_cg", re.I)


def table(header, rows, numbers):
    """`numbers`: columns to align at the right."""
    lines = ["| " + " | ".join(header) + " |",
             "| " + " | ".join("---:" if i in numbers else "---" for i in range(len(header))) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def cell_of(results, gaussians, descriptor, method):
    wanted = ("2", gaussians, descriptor, method)
    return next(c for c in results["cells"] if (c["table"], c["gaussians"], c["descriptor"], c["method"]) == wanted)


def signed(value):
    shown = f"{value:+.1f}".replace("-", "−")
    return "0.0" if shown[1:] == "0.0" else shown


def method_name(method):
    return method.replace("gmp", "GMP").replace("gamma", "γ")


def cell_text(cell):
    other = f" / {cell['other']['top1-images']:.1f}" if "top1-images" in cell["other"] else ""
    return f"{cell['value']:.1f}{other}" + (f" ({cell['paper']:.1f})" if cell["paper"] is not None else "")


def accuracy_table(results, which):
    groups = bar_chart.groups_of(results, bar_chart.DESCRIPTORS, which)
    methods = list(dict.fromkeys(method for _, cells in groups for method in cells))
    rows = [[title, *(cell_text(cells[m]) if m in cells else "" for m in methods)] for title, cells in groups]
    return table(["", *map(method_name, methods)], rows, range(1, len(methods) + 1))


def accuracy_tables(results):
    titles = {"1": "Table 1: EMK", "2": "Table 2: Fisher Vectors", "pyramid": "Spatial pyramids", "beyond": "Beyond the paper"}
    there = [which for which in titles if any(c["table"] == which for c in results["cells"])]
    return "\n".join(f"**{titles[which]}**\n\n{accuracy_table(results, which)}" for which in there)


def comparison_table(results):
    rows = []
    for c in sorted(results["comparisons"], key=lambda c: (c["method"], c["baseline"], c["encoder"], c["gaussians"])):
        p = "< 0.001" if c["p"] < 0.001 else f"{c['p']:.3f}"
        against = f"{method_name(c['method'])} against {method_name(c['baseline'])}"
        rows.append([bar_chart.row_title(c), against, signed(c["difference"]), f"{signed(c['low'])} to {signed(c['high'])}", p])
    return table(["", "methods", "points", "95% interval", "p"], rows, (2, 3, 4))


def verdicts(results):
    """How often one method is better than another, in words, for each pair that was compared."""
    pairs = {}
    for c in results["comparisons"]:
        pairs.setdefault((c["method"], c["baseline"]), []).append(c)
    lines = []
    for (method, baseline), found in pairs.items():
        ahead, behind = sum(c["low"] > 0 for c in found), sum(c["high"] < 0 for c in found)
        mean = sum(c["difference"] for c in found) / len(found)
        lines.append(f"- {method_name(method)} against {method_name(baseline)}: {signed(mean)} points on average; of {len(found)} "
                     f"comparisons, clearly ahead in {ahead}, clearly behind in {behind}, undecided in {len(found) - ahead - behind}.")
    return "\n".join(lines)


def best(results):
    """Which method is best in how many rows of Table 2, in words."""
    groups = [cells for _, cells in bar_chart.groups_of(results, bar_chart.DESCRIPTORS)]
    winners = [max(cells, key=lambda method: cells[method]["value"]) for cells in groups]
    parts = [f"{method_name(m)} in {winners.count(m)}" for m in bar_chart.METHODS if m in winners]
    return f"The best of Table 2 is {' and '.join(parts)} of {len(groups)} rows."


def not_run(results):
    """What of the paper the file does not have, in words."""
    missing = [f"Table {which}" for which in ("1", "2") if not any(c["table"] == which for c in results["cells"])]
    missing.append("the other datasets of the paper")
    return " and ".join(missing)


def reached(results, value):
    """In how many numbers of the paper we are at or above it; `value` gives None if there is none."""
    return sum((value(c) or 0) >= c["paper"] for c in results["cells"] if c["paper"] is not None)


def accuracy(results):
    dataset = results["datasets"][0]
    count = sum(c["paper"] is not None for c in results["cells"])
    by_classes, by_images = reached(results, lambda c: c["value"]), reached(results, lambda c: c["other"].get("top1-images"))
    return f"""## Accuracy
{dataset['title']}: {dataset['classes']} classes, {dataset['train']:,} training, {dataset['validation']:,} validation and
{dataset['test']:,} test images; {f"mean over {len(results['seeds'])} seeds" if len(results['seeds']) > 1 else "one seed"}; dense SIFT and colour statistics.

![{bar_chart.describe(bar_chart.groups_of(results, bar_chart.DESCRIPTORS))}](images/flowers102-all.svg)

Top-1 accuracy in per cent: mean over classes / mean over images, and the paper's number in brackets; "+p" is with power
normalisation:

{accuracy_tables(results)}
The paper says "top-1 accuracy" and not which mean. The authors of the dataset use the mean over classes, and so do we:
by it we are at or above the paper in {by_classes} of {count} numbers. **By the mean over images it would be {by_images} of {count}.** Nor are
the descriptors exactly the paper's: ours are RootSIFT, with patch sizes and scales chosen on the validation split
([why](decisions/006-experiments.md)), the same for all methods.

### GMP against the others
{verdicts(results)}

{best(results)}
Power normalisation of sum pooling does much of what GMP does, at no cost.

Two methods on the same test images, with the bootstrap interval of the difference:

{comparison_table(results)}
All details, with the chosen parameters: [Flowers 102](results/flowers102.md). Table 2 with
[two seeds](results/flowers102-seeds.md). Democratic aggregation compared with GMP, the question that the paper's
conclusion leaves open: [democratic](results/flowers102-democratic.md). Not run here: {not_run(results)};
`alcedo reproduce` runs them if you have the data.
"""


def number(value, unit):
    return "–" if value == 0 else f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def speed_table(rows):
    """A ratio counts how many times faster, or smaller, we are; the others say in their notes what they are."""
    lines = []
    for row in rows:
        goal = "" if not row["goal"] else row["goal"] + ("" if row["reached"] else " **missed**")
        lines.append([row["kernel"], row["peer"], f"{row['ratio']:.2f}", number(row["ours_ms"], row["unit"]),
                      number(row["peer_ms"], row["unit"]), goal, row["note"]])
    return table(["what", "against", "ratio", "ours", "theirs", "goal", "seen"], lines, (2, 3, 4))


def speed(rows):
    theirs = [row for row in rows if EXTERNAL.search(row["peer"])]
    ours = [row for row in rows if not EXTERNAL.search(row["peer"])]
    slower = [f"{row['kernel']} against {row['peer']} ({row['ratio']:.2f})" for row in theirs if row["ratio"] < 1]
    missed = [row for row in rows if not row["reached"]]
    return f"""## Speed
`scripts/bench` times each kernel and what you would use instead in one process, alternately, on one thread, and takes
medians of processor time. These were measured on two virtual cores of a shared computer: trust the ratios, and measure
your own.

Against other software; a ratio of 2 means that ours takes half the time. {f"Ours is slower in {len(slower)} of {len(theirs)}: " + "; ".join(slower) + "."
if slower else f"Ours is faster in all {len(theirs)}."} Debian builds
VLFeat without SIMD, which is part of its ratios.

{speed_table(theirs)}
Against our own alternatives, and against the limits of the hardware:

{speed_table(ours)}
{len(missed)} of {sum(bool(row['goal']) for row in rows)} goals were missed in this run.
"""


def page(results, bench):
    return f"""# Results
This page is written by `docs/site/results_page.py` from [flowers102.json](results/flowers102.json), which
`alcedo reproduce` wrote, and [bench.json](results/bench.json), which `scripts/bench --json` wrote. No number in it was
typed by hand. The [glossary](glossary.md) explains the terms.

{accuracy(results)}
{speed(bench)}"""


def headline(results, docs):
    """The headline numbers, with their counter-evidence; `docs` is the folder of the other pages, as seen from the page."""
    largest = max(c["gaussians"] for c in results["cells"] if c["table"] == "2")
    gmp, total = cell_of(results, largest, "fusion", "gmp"), cell_of(results, largest, "fusion", "sum")
    both, power = cell_of(results, largest, "fusion", "gmp+p"), cell_of(results, largest, "fusion", "sum+p")
    ahead = "above" if gmp["value"] > power["value"] else "below"
    return f"""On Oxford 102 Flowers ({largest} Gaussians, SIFT and colour) GMP reaches {gmp['value']:.1f}% top-1 accuracy, mean over
classes, and sum pooling {total['value']:.1f}%. But [power normalisation]({docs}glossary.md#power), which costs nothing, takes sum
pooling to {power['value']:.1f}%; GMP alone is {ahead} that, and both together reach {both['value']:.1f}%. All numbers, and what speaks against
them: [results]({docs}results.md).
"""


def gmp_results(results):
    """What docs/gmp.md says between its markers."""
    return f"""![{bar_chart.describe(bar_chart.groups_of(results, ["fusion"]))}](images/flowers102.svg)

{headline(results, "")}"""


def lambda_table(results):
    """Validation accuracy of GMP along lambda, with sum pooling beside it."""
    curves = [c for c in results["curves"]
              if c["encoder"] == "fv" and c["method"] == "gmp" and c["parameter"] in ("lambda", "relative lambda")]
    columns = sorted({(c["parameter"], p["x"]) for c in curves for p in c["points"]})
    rows = {}
    for curve in curves:
        row = rows.setdefault(bar_chart.row_title(curve), {"sum": curve["baseline"]})
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
    results = json.loads((DOCS / "results/flowers102.json").read_text())
    bench = json.loads((DOCS / "results/bench.json").read_text())
    campaign = json.loads((DOCS / "results/campaign.json").read_text())
    readme, faq, gmp, reliability = DOCS.parent / "README.md", DOCS / "faq.md", DOCS / "gmp.md", DOCS / "reliability.md"
    titles = results["datasets"][0]["title"] + ": top-1 accuracy", "mean over classes, in per cent"
    return {
        DOCS / "results.md": page(results, bench),
        DOCS / "images/flowers102.svg": bar_chart.bar_chart(results, ["fusion"], *titles),
        DOCS / "images/flowers102-all.svg": bar_chart.bar_chart(results, list(bar_chart.DESCRIPTORS), *titles),
        faq: fill(faq.read_text(), "lambda", lambda_table(results)),
        gmp: fill(gmp.read_text(), "results", gmp_results(results)),
        reliability: fill(reliability.read_text(), "campaign", campaign_tables.campaign_text(campaign, table)),
        readme: fill(readme.read_text(), "results", headline(results, "docs/")),
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
