"""The accuracy of a results.json beside the paper's, as a self-contained SVG."""
from html import escape

METHODS = {"sum": "sum", "sum+p": "sum+p", "gmp": "GMP", "gmp+p": "GMP+p"}  # of the paper's Table 2
DESCRIPTORS = {"sift": "SIFT", "color": "colour", "fusion": "SIFT and colour"}
ENCODERS = {"fv": "{} Gaussians", "emk": "EMK", "vlad": "VLAD of {}", "sv": "Super Vector of {}", "bov": "BOV of {}"}

WIDTH = 400  # in its own units; letters of 13 are still readable at a width of 360 pixels
LEFT, RIGHT = 66, 312  # of the bars; their values stand to the right
ROW, GROUP, TOP = 27, 30, 66

STYLE = """
svg{background:#fdfdfb;color:#1c1c1a;--ours:#00598c;--paper:#b3b1a6;--soft:#5f5f5a;--rule:#d9d8d2}
@media (prefers-color-scheme:dark){svg{background:#161615;color:#e5e4de;--ours:#7cc0ee;--paper:#6d6c66;--soft:#a3a29b;--rule:#3a3a38}}
text{font:13px system-ui,sans-serif;fill:currentColor;font-variant-numeric:tabular-nums}
.group{font-weight:600}.soft{fill:var(--soft);font-size:12px}.ours{fill:var(--ours)}.paper{fill:var(--paper)}
.whisker{stroke:currentColor;stroke-width:1.2}.rule{stroke:var(--rule)}
"""


def row_title(entry):
    """What an entry of results.json is about, without its method."""
    encoder, _, pyramid = entry["encoder"].partition("-")
    words = ENCODERS[encoder].format(entry["gaussians"]) + (", pyramid" if pyramid else "")
    return f"{words}, {DESCRIPTORS[entry['descriptor']]}"


def groups_of(results, descriptors, table="2"):
    """(title, cells by method) for each row of a table, in the order of the file."""
    groups = {}
    for cell in results["cells"]:
        if cell["table"] == table and cell["descriptor"] in descriptors:
            groups.setdefault(row_title(cell), {})[cell["method"]] = cell
    return list(groups.items())


def describe(groups):
    """The chart in words."""
    parts = []
    for title, cells in groups:
        values = "; ".join(f"{METHODS[m]} {c['value']:.1f}, paper {c['paper']:.1f}" for m, c in cells.items())
        parts.append(f"{title}: {values}.")
    return " ".join(parts)


def place(percent):
    return LEFT + (RIGHT - LEFT) * percent / 100


def bar_chart(results, descriptors, title, subtitle):
    groups = groups_of(results, descriptors)
    height = TOP + sum(GROUP + ROW * len(cells) for _, cells in groups) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH * 6 // 5}" role="img" '
           f'aria-labelledby="title desc">',
           f"<title id=\"title\">{escape(title)}, {escape(subtitle)}</title>", f"<desc id=\"desc\">{escape(describe(groups))}</desc>",
           f"<style>{STYLE}</style>",
           f'<text x="8" y="18" class="group">{escape(title)}</text>',
           f'<text x="8" y="36" class="soft">{escape(subtitle)}</text>',
           '<rect class="ours" x="8" y="47" width="14" height="9"/><text class="soft" x="27" y="56">Alcedo, 95% interval</text>',
           '<rect class="paper" x="176" y="47" width="14" height="9"/><text class="soft" x="195" y="56">the paper</text>']
    ticks = (0, 25, 50, 75, 100)
    for percent in ticks:
        out.append(f'<text class="soft" x="{place(percent):g}" y="{height - 10}" text-anchor="middle">{percent}%</text>')
    y = TOP
    for group, cells in groups:
        out.append(f'<text class="group" x="8" y="{y + 21}">{escape(group)}</text>')
        y += GROUP
        for x in map(place, ticks):
            out.append(f'<line class="rule" x1="{x:g}" x2="{x:g}" y1="{y}" y2="{y + ROW * len(cells)}"/>')
        for method, cell in cells.items():
            ours, paper = place(cell["value"]), place(cell["paper"])
            out += [f'<text x="8" y="{y + 15}">{METHODS[method]}</text>',
                    f'<rect class="ours" x="{LEFT}" y="{y + 3}" width="{ours - LEFT:.2f}" height="10"/>',
                    f'<line class="whisker" x1="{place(cell["low"]):.2f}" x2="{place(cell["high"]):.2f}" y1="{y + 8}" y2="{y + 8}"/>',
                    f'<rect class="paper" x="{LEFT}" y="{y + 14}" width="{paper - LEFT:.2f}" height="7"/>',
                    f'<text x="{RIGHT + 8}" y="{y + 15}">{cell["value"]:.1f}</text>',
                    f'<text class="soft" x="{RIGHT + 44}" y="{y + 15}">({cell["paper"]:.1f})</text>']
            y += ROW
    return "\n".join(out) + "\n</svg>\n"
