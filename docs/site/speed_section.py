"""What docs/results.md says about speed, and about what GMP costs, from docs/results/bench.json."""
import json
import pathlib
import re

from results_charts import headline_cells
from results_data import method_name, table

EXTERNAL = re.compile(r"VLFeat|vl_|scikit-learn|NumPy|liblinear|OpenBLAS|OpenCV|LAPACK|Eigen|cblas|sparse_cg", re.I)
DOCS = pathlib.Path(__file__).resolve().parent.parent
AGAINST_SUM = re.compile(r"encode and pool by (.+)$")


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
{goals_of_the_layer()}
"""


def goals_of_the_layer():
    """Those of docs/results/torch.json, which are no part of scripts/bench: it needs a GPU."""
    runs = json.loads((DOCS / "results" / "torch.json").read_text(encoding="utf-8"))["runs"]
    goals = [row for run in runs for row in run["rows"] if row["goal"]]
    missed = sum(not row["reached"] for row in goals)
    return (f"The PyTorch layer has goals of its own, of which {missed} of {len(goals)} were missed "
            "([times](python-torch.md#time-and-memory)).")


def cost_rows(rows):
    """(method, encoder, what differs, times the time of sum) for every benchmark of encoding and pooling together."""
    found = []
    for row in rows:
        ours, peer = AGAINST_SUM.search(row["kernel"]), AGAINST_SUM.search(row["peer"])
        if ours and peer and peer[1] == "sum":
            method, _, setting = ours[1].partition(", ")
            found.append((method.lower(), row["kernel"].partition("/")[0], setting, row["ours_ms"] / row["peer_ms"], row))
    return found


def cost(entries, rows):
    """Time and accuracy of each method, side by side."""
    entries = [entry for entry in entries if headline_cells(entry)]
    measured = [row for row in cost_rows(rows) if row[1] == "fisher"]
    if not entries or not measured:
        return "There is no benchmark of encoding and pooling together.\n"
    factors = sorted(factor for _, _, _, factor, _ in measured)
    gmp = f"{factors[0]:.2f}" if len(factors) == 1 else f"{factors[0]:.2f} to {factors[-1]:.2f}"
    times = {"sum": "1", "sum+p": "1, and the power", "gmp": gmp, "gmp+p": f"{gmp}, and the power"}
    lines = []
    for method, time in times.items():
        values = [headline_cells(entry).get(method) for entry in entries]
        lines.append([method_name(method), time, *(f"{c['value']:.1f}" if c else "–" for c in values)])
    header = ["", "time to encode and pool", *(entry.name for entry in entries)]
    text = table(header, lines, range(2, len(header)))
    details = "; ".join(f"{setting}: {row['ours_ms']:.3g} ms, and {row['peer_ms']:.3g} ms by sum" for _, _, setting, _, row in measured)
    whole = "".join(f"\nThe whole way of an image ({row['kernel']}: {row['note']})." for row in rows
                    if row["kernel"].startswith("pipeline/"))
    return f"""Accuracy with the most Gaussians, SIFT and colour, beside the time to encode and pool one image, as a multiple of the
time of sum pooling:

{text}
The times are of Fisher Vectors with hard assignment, from [bench.json](results/bench.json)
({details}).{whole}
Power normalisation, other numbers of Gaussians and EMK have no such benchmark.
"""
