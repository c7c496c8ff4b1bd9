"""Accuracies and gains as self-contained SVGs that are readable on light and on dark pages, and 360 pixels wide."""
import math
from html import escape

from results_data import DESCRIPTORS, TABLES, find, is_decided, method_name, signed, value_of

WIDTH = 400  # in its own units; letters of 12 are still readable at a width of 360 pixels

# Plain colours instead of variables: some programs that draw SVG do not know those.
STYLE = """
svg{background:#fdfdfb}text{font:13px system-ui,"Liberation Sans",sans-serif;fill:#1c1c1a;font-variant-numeric:tabular-nums}
.group{font-weight:600}.soft{fill:#5f5f5a;font-size:12px}
.rule{stroke:#d9d8d2}.zero{stroke:#1c1c1a;stroke-width:1.2}.whisker{stroke-width:1.6}
.ours,.sift{fill:#00598c;stroke:#00598c}.paper{fill:none;stroke:#85847c;stroke-width:1.6}
.color{fill:#b34700;stroke:#b34700}.fusion{fill:#1c1c1a;stroke:#1c1c1a}.open{fill:#fdfdfb;stroke-width:1.6}
@media (prefers-color-scheme:dark){svg{background:#161615}text{fill:#e5e4de}.soft{fill:#a3a29b}.rule{stroke:#3a3a38}.zero{stroke:#e5e4de}
.ours,.sift{fill:#7cc0ee;stroke:#7cc0ee}.paper{stroke:#94938b}.color{fill:#f0a25a;stroke:#f0a25a}.fusion{fill:#e5e4de;stroke:#e5e4de}
.open{fill:#161615}}
"""


def ticks(ranges, most, top=math.inf):
    """For each range (low, high) as many round numbers, in equal steps, that include it: at most `most`, none above `top`."""
    for step in (10.0 ** power * digit for power in range(-1, 3) for digit in (1, 2, 5)):
        ends = [(math.floor(low / step), math.ceil(high / step)) for low, high in ranges]
        steps = max(last - first for first, last in ends)
        if steps < most:
            firsts = [min(first, math.floor(top / step) - steps) if top < math.inf else first for first, _ in ends]
            return [[round(step * i, 6) for i in range(first, first + steps + 1)] for first in firsts]
    raise ValueError(f"no ticks for {ranges}")


def svg(title, subtitle, words, height, body):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH * 6 // 5}" role="img" '
                      f'aria-labelledby="title desc">',
                      f'<title id="title">{escape(title)}, {escape(subtitle)}</title>', f'<desc id="desc">{escape(words)}</desc>',
                      f"<style>{STYLE}</style>", f'<text x="8" y="18" class="group">{escape(title)}</text>',
                      f'<text x="8" y="36" class="soft">{escape(subtitle)}</text>', *body]) + "\n</svg>\n"


def marker(kind, x, y, classes):
    if kind == "sift":
        return f'<circle class="{classes}" cx="{x:.2f}" cy="{y:g}" r="3.6"/>'
    turn = f' transform="rotate(45 {x:.2f} {y:g})"' if kind == "fusion" else ""
    return f'<rect class="{classes}" x="{x - 3.2:.2f}" y="{y - 3.2:g}" width="6.4" height="6.4"{turn}/>'


# Accuracy: a panel per dataset, each from another number on, all with as many points per pixel.

def headline_cells(entry):
    """The paper's methods with the most Gaussians and both descriptors, by method; empty if Table 2 was not run."""
    largest = max((c["gaussians"] for c in entry.cells if c["table"] == "2"), default=0)
    found = {method: find(entry.cells, "2", largest, "fusion", method) for method in TABLES["2"]}
    return {method: cell for method, cell in found.items() if cell is not None and value_of(cell) is not None}


def panel_title(entry):
    cells = headline_cells(entry)
    measure = "mAP" if next(iter(cells.values()))["metric"].startswith("map") else "mean over classes"
    return f"{entry.name}, {measure}"


def describe_accuracy(entries):
    parts = []
    for entry in filter(headline_cells, entries):
        values = "; ".join(f"{method_name(m)} {c['value']:.1f}" + (f", paper {c['paper']:.1f}" if c["paper"] is not None else "")
                           for m, c in headline_cells(entry).items())
        parts.append(f"{panel_title(entry)}: {values}.")
    return " ".join(parts)


def range_of(cells):
    seen = [number for c in cells for number in (c["low"], c["high"], c["value"], c["paper"]) if number is not None]
    return min(seen), max(seen)


def accuracy_chart(entries):
    """Our numbers with their intervals, and the paper's."""
    left, right, row = 64, 300, 20
    entries = [entry for entry in entries if headline_cells(entry)]
    scales = ticks([range_of(headline_cells(entry).values()) for entry in entries], 6, 100)
    sizes = sorted({cell["gaussians"] for entry in entries for cell in headline_cells(entry).values()})
    y = 68
    body = ['<line class="ours whisker" x1="8" x2="26" y1="52" y2="52"/>', '<circle class="ours" cx="17" cy="52" r="4"/>',
            '<text class="soft" x="32" y="56">Alcedo, 95% interval</text>',
            '<circle class="paper" cx="178" cy="52" r="4"/>', '<text class="soft" x="188" y="56">(the paper)</text>']
    for entry, scale in zip(entries, scales):
        cells = headline_cells(entry)

        def place(value, scale=scale):
            return left + (right - left) * (value - scale[0]) / (scale[-1] - scale[0])

        body.append(f'<text class="group" x="8" y="{y + 16}">{escape(panel_title(entry))}</text>')
        y += 24
        bottom = y + row * len(cells)
        for tick in scale:
            body += [f'<line class="rule" x1="{place(tick):.2f}" x2="{place(tick):.2f}" y1="{y}" y2="{bottom}"/>',
                     f'<text class="soft" x="{place(tick):.2f}" y="{bottom + 13}" text-anchor="middle">{tick:g}%</text>']
        for method, cell in cells.items():
            middle = y + row / 2
            body.append(f'<text x="8" y="{middle + 4:g}">{method_name(method)}</text>')
            if cell["paper"] is not None:
                body.append(f'<circle class="paper" cx="{place(cell["paper"]):.2f}" cy="{middle:g}" r="4"/>')
            body += [f'<line class="ours whisker" x1="{place(cell["low"]):.2f}" x2="{place(cell["high"]):.2f}" y1="{middle:g}" y2="{middle:g}"/>',
                     f'<circle class="ours" cx="{place(cell["value"]):.2f}" cy="{middle:g}" r="4"/>',
                     f'<text x="{WIDTH - 52}" y="{middle + 4:g}" text-anchor="end">{cell["value"]:.1f}</text>']
            if cell["paper"] is not None:
                body.append(f'<text class="soft" x="{WIDTH - 8}" y="{middle + 4:g}" text-anchor="end">({cell["paper"]:.1f})</text>')
            y += row
        y += 24
    subtitle = f"{' or '.join(map(str, sizes))} Gaussians, SIFT and colour; the axes do not begin at 0"
    return svg("Accuracy in per cent", subtitle, describe_accuracy(entries), y + 4, body)


# Gains: a row per dataset and size, a mark per descriptor.

def gains_of(entry, method, baseline):
    """Comparisons of two methods by what they compare: EMK, then by the number of Gaussians."""
    found = {}
    for c in entry.comparisons:
        if (c["method"], c["baseline"]) == (method, baseline):
            encoder = c["encoder"]
            name = {"emk": "EMK", "fv": f"G = {c['gaussians']}", "fv-pyramid": "pyramid"}.get(encoder)
            found.setdefault(name or f"{encoder} {c['gaussians'] or ''}".strip(), []).append(c)
    order = list(DESCRIPTORS)
    for comparisons in found.values():
        comparisons.sort(key=lambda c: order.index(c["descriptor"]))
    return dict(sorted(found.items(), key=lambda item: (item[1][0]["encoder"], item[1][0]["gaussians"])))


def describe_gains(entries, method, baseline):
    parts = []
    for entry in entries:
        for size, comparisons in gains_of(entry, method, baseline).items():
            values = "; ".join(f"{DESCRIPTORS[c['descriptor']]} {signed(c['difference'])}, {signed(c['low'])} to {signed(c['high'])}"
                               + ("" if is_decided(c) else ", undecided") for c in comparisons)
            parts.append(f"{entry.name}, {size}: {values}.")
    return " ".join(parts)


def tick_text(points):
    return f"{points:+g}".replace("-", "−") if points else "0"


def gain_chart(entries, method, baseline):
    left, right, line, gap = 82, WIDTH - 16, 11, 7
    entries = [entry for entry in entries if gains_of(entry, method, baseline)]
    seen = [number for entry in entries for comparisons in gains_of(entry, method, baseline).values()
            for c in comparisons for number in (c["low"], c["high"], c["difference"])]
    scale = ticks([(min(0, *seen), max(0, *seen))], 9)[0]

    def place(value):
        return left + (right - left) * (value - scale[0]) / (scale[-1] - scale[0])

    top = y = 84
    marks = []
    for entry in entries:
        marks.append(f'<text class="group" x="8" y="{y + 14}">{escape(entry.name)}</text>')
        y += 20
        for size, comparisons in gains_of(entry, method, baseline).items():
            height = line * len(comparisons)
            marks.append(f'<text x="8" y="{y + height / 2 + 4.5:g}">{size}</text>')
            for number, c in enumerate(comparisons):
                kind, middle = c["descriptor"], y + line * (number + 0.5)
                marks += [f'<line class="{kind} whisker" x1="{place(c["low"]):.2f}" x2="{place(c["high"]):.2f}" y1="{middle:g}" y2="{middle:g}"/>',
                          marker(kind, place(c["difference"]), middle, kind if is_decided(c) else f"{kind} open")]
            y += height + gap
        y += 6
    axis = []
    for tick in scale:
        axis += [f'<line class="{"zero" if tick == 0 else "rule"}" x1="{place(tick):.2f}" x2="{place(tick):.2f}" y1="{top}" y2="{y}"/>',
                 f'<text class="soft" x="{place(tick):.2f}" y="{y + 15}" text-anchor="middle">{tick_text(tick)}</text>']
    legend, x = [], 14
    for descriptor, title in DESCRIPTORS.items():
        legend += [marker(descriptor, x, 52, descriptor), f'<text class="soft" x="{x + 9}" y="56">{title}</text>']
        x += 24 + 7 * len(title)
    legend += [marker("sift", 14, 70, "fusion open"), '<text class="soft" x="23" y="74">not filled: undecided</text>']
    return svg(f"{method_name(method)} minus {method_name(baseline)}", "points, with 95% intervals of the difference",
               describe_gains(entries, method, baseline), y + 24, legend + axis + marks)
