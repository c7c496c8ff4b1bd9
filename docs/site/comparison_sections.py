"""What docs/results.md says about differences between methods: which are decided, where GMP loses, and the counts of the README."""
from results_data import (DESCRIPTORS, NOT_RUN, PAIRS, TABLES, corrected, find, fragment, is_decided, joined, mean, method_name,
                          row_title, rows_of, signed, table, value_of, verdict)


def pair_name(pair):
    return f"{method_name(pair[0])} against {method_name(pair[1])}"


def tested(entry, pair):
    """The comparisons of two methods, in the order of the paper's rows."""
    found = [c for c in entry.comparisons if (c["method"], c["baseline"]) == pair]
    return sorted(found, key=lambda c: (c["encoder"], c["gaussians"], list(DESCRIPTORS).index(c["descriptor"])))


def counts(comparisons):
    found = [verdict(c) for c in comparisons]
    return found.count("ahead"), found.count("behind"), found.count("undecided")


def counted(comparisons):
    """In words, for a sentence."""
    ahead, behind, undecided = counts(comparisons)
    return f"of {len(comparisons)} comparisons, clearly ahead in {ahead}, clearly behind in {behind}, undecided in {undecided}"


def all_pairs(entries):
    """Every pair of methods that was compared: the paper's questions first."""
    others = dict.fromkeys((c["method"], c["baseline"]) for entry in entries for c in entry.comparisons)
    return [*(pair for pair in PAIRS if pair in others), *(pair for pair in others if pair not in PAIRS)]


def p_text(p):
    return NOT_RUN if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def rule_text(entries):
    """By which rule, in words; it depends on the version of the program that wrote a file."""
    by_file = {new: [entry.name for entry in entries if entry.comparisons and all(corrected(c) for c in entry.comparisons) == new]
               for new in (True, False)}
    parts = []
    if by_file[True]:
        parts.append(f"{joined(by_file[True])}: as the file says: p, corrected by Holm's method over the comparisons of the dataset, is below 0.05, the interval excludes 0, and all seeds agree.")
    if by_file[False]:
        parts.append(f"{joined(by_file[False])}: p below 0.05 and an interval without 0, each comparison by itself and without a correction.")
    return "\n".join(parts)


def comparison_title(c):
    return f"{row_title(c)} ({signed(c['difference'])})"


def decided(entries):
    rows = []
    for pair in all_pairs(entries):
        groups = [(entry.name, tested(entry, pair)) for entry in entries if tested(entry, pair)]
        if len(groups) > 1:
            groups.append(("**together**", [c for _, found in groups for c in found]))
        for name, found in groups:
            rows.append([pair_name(pair), name, str(len(found)), signed(mean(c["difference"] for c in found)), *map(str, counts(found))])
    everything = [(entry.name, entry.comparisons) for entry in entries]
    if len(entries) > 1:
        everything.append(("**together**", [c for entry in entries for c in entry.comparisons]))
    rows += [["all of these", name, str(len(found)), "", *map(str, counts(found))] for name, found in everything]
    lists = []
    for word, title in {"behind": "Clearly behind", "undecided": "Undecided", "ahead": "Clearly ahead"}.items():
        lines = []
        for entry in entries:
            for pair in all_pairs(entries):
                found = [c for c in tested(entry, pair) if verdict(c) == word]
                if found:
                    lines.append(f"- {entry.name}, {pair_name(pair)}: " + "; ".join(map(comparison_title, found)))
        lists.append(f"**{title}**\n\n" + ("\n".join(lines) if lines else "- none") + "\n")
    return f"""### What is decided
What counts as clearly ahead or behind:

{rule_text(entries)}

{table(["", "", "comparisons", "mean, points", "clearly ahead", "clearly behind", "undecided"], rows, range(2, 7))}
{best(entries)}

{chr(10).join(lists)}
### All comparisons
Two methods on the same test images, with the 95% interval of the difference
([how](formats.md#results-of-alcedo-reproduce)):

{comparison_table(entries)}"""


def comparison_table(entries):
    some_corrected = any(corrected(c) for entry in entries for c in entry.comparisons)
    rows = []
    for entry in entries:
        for pair in all_pairs(entries):
            for c in tested(entry, pair):
                held = [p_text(c.get("corrected_p")), str(c.get("seeds", 1))] if some_corrected else []
                rows.append([entry.name, row_title(c), pair_name(pair), signed(c["difference"]), f"{signed(c['low'])} to {signed(c['high'])}",
                             p_text(c["p"]), *held, verdict(c)])
    extra = ["p, Holm", "seeds"] if some_corrected else []
    header = ["", "", "methods", "points", "95% interval", "p", *extra, "verdict"]
    return table(header, rows, range(3, len(header) - 1))


def best(entries):
    """Which method is best in how many rows of Table 2, in words; methods with the same number share a row."""
    winners = []
    for entry in entries:
        for cells in rows_of(entry.cells, "2").values():
            values = {m: round(c["value"], 1) for m, c in cells.items() if value_of(c) is not None}
            if values:
                winners.append(" with ".join(method_name(m) for m in TABLES["2"] if values.get(m) == max(values.values())))
    if not winners:
        return ""
    parts = [f"{name} in {winners.count(name)}" for name in sorted(set(winners), key=winners.count, reverse=True)]
    return f"The best of Table 2 is {joined(parts)} of {len(winners)} rows."


def paper_difference(entry, c):
    """What the paper's numbers differ by in the cells of a comparison; None if it does not print both."""
    which = {"emk": "1", "fv": "2", "fv-pyramid": "pyramid"}.get(c["encoder"])
    found = [find(entry.cells, which, c["gaussians"], c["descriptor"], method) for method in (c["method"], c["baseline"])]
    papers = [cell and cell["paper"] for cell in found]
    return None if None in papers else papers[0] - papers[1]


def is_behind(difference):
    """As printed, decided or not."""
    return signed(difference).startswith("−")


def behind_rows(entries):
    rows = []
    for entry in entries:
        for pair in all_pairs(entries):
            for c in tested(entry, pair):
                if is_behind(c["difference"]) and c["method"].startswith("gmp") and c["baseline"] in ("sum", "sum+p"):
                    paper = paper_difference(entry, c)
                    interval = f"{signed(c['low'])} to {signed(c['high'])}"
                    rows.append([entry.name, row_title(c), pair_name(pair), signed(c["difference"]), interval,
                                 "clearly" if is_decided(c) else "undecided", NOT_RUN if paper is None else signed(paper)])
    return rows


def papers_agreement(entries):
    """In how many rows of each kind the paper's own numbers have GMP behind sum+p."""
    kinds = {True: [], False: []}  # by whether ours is behind
    for entry in entries:
        for c in tested(entry, ("gmp", "sum+p")):
            paper = paper_difference(entry, c)
            if paper is not None:
                kinds[is_behind(c["difference"])].append(is_behind(paper))
    if not kinds[True] and not kinds[False]:
        return ""
    return (f"The paper's own numbers have GMP behind sum+p in {sum(kinds[True])} of the {len(kinds[True])} rows in which ours do, and in "
            f"{sum(kinds[False])} of the {len(kinds[False])} others.\n")


def gains_by_size(entries):
    """Gain over sum, mean over the descriptors, by dataset and number of Gaussians: {(dataset, G): {method: (ours, paper or None)}}."""
    found = {}
    for entry in entries:
        for gaussians in sorted({c["gaussians"] for c in entry.cells if c["table"] == "2"}):
            for method in ("sum+p", "gmp", "gmp+p"):
                ours, papers = [], []
                for descriptor in ("sift", "color", "fusion"):
                    cell, base = (find(entry.cells, "2", gaussians, descriptor, m) for m in (method, "sum"))
                    if cell and base and None not in (value_of(cell), value_of(base)):
                        ours.append(cell["value"] - base["value"])
                        papers.append(None if None in (cell["paper"], base["paper"]) else cell["paper"] - base["paper"])
                if ours:
                    found.setdefault((entry.name, gaussians), {})[method] = (mean(ours), None if None in papers else mean(papers))
    return found


def growth(gains):
    """How the gains change from the smallest to the largest number of Gaussians, in words."""
    sizes = sorted({size for _, size in gains})
    names = [name for name in dict.fromkeys(name for name, _ in gains) if {(name, sizes[0]), (name, sizes[-1])} <= gains.keys()]
    if len(sizes) < 2 or not names:
        return ""
    parts = []
    for method in ("sum+p", "gmp", "gmp+p"):
        changes = [gains[name, sizes[-1]][method][0] - gains[name, sizes[0]][method][0] for name in names
                   if method in gains[name, sizes[0]] and method in gains[name, sizes[-1]]]
        if changes:
            parts.append(f"that of {method_name(method)} by {signed(mean(changes))}")
    return (f"From {sizes[0]} to {sizes[-1]} Gaussians these gains change, in points, mean over {joined(names)}:\n" + ", ".join(parts) + ".\n")


def where_gmp_loses(entries):
    rows = behind_rows(entries)
    if rows:
        count = sum(row[2] == pair_name(("gmp", "sum+p")) for row in rows)
        total = sum(len(tested(entry, ("gmp", "sum+p"))) for entry in entries)
        text = (f"GMP without power normalisation is behind sum+p in {count} of {total} rows. All rows in which a method with GMP is\n"
                f"behind one without, clearly or not:\n\n"
                + table(["", "", "methods", "points", "95% interval", "behind", "in the paper"], rows, (3, 4, 6)))
    else:
        text = "There is no row in which a method with GMP is behind one without.\n"
    gains = gains_by_size(entries)
    lines = [[name, str(size), *("–" if m not in row else signed(row[m][0]) + ("" if row[m][1] is None else f" ({signed(row[m][1])})")
                                 for m in ("sum+p", "gmp", "gmp+p"))] for (name, size), row in gains.items()]
    return f"""{text}
{papers_agreement(entries)}
The gain over sum pooling in points, mean over the descriptors, and the paper's in brackets:

{table(["", "Gaussians", "sum+p", "GMP", "GMP+p"], lines, (1, 2, 3, 4))}
{growth(gains)}"""


def tried(entries):
    """A line for every method that the paper lacks, against GMP with the same normalisation."""
    lines = []
    for entry in entries:
        for file, results in entry.beyond.items():
            pairs = {}
            for c in results["comparisons"]:
                if c["method"].startswith("gmp") and c["baseline"] not in ("sum", "sum+p"):
                    pairs.setdefault((c["method"], c["baseline"]), []).append(c)
            for (method, other), found in pairs.items():
                behind, ahead, undecided = counts(found)  # as seen from the other method
                gain = signed(-mean(c["difference"] for c in found))
                lines.append(f"- {method_name(other)} instead of {method_name(method)}, {entry.name}: {gain} "
                             f"points on average; of {len(found)} comparisons, clearly ahead in {ahead}, clearly behind in {behind}, undecided "
                             f"in {undecided} ([details](results/{file}.md)).")
    return "\n".join(lines) + "\n" if lines else ""


def headline(entries, folder):
    """What is known, with its counter-evidence; `folder` is that of the other pages, as seen from the page."""
    found = {pair: [c for entry in entries for c in tested(entry, pair)] for pair in PAIRS}
    gmp, power, both = (counted(found[pair]) for pair in PAIRS)
    names = joined(entry.name for entry in entries)
    plural = "s" if len(entries) > 1 else ""
    return f"""- GMP against sum pooling: {gmp}.
- GMP against sum pooling with [power normalisation]({folder}glossary.md#power), which costs nothing: {power}.
- Both together against power normalisation alone: {both}.

Dataset{plural}: {names}. All numbers, and what speaks against them: [results]({folder}results.md).
"""


def emk_gains(entries):
    """What GMP gains over sums of EMK, beside the paper's gain, and what our sums are above the paper's."""
    rows = []
    for entry in entries:
        for title, cells in rows_of(entry.cells, "1").items():
            ours, base = cells.get("gmp"), cells.get("sum")
            if ours is None or base is None or None in (value_of(ours), value_of(base), ours["paper"], base["paper"]):
                continue
            rows.append([entry.name, title, signed(ours["value"] - base["value"]), signed(ours["paper"] - base["paper"]),
                         signed(base["value"] - base["paper"]), signed(ours["value"] - ours["paper"])])
    if not rows:
        return ""
    return f"""### Gains of EMK beside the paper's
In points. {fragment("gains_of_emk.md").strip()}

{table(["", "", "GMP over sum", "in the paper", "our sum over the paper's", "our GMP over the paper's"], rows, (2, 3, 4, 5))}
"""
