"""What docs/results.md says about accuracy: the summary, the tables, and how they compare with the paper's."""
from comparison_sections import all_pairs, counted, pair_name, tested
from paper_layout import BELOW, UNCONVERGED, image_mean_tables, paper_tables
from results_data import (DATASETS, NOT_RUN, SETTINGS, TABLES, below_paper, fragment, image_mean, joined, mean, method_name,
                          rows_of, signed, table, unconverged, value_of)


def seeds_text(count):
    return f"{count} seed" + ("s" if count != 1 else "")


def in_short(entries):
    lines = []
    for pair in all_pairs(entries):
        found = [c for entry in entries for c in tested(entry, pair)]
        lines.append(f"- {pair_name(pair)}: {signed(mean(c['difference'] for c in found))} points on average; {counted(found)}.")
    reached, run = (sum(numbers) for numbers in zip(*(reaches(entry, value_of) for entry in entries)))
    lines.append(f"- At or above the paper in {reached} of {run} numbers, by the measures of the datasets' authors.")
    by_images = [reaches(entry, image_mean) for entry in entries]
    reached, run = (sum(numbers) for numbers in zip(*by_images))
    if run:
        lines.append(f"  **By the mean over images it would be {reached} of {run}**: the paper says \"top-1 accuracy\" and not which mean.")
    absent = [name for key, name in DATASETS.items() if all(entry.dataset["name"] != key for entry in entries)]
    if absent:
        lines.append(f"- Not run: {joined(absent)}; `alcedo reproduce` runs them if you have the data.")
    return "\n".join(lines) + "\n"


def half_widths(entry):
    widths = sorted((c["high"] - c["low"]) / 2 for c in entry.cells if value_of(c) is not None)
    return f"±{widths[0]:.1f} to ±{widths[-1]:.1f}" if widths else NOT_RUN


def seed_spread(entry):
    """The largest difference between two seeds of one number."""
    spreads = [max(c["seeds"]) - min(c["seeds"]) for c in entry.cells if value_of(c) is not None and len(c["seeds"]) > 1]
    return f"{max(spreads):.1f}" if spreads else NOT_RUN


def tables_run(entry):
    return " and ".join(which for which in TABLES if any(c["table"] == which for c in entry.cells)) or NOT_RUN


def measure_of(entry):
    return "mAP" if entry.cells[0]["metric"].startswith("map") else "class mean"


def links_of(entry):
    """Links to the reports of a dataset, with what is special about them as words."""
    words = {page: page.removeprefix(entry.file).strip("-").replace("-", " ") or "report" for page in entry.pages}
    return ", ".join(f"[{words[page]}](results/{page}.md)" for page in entry.pages)


def dataset_table(entries):
    rows = []
    for entry in entries:
        d = entry.dataset
        incomplete = [] if entry.results["complete"] else ["not complete"]
        incomplete += ["cut down (lite)"] if entry.results["lite"] else []
        rows.append([entry.name + (f" ({', '.join(incomplete)})" if incomplete else ""), f"{d['classes']:,}", f"{d['train']:,}",
                     f"{d['validation']:,}" if d["validation"] else NOT_RUN, f"{d['test']:,}", measure_of(entry), tables_run(entry),
                     str(len(entry.results["seeds"])), half_widths(entry), seed_spread(entry)])
    header = ["", "classes", "training", "validation", "test", "measure", "tables", "seeds", "95% interval", "between seeds"]
    details = "".join(f"- {entry.name}: {links_of(entry)}\n" for entry in entries if entry.pages)
    return f"""The datasets: how many images, and how far the numbers can be trusted. "Class mean" is top-1 accuracy, mean over classes.
The intervals have the test images as their chance, and the seeds if there are several; "between seeds" is the largest
difference of one number between two seeds, in points.

{table(header, rows, (1, 2, 3, 4, 7, 8, 9))}
All details, with the chosen values:

{details}"""


def cells_of(entries):
    return {entry.dataset["name"]: entry.cells for entry in entries}


def cell_text(cell):
    if cell is None or value_of(cell) is None:
        return NOT_RUN
    return f"{cell['value']:.1f}" + (f" ({cell['paper']:.1f})" if cell["paper"] is not None else "")


def plain_table(entry, which):
    """A table that is not one of the paper's two."""
    rows = rows_of(entry.cells, which)
    methods = list(dict.fromkeys(method for cells in rows.values() for method in cells))
    lines = []
    for title, cells in rows.items():
        lines.append([title, *(cell_text(cells.get(method)) for method in methods)])
    return table(["", *map(method_name, methods)], lines, range(1, len(methods) + 1))


def tables(entries):
    mark = f", {UNCONVERGED} has a solver that did not converge" if unconverged(entries) else ""
    text = f"""In per cent, with the paper's number in brackets. "+p" is with power normalisation. {BELOW} is below the paper, bold the best
of its row and dataset, {NOT_RUN} was not run{mark}.
VOC-2007 has mean average precision, the others top-1 accuracy, mean over classes, as their authors measure it.

{paper_tables(cells_of(entries))}"""
    for which, title in {"pyramid": "Spatial pyramids", "beyond": "Beyond the paper"}.items():
        for entry in entries:
            if rows_of(entry.cells, which):
                text += f"\n**{title}: {entry.name}**\n\n{plain_table(entry, which)}"
    if any(image_mean(c) is not None for entry in entries for c in entry.cells):
        text += f"""
### By the mean over images
The same predictions, top-1 accuracy over all images. The paper does not say which mean it uses.

{image_mean_tables(cells_of(entries))}"""
    return text


def reaches(entry, value, methods=None):
    """How many of the paper's numbers we reach as printed, and how many of them have been run."""
    run = [c for c in entry.cells if c["paper"] is not None and value(c) is not None and (methods is None or c["method"] in methods)]
    return sum(not below_paper(value(c), c["paper"]) for c in run), len(run)


def against_paper(entries):
    columns = {"sum": ["sum"], "sum+p": ["sum+p"], "GMP": ["gmp"], "GMP+p": ["gmp+p"], "all": None}
    rows = []

    def add(title, measure, chosen, value):
        found = [[reaches(entry, value, methods) for entry in chosen] for methods in columns.values()]
        sums = [(sum(r for r, _ in numbers), sum(n for _, n in numbers)) for numbers in found]
        if sums[-1][1]:
            rows.append([title, measure, *(f"{r} of {n}" if n else NOT_RUN for r, n in sums)])

    for entry in entries:
        add(entry.name, measure_of(entry), [entry], value_of)
        add(entry.name, "image mean", [entry], image_mean)
    if len(entries) > 1:
        add("together", "of the authors", entries, value_of)
        add("together", "image mean", entries, image_mean)
    return f"""How many of the paper's numbers are reached or beaten, as printed with one digit. The descriptors are not exactly the
paper's: ours are RootSIFT, with patch sizes and scales chosen on the validation split of Flowers **by GMP+p, not by
sum+p** ([why](decisions/006-experiments.md)), and then the same for all methods and datasets. Images are scaled to
100,000 pixels; those of Flowers were so beforehand, and stored again as JPEG of quality 80.

{table(["", "measure", *columns], rows, range(2, 7))}"""


def descriptor_words(config):
    mirrored = ", and of mirror images" if config.get("mirror") else ""
    return ("RootSIFT" if config.get("root_sift") else "SIFT") + mirrored


def setting(entries, name):
    """The numbers of another setting beside those of the tables, if any dataset has them."""
    entries = [entry for entry in entries if name in entry.settings]
    if not entries:
        return ""
    rows = []
    for entry in entries:
        config = entry.settings[name]["config"]
        lambdas, relative = (", ".join(f"{x:g}" for x in config.get(key, [])) or "none" for key in ("lambdas", "relative_lambdas"))
        rows.append([entry.name, descriptor_words(config), lambdas, relative, seeds_text(len(entry.settings[name]["seeds"]))])
    files = joined(f"[{entry.file}-{name}.json](results/{entry.file}-{name}.json)" for entry in entries)
    differences, by_method = [], {}
    for entry in entries:
        for which in TABLES:
            for title, cells in rows_of(entry.settings[name]["cells"], which).items():
                ours = rows_of(entry.cells, which).get(title, {})
                texts = []
                for m in TABLES["2"]:
                    if m not in cells or m not in ours or None in (value_of(cells[m]), value_of(ours[m])):
                        texts.append(NOT_RUN)
                        continue
                    paper = "" if cells[m]["paper"] is None else f" ({cells[m]['paper']:.1f})"
                    texts.append(f"{cells[m]['value']:.1f} / {ours[m]['value']:.1f}{paper}")
                    by_method.setdefault(m, []).append(cells[m]["value"] - ours[m]["value"])
                differences.append([entry.name, title, *texts])
    means = joined(f"{method_name(m)} {signed(mean(by_method[m]))}" for m in TABLES["2"] if m in by_method)
    start = fragment(f"setting_{name}.md").strip()
    return f"""### {SETTINGS[name]}
{start} From {files}:

{table(["", "descriptor", "lambdas", "relative lambdas", "seeds"], rows, ())}
Each cell has the number of this setting / the number of the tables above (the paper's number). Mean difference in points:
{means}.

{table(["", "", *map(method_name, TABLES["2"])], differences, range(2, 6))}
"""


def over_seeds(entries):
    """Means over the seeds, with the lowest and the highest, of the files that have several."""
    entries = [entry for entry in entries if entry.seeds]
    if not entries:
        return ""
    rows = []
    for entry in entries:
        for results in entry.seeds.values():
            for which in TABLES:
                for title, cells in rows_of(results["cells"], which).items():
                    seeds = {m: cells[m]["seeds"] for m in TABLES["2"] if m in cells}
                    texts = [f"{mean(seeds[m]):.1f} ({min(seeds[m]):.1f} to {max(seeds[m]):.1f})" if m in seeds else NOT_RUN
                             for m in TABLES["2"]]
                    rows.append([entry.name, title, str(len(results["seeds"])), *texts])
    files = joined(f"[{stem}.json](results/{stem}.json)" for entry in entries for stem in entry.seeds)
    return f"""### Over seeds
A seed decides the samples that vocabularies are learned from, their start, and the random features of EMK. Means, with the
lowest and the highest, from {files}:

{table(["", "", "seeds", *map(method_name, TABLES["2"])], rows, range(2, 7))}
"""
