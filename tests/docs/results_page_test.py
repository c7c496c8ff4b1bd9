#!/usr/bin/env python3
"""What docs/results.md, the charts and the README show is what the JSON files hold, read back without the code that wrote them."""
import json
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
RESULTS = json.loads((DOCS / "results/flowers102.json").read_text())
BENCH = json.loads((DOCS / "results/bench.json").read_text())
COLUMNS = {"sum": "sum", "sum+p": "sum+p", "GMP": "gmp", "GMP+p": "gmp+p"}
DESCRIPTORS = {"SIFT": "sift", "colour": "color", "SIFT and colour": "fusion"}
SVG = "{http://www.w3.org/2000/svg}"


def table_below(text, heading):
    """The rows of the first Markdown table after some words, as dictionaries by column; '' is the first."""
    lines = text[text.index(heading):].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [dict(zip(rows[0], row)) for row in rows[2:]]


def table_2():
    return [c for c in RESULTS["cells"] if c["table"] == "2"]


def bars(path):
    """(group, method) -> widths of its two bars and its two texts, from the chart."""
    found, group, method = {}, None, None
    for element in ElementTree.parse(path).getroot():
        kind, text = element.get("class"), (element.text or "").strip()
        if element.tag == SVG + "text" and kind == "group":
            group = text
        elif element.tag == SVG + "text" and text in COLUMNS:
            method = COLUMNS[text]
            found[group, method] = {"width": {}, "text": []}
        elif method and element.tag == SVG + "rect":
            found[group, method]["width"][kind] = float(element.get("width"))
        elif method and element.tag == SVG + "text":
            found[group, method]["text"].append(text)
    return found


class Results(unittest.TestCase):
    def test_page_has_every_cell(self):
        rows = {row[""]: row for row in table_below((DOCS / "results.md").read_text(), "Table 2")}
        seen = 0
        for name, row in rows.items():
            gaussians, descriptor = re.fullmatch(r"(\d+) Gaussians, (.+)", name).groups()
            for column, method in COLUMNS.items():
                cell = [c for c in table_2() if (c["gaussians"], c["descriptor"], c["method"]) ==
                        (int(gaussians), DESCRIPTORS[descriptor], method)]
                self.assertEqual(len(cell), 1, name)
                numbers = [float(n) for n in re.findall(r"[\d.]+", row[column])]
                for number, value in zip(numbers, (cell[0]["value"], cell[0]["other"]["top1-images"], cell[0]["paper"]), strict=True):
                    self.assertLess(abs(number - value), 0.0501, (name, column))
                seen += 1
        self.assertEqual(seen, len(table_2()))

    def test_page_has_every_comparison(self):
        rows = table_below((DOCS / "results.md").read_text(), "Two methods on the same test images")
        shown = sorted(float(row["points"].replace("−", "-")) for row in rows)
        held = sorted(c["difference"] for c in RESULTS["comparisons"])
        for a, b in zip(shown, held, strict=True):
            self.assertLess(abs(a - b), 0.0501)

    def test_page_has_every_benchmark(self):
        text = (DOCS / "results.md").read_text()
        rows = table_below(text, "Against other software") + table_below(text, "Against our own alternatives")
        shown = sorted((row["what"], row["against"], row["ratio"], "missed" in row["goal"]) for row in rows)
        held = sorted((r["kernel"], r["peer"], f"{r['ratio']:.2f}", not r["reached"]) for r in BENCH)
        self.assertEqual(shown, held)

    def test_charts_have_bars_of_the_right_length(self):
        for name, cells in {"flowers102-all.svg": table_2(), "flowers102.svg": [c for c in table_2() if c["descriptor"] == "fusion"]}.items():
            found = bars(DOCS / "images" / name)
            self.assertEqual(len(found), len(cells))
            scales = []
            for (group, method), bar in found.items():
                gaussians, descriptor = re.fullmatch(r"(\d+) Gaussians, (.+)", group).groups()
                cell = next(c for c in cells if (c["gaussians"], c["descriptor"], c["method"]) ==
                            (int(gaussians), DESCRIPTORS[descriptor], method))
                scales += [bar["width"]["ours"] / cell["value"], bar["width"]["paper"] / cell["paper"]]
                self.assertEqual(bar["text"][:2], [f"{cell['value']:.1f}", f"({cell['paper']:.1f})"])
            self.assertLess(max(scales) - min(scales), 1e-3)  # bars begin at 0, on one scale

    def test_charts_have_words(self):
        for name in ("flowers102.svg", "flowers102-all.svg"):
            root = ElementTree.parse(DOCS / "images" / name).getroot()
            self.assertTrue(root.find(SVG + "title").text)
            self.assertIn(f"{table_2()[-1]['value']:.1f}", root.find(SVG + "desc").text)
            self.assertEqual(root.get("role"), "img")

    def test_readme_has_the_numbers(self):
        text = (ROOT / "README.md").read_text()
        largest = max(c["gaussians"] for c in table_2())
        for cell in table_2():
            if cell["descriptor"] == "fusion" and cell["gaussians"] == largest:
                self.assertIn(f"{cell['value']:.1f}%", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
