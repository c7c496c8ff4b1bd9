"""Tables 1 and 2 in the paper's layout, our number above the paper's: HTML, since Markdown has no cells over several columns."""
from results_data import DATASETS, DESCRIPTORS, NOT_RUN, TABLES, below_paper, find, image_mean, method_name, value_of

TITLES = {"1": "Table 1: EMK", "2": "Table 2: Fisher Vectors"}
BELOW, UNCONVERGED = "↓", "‡"
FIRST = ' class="first"'  # of a dataset


def cell_html(cell, value, is_best):
    if cell is None or value(cell) is None:
        return NOT_RUN
    shown = f"{value(cell):.1f}"
    marks = UNCONVERGED if cell.get("unconverged") else ""
    if cell["paper"] is None:
        below = paper = ""
    else:
        below, paper = BELOW if below_paper(value(cell), cell["paper"]) else "", f"<br>({cell['paper']:.1f})"
    return below + (f"<b>{shown}</b>" if is_best else shown) + marks + paper


def row_html(lead, cells_by_dataset, which, gaussians, descriptor, value):
    out = [f"<tr>{lead}"]
    for cells in cells_by_dataset:
        found = [find(cells, which, gaussians, descriptor, method) for method in TABLES[which]]
        values = [None if cell is None or value(cell) is None else round(value(cell), 1) for cell in found]
        best = max((v for v in values if v is not None), default=None)
        texts = [cell_html(cell, value, v is not None and v == best) for cell, v in zip(found, values)]
        out += [f'<td{"" if number else FIRST} align="right">{text}</td>' for number, text in enumerate(texts)]
    return "".join(out) + "</tr>"


def sizes(cells_by_dataset, which):
    return sorted({cell["gaussians"] for cells in cells_by_dataset for cell in cells if cell["table"] == which})


def paper_table(cells_of, which, value=value_of, datasets=tuple(DATASETS)):
    """`cells_of`: cells by dataset. Datasets that are not there have dashes."""
    columns = [cells_of.get(name, []) for name in datasets]
    methods = TABLES[which]
    names = "".join(f"<th{'' if number else FIRST}>{method_name(m)}</th>" for number, m in enumerate(methods))
    lead = 1 if which == "1" else 2
    out = ['<table class="paper">', "<thead>",
           f'<tr><th colspan="{lead}"></th>' + "".join(f'<th colspan="{len(methods)}">{DATASETS[d]}</th>' for d in datasets) + "</tr>",
           f'<tr><th colspan="{lead}"></th>' + names * len(datasets) + "</tr>",
           "</thead>", "<tbody>"]
    for gaussians in sizes(columns, which):
        for number, (descriptor, title) in enumerate(DESCRIPTORS.items()):
            first = ""
            if which == "2" and number == 0:
                first = f'<th rowspan="{len(DESCRIPTORS)}">G = {gaussians}</th>'
            name = "fusion" if descriptor == "fusion" else title
            out.append(row_html(f"{first}<th>{name}</th>", columns, which, gaussians, descriptor, value))
    return "\n".join(out + ["</tbody>", "</table>"]) + "\n"


def paper_tables(cells_of, value=value_of, datasets=tuple(DATASETS)):
    """Both tables, or the one that any dataset has, with their titles."""
    there = [which for which in TABLES if any(c["table"] == which and value(c) is not None for cells in cells_of.values() for c in cells)]
    return "\n".join(f"**{TITLES[which]}**\n\n{paper_table(cells_of, which, value, datasets)}" for which in there)


def image_mean_tables(cells_of):
    datasets = [name for name in DATASETS if name != "voc2007"]
    return paper_tables(cells_of, image_mean, datasets)
