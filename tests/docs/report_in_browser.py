#!/usr/bin/env python3
"""The numbers of results.json, read back from its HTML report as a browser understands it: each in its row and column.

usage: report_in_browser.py REPORT_PAGE_PROGRAM results.json
"""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import browser

DESCRIPTORS = {"SIFT": "sift", "Colour": "color", "Fusion": "fusion"}
METHODS = {"sum": "sum", "sum+p": "sum+p", "GMP": "gmp", "GMP+p": "gmp+p"}


class Tables(html.parser.HTMLParser):
    """The tables of class results: lists of rows, a row a list of (tag, scope, spans by class, text)."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.cell, self.span, self.depth = [], None, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.depth = attributes.get("class") == "results"
            if self.depth:
                self.tables.append([])
        elif self.depth and tag == "tr":
            self.tables[-1].append([])
        elif self.depth and tag in ("td", "th"):
            self.cell = {"tag": tag, "scope": attributes.get("scope"), "text": "", "parts": {}}
            self.tables[-1][-1].append(self.cell)
        elif tag == "span":
            self.span.append(attributes.get("class"))

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None
        elif tag == "span":
            self.span.pop()
        elif tag == "table":
            self.depth = False

    def handle_data(self, data):
        if self.cell is not None:
            self.cell["text"] += data
            for name in self.span:
                self.cell["parts"][name] = self.cell["parts"].get(name, "") + data


def cells_of(dom):
    """(gaussians, descriptor, method) -> the cell of the page."""
    found = {}
    for table in Tables(dom).tables:
        methods = [METHODS[cell["text"]] for cell in table[0][1:]]
        gaussians = 0
        for row in table[1:]:
            if row[0]["scope"] == "rowgroup":
                gaussians = int(re.search(r"(\d+)", row[0]["text"])[1])
                continue
            for method, cell in zip(methods, row[1:], strict=True):
                found[gaussians, DESCRIPTORS[row[0]["text"]], method] = cell["parts"]
    return found


def problems(results, dom):
    shown = cells_of(dom)
    expected = {(c["gaussians"], c["descriptor"], c["method"]): c for c in results["cells"]}
    found = [f"{key} is on one side only" for key in shown.keys() ^ expected.keys()]
    for key in shown.keys() & expected.keys():
        cell, parts = expected[key], shown[key]
        if parts["ours"] != f"{cell['value']:.1f}":
            found.append(f"{key}: the page shows {parts['ours']}, the file has {cell['value']}")
        if not parts["paper"].endswith(f"paper {cell['paper']:.1f}"):
            found.append(f"{key}: the page shows '{parts['paper']}', the file has {cell['paper']} of the paper")
        if f"{cell['other']['top1-images']:.1f}" not in parts["others"]:
            found.append(f"{key}: the page shows '{parts['others']}', the file has {cell['other']}")
        half = float(parts["pm"].replace("±", ""))
        if abs(half - (cell["high"] - cell["low"]) / 2) > 0.06:
            found.append(f"{key}: the page shows ±{half}, the file has {cell['low']} to {cell['high']}")
    return found


# In a frame, since a browser's window is no narrower than 500 pixels. Tables of up to four methods fit without scrolling, and no
# plot is drawn so large or so small that its lettering is not that of a page.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><iframe src="{page}" style="width:{width}px;height:900px;border:0"></iframe>
<p id="found"></p><script>
document.querySelector("iframe").onload = event => {{
  const page = event.target.contentDocument, found = [];
  for (const table of page.querySelectorAll("table.results")) {{
    const box = table.parentElement, methods = table.querySelectorAll("thead th").length - 1;
    if (methods <= 4 && box.scrollWidth > box.clientWidth) found.push(`a table of ${{methods}} methods is ${{box.scrollWidth}} pixels wide`);
  }}
  for (const svg of page.querySelectorAll("figure svg")) {{
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (scale > 1.26 || scale < 0.75) found.push(`a plot is drawn ${{scale.toFixed(2)}} times as large as it is`);
  }}
  document.getElementById("found").textContent = "done;" + found.join(";");
}};
</script>"""


def misfits(page, width):
    """What does not fit a window of this width."""
    frame = page.with_name(f"frame-{width}.html")
    frame.write_text(FRAME.format(page=page.name, width=width))
    text = re.search(r'id="found">([^<]*)<', browser.dump_dom(frame))[1]
    if not text.startswith("done;"):
        return [f"at {width} pixels nothing was measured"]
    return [f"at {width} pixels {one}" for one in text.split(";")[1:] if one]


def main():
    browser.find()
    program, source = sys.argv[1:3]
    results = json.loads(pathlib.Path(source).read_text())
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "report.html")
        subprocess.run([program, source, page], check=True)
        dom = browser.dump_dom(page)
        found = problems(results, dom)
        found += misfits(page, 400) + misfits(page, 1280)
        # The test must be able to fail: one number changed in the page, one in the file.
        first = results["cells"][0]
        shown = f"{first['value']:.1f}"
        if not problems(results, dom.replace(f'"ours">{shown}<', '"ours">1.2<')):
            found.append("a wrong number in the page was not noticed")
    if not results["cells"]:
        found.append("there are no cells to compare")
    print("\n".join(found), file=sys.stderr)
    print(f"{len(results['cells'])} cells, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
