"""What docs/results.md says about how its numbers were made: the search and its edges, convergence, notes, time and memory."""
from paper_layout import UNCONVERGED
from results_data import DATASETS, NOT_RUN, joined, method_name, row_title, table, unconverged

GRIDS = {"lambda": "lambdas", "relative lambda": "relative_lambdas", "lambda of EMK": "emk_lambdas", "power": "powers", "c": "c",
         "sigma": "sigmas", "gamma": "gammas"}


def edges(entries):
    """(dataset, parameter, value, end, cells in words) for what was chosen at the edge of what was searched."""
    found = {}
    for entry in entries:
        config = entry.results["config"]
        for cell in entry.cells:
            for channels in cell["chosen"]:
                for channel in channels:
                    for name in channel.get("edge", []):
                        if cell["descriptor"] == "fusion" and name != "c":
                            continue  # a fusion keeps what was chosen for each channel alone; only c is its own
                        of_emk = name == "lambda" and cell["encoder"].startswith("emk")
                        grid = config.get(GRIDS["lambda of EMK" if of_emk else name]) or []
                        value = channel.get(name)
                        end = "lowest" if value == min(grid, default=None) else "highest" if value == max(grid, default=None) else ""
                        where = found.setdefault((entry.name, name, value, end, len(grid)), {})
                        where.setdefault(row_title(cell), []).append(method_name(cell["method"]))
    place = list(DATASETS.values()).index
    return [(*key, "; ".join(f"{title}: {', '.join(dict.fromkeys(methods))}" for title, methods in found[key].items()))
            for key in sorted(found, key=lambda key: (place(key[0]), key[1], str(key[2])))]


def edge_text(entries):
    rows = [[name, parameter, "–" if value is None else f"{value:g}", f"{end} of {searched}" if end else "", cells]
            for name, parameter, value, end, searched, cells in edges(entries)]
    if not rows:
        return "No value was chosen at the edge of what was searched.\n"
    with_edges = sum(any(ch.get("edge") for channels in c["chosen"] for ch in channels) for entry in entries for c in entry.cells)
    return (f"Chosen at the edge of what was searched, in {with_edges} of {sum(len(entry.cells) for entry in entries)} cells. A wider search might "
            f"have found better values; of two values each is at the edge. Fusions, which keep the values of their channels, are not listed "
            f"again:\n\n" + table(["", "parameter", "value", "which", "cells"], rows, (2,)))


def unconverged_text(entries):
    rows = unconverged(entries)
    silent = [entry.name for entry in entries if not any("unconverged" in c for c in entry.cells)]
    text = ("These solvers did not converge; their cells have the mark " + UNCONVERGED + ":\n\n" + table(["", "", "method", "what"], rows, ())
            if rows else "" if len(silent) == len(entries) else "All solvers converged.\n" if not silent else
            f"All solvers converged, of {joined(e.name for e in entries if e.name not in silent)}.\n")
    if silent:
        text += "\n" if text else ""
        text += f"The {'file' if len(silent) == 1 else 'files'} of {joined(silent)} "
        text += f"{'does' if len(silent) == 1 else 'do'} not say whether all solvers converged.\n"
    return text


def duration(seconds):
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min" if minutes else f"{seconds:.0f} s"


def peak_memory(entry):
    """In bytes, or None; of the dataset or of the whole file."""
    return entry.dataset.get("peak_memory") or entry.results.get("peak_memory")


def timings_text(entries):
    timed = [entry for entry in entries if entry.results["timings"] or peak_memory(entry)]
    if not timed:
        return "The files say nothing about time and memory.\n"
    stages = list(dict.fromkeys(t["stage"] for entry in timed for t in entry.results["timings"]))
    rows = []
    for entry in timed:
        timings = entry.results["timings"]
        by_stage = {stage: [t for t in timings if t["stage"] == stage] for stage in stages}
        memory = peak_memory(entry)
        rows.append([entry.name, *(duration(sum(t["seconds"] for t in found)) if found else NOT_RUN for found in by_stage.values()),
                     duration(sum(t["seconds"] for t in timings)) if timings else NOT_RUN,
                     duration(sum(t["cpu_seconds"] for t in timings)) if timings else NOT_RUN,
                     f"{memory / 2**30:.1f} GiB" if memory else NOT_RUN])
    silent = [entry.name for entry in entries if entry not in timed]
    header = ["", *stages, "together", "processor time", "peak memory"]
    return ("Time by the clock, of all runs that the numbers come from, for all methods and seeds together.\n\n" + table(header, rows, range(1, len(header)))
            + (f"\nNothing is known for {joined(silent)}.\n" if silent else ""))


def notes_text(entries):
    lines = []
    for entry in entries:
        notes = list(entry.dataset["notes"])
        if entry.dataset["failures"]:
            notes.append(f"{len(entry.dataset['failures'])} images could not be read")
        lines += [f"- {entry.name}: {note}" for note in notes]
    return "\n".join(lines) + "\n" if lines else "No dataset has a note.\n"


def grid_text(entries):
    """What was searched; datasets with the same are in one row."""
    groups = {}
    for entry in entries:
        config = entry.results["config"]
        shown = tuple(", ".join(f"{x:g}" for x in config[key]) if config.get(key) else NOT_RUN for key in GRIDS.values())
        scales, sift, color = (config.get(key, NOT_RUN) for key in ("scales", "sift_patch", "color_patch"))
        more = f"{scales} scales, patches of {sift} (SIFT) and {color} (colour)"
        groups.setdefault((*shown, more, entry.results["version"]), []).append(entry.name)
    rows = [[", ".join(names), *shown] for shown, names in groups.items()]
    return table(["", *GRIDS, "descriptors", "version"], rows, ())


def made(entries):
    checks = [[entry.name, c["what"], f"{c['images']:,}", f"{c['deviation']:g}", f"{c['tolerance']:g}", "yes" if c["holds"] else "**no**"]
              for entry in entries for c in entry.results["checks"]]
    text = f"""Vocabularies, lambda, power, sigma and C come from the training and validation images; test images are used only at the
end ([decision](decisions/006-experiments.md)). Searched:

{grid_text(entries)}
### Edges of the search
{edge_text(entries)}
### Convergence and checks
{unconverged_text(entries)}
"""
    if checks:
        text += "What must hold on real images, and the largest deviation that was seen:\n\n" + \
            table(["", "what", "images", "deviation", "tolerance", "holds"], checks, (2, 3, 4)) + "\n"
    return text + f"""### Notes of the datasets
{notes_text(entries)}
### Time and memory
{timings_text(entries)}"""
