#!/usr/bin/env python3
"""What docs/results.md, the charts and the README show is what the JSON files hold, read back without the code that wrote them;
for the files that are there, and for made-up ones of several datasets."""
import html.parser
import json
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import made_up_results

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "site"))
import results_data  # noqa: E402
import results_page  # noqa: E402

BENCH = json.loads((DOCS / "results/bench.json").read_text())
FILES = {"VOC-2007": "voc2007", "CUB-2010": "cub2010", "CUB-2011": "cub2011", "Pets": "pets", "Flowers": "flowers102"}
METHODS = {"sum": "sum", "sum+p": "sum+p", "GMP": "gmp", "GMP+p": "gmp+p"}
DESCRIPTORS = {"SIFT": "sift", "colour": "color", "fusion": "fusion", "SIFT and colour": "fusion"}
SVG = "{http://www.w3.org/2000/svg}"


def files_in(folder):
    """Results by the name of their dataset."""
    paths = {name: pathlib.Path(folder, f"{file}.json") for name, file in FILES.items()}
    return {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}


def tables_below(text, heading):
    """The rows of all Markdown tables from a heading to the next, as dictionaries by column; columns without a name by their place."""
    part = re.split(r"\n##+ ", text[text.index(heading) + len(heading):])[0]
    tables = []
    for block in re.findall(r"(?:^\|.*\|\n)+", part, re.M):
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        header = [name or str(place) for place, name in enumerate(lines[0])]
        tables.append([dict(zip(header, line, strict=True)) for line in lines[2:]])
    return tables


class PaperTables(html.parser.HTMLParser):
    """The HTML tables of a page as {(dataset, gaussians, descriptor, method): text}, rows and columns that span others spread out."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.rows, self.cell = [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            wide, high = (int(dict(attributes).get(name, 1)) for name in ("colspan", "rowspan"))
            self.cell = {"text": "", "bold": False, "wide": wide, "high": high}
            self.rows[-1].append(self.cell)
        elif tag == "br":
            self.cell["text"] += " "
        elif tag == "b":
            self.cell["bold"] = True

    def handle_data(self, data):
        if self.cell:
            self.cell["text"] += data.strip()

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None
        elif tag == "table":
            self.tables.append(self.spread())

    def spread(self):
        grid = {}
        for y, row in enumerate(self.rows):
            x = 0
            for cell in row:
                while (x, y) in grid:
                    x += 1
                grid.update({(x + i, y + j): cell for i in range(cell["wide"]) for j in range(cell["high"])})
                x += cell["wide"]
        width, height = (max(place[axis] for place in grid) + 1 for axis in (0, 1))
        if len(grid) != width * height:
            raise ValueError("the table is not a rectangle")
        leads = 2 if grid[0, 2]["text"].startswith("G") else 1
        found = {}
        for x in range(leads, width):
            for y in range(2, height):
                size = int(grid[0, y]["text"].split("=")[1]) if leads == 2 else 0
                key = grid[x, 0]["text"], size, DESCRIPTORS[grid[leads - 1, y]["text"]], METHODS[grid[x, 1]["text"]]
                if key in found:
                    raise ValueError(f"twice: {key}")
                found[key] = grid[x, y]
        return found


def image_mean(cell):
    return cell["other"].get("top1-images")


def decided(c):
    return c["verdict"] != "undecided" if "verdict" in c else c["p"] < 0.05 and not c["low"] <= 0 <= c["high"]


def verdicts(comparisons):
    """Ahead, behind, undecided."""
    signs = [(c["difference"] > 0) - (c["difference"] < 0) if decided(c) else 0 for c in comparisons]
    return [signs.count(1), signs.count(-1), signs.count(0)]


def pair_of(c):
    names = {method: name for name, method in METHODS.items()}
    return f"{names[c['method']]} against {names[c['baseline']]}"


def title_of(item):
    size = "EMK" if item["encoder"] == "emk" else f"{item['gaussians']} Gaussians"
    size += ", pyramid" if item["encoder"] == "fv-pyramid" or item.get("table") == "pyramid" else ""
    return f"{size}, " + {"sift": "SIFT", "color": "colour", "fusion": "SIFT and colour"}[item["descriptor"]]


def signed(text):
    return float(text.replace("−", "-"))


class Checks:
    """What holds of any page; a subclass has `text`, `files` (results by dataset) and `charts` (SVG by file)."""

    def check_table(self, shown, which, value):
        held = {(name, c["gaussians"], c["descriptor"], c["method"]): c for name, results in self.files.items() for c in results["cells"]
                if c["table"] == which and value(c) is not None}
        self.assertTrue(held)
        self.assertLessEqual(held.keys(), shown.keys())
        for key, seen in shown.items():
            if key not in held:
                self.assertEqual("–", seen["text"], key)
                continue
            cell = held[key]
            number, paper = f"{value(cell):.1f}", f"{cell['paper']:.1f}"
            expected = ("↓" if float(number) < float(paper) else "") + number + ("‡" if cell.get("unconverged") else "") + f" ({paper})"
            self.assertEqual(expected, seen["text"], key)
            row = [float(f"{value(c):.1f}") for k, c in held.items() if k[:3] == key[:3]]
            self.assertEqual(float(number) == max(row), seen["bold"], key)

    def test_tables_have_every_cell(self):
        main, images = self.text.split("### By the mean over images\n")
        for part, value, names in ((main, lambda c: c["value"], list(FILES)), (images, image_mean, list(FILES)[1:])):
            cells = [c for results in self.files.values() for c in results["cells"] if value(c) is not None]
            tables = PaperTables(part).tables
            expected = sorted({c["table"] for c in cells} & {"1", "2"})
            self.assertEqual(len(expected), len(tables))
            for which, shown in zip(expected, tables, strict=True):
                self.assertEqual(names, list(dict.fromkeys(dataset for dataset, *_ in shown)))  # the paper's columns, in its order
                self.check_table(shown, which, value)

    def test_every_comparison_is_there(self):
        shown = sorted((row["0"], row["1"], row["methods"], signed(row["points"]), row["verdict"], row.get("seeds", "1"))
                       for row in tables_below(self.text, "### All comparisons")[0])
        word = {(1, 0, 0): "ahead", (0, 1, 0): "behind", (0, 0, 1): "undecided"}
        held = sorted((name, title_of(c), pair_of(c), round(c["difference"], 1), word[tuple(verdicts([c]))], str(c.get("seeds", 1)))
                      for name, results in self.files.items() for c in results["comparisons"])
        for a, b in zip(shown, held, strict=True):
            self.assertEqual(a[:3] + a[4:], b[:3] + b[4:])
            self.assertAlmostEqual(a[3], b[3], delta=1e-6)

    def test_what_is_decided_is_counted(self):
        rows = tables_below(self.text, "### What is decided")[0]
        seen = 0
        for row in rows:
            names = list(self.files) if row["1"] == "**together**" else [row["1"]]
            found = [c for name in names for c in self.files[name]["comparisons"] if row["0"] in ("all of these", pair_of(c))]
            self.assertEqual([len(found), *verdicts(found)],
                             [int(row[k]) for k in ("comparisons", "clearly ahead", "clearly behind", "undecided")], row)
            seen += len(found) * (row["1"] != "**together**")
        self.assertEqual(seen, 2 * sum(len(results["comparisons"]) for results in self.files.values()))  # by pair, and all

    def test_lists_name_what_is_decided(self):
        for number, title in enumerate(("Clearly ahead", "Clearly behind", "Undecided")):
            part = self.text[self.text.index(f"**{title}**\n"):].split("\n\n")[1]
            shown = sorted((dataset, pair, item.rsplit(" (", 1)[0]) for line in part.splitlines() if line != "- none"
                           for dataset, pair, items in [re.fullmatch(r"- (\S+), ([^:]+): (.+)", line).groups()] for item in items.split("; "))
            held = sorted((name, pair_of(c), title_of(c)) for name, results in self.files.items() for c in results["comparisons"]
                          if verdicts([c])[number])
            self.assertEqual(held, shown)

    def test_where_gmp_loses(self):
        tables = tables_below(self.text, "## Where GMP loses")
        shown = sorted((row["0"], row["1"], row["methods"], row["behind"] == "clearly") for row in tables[0])
        held = sorted((name, title_of(c), pair_of(c), decided(c)) for name, results in self.files.items() for c in results["comparisons"]
                      if round(c["difference"], 1) < 0)
        self.assertEqual(held, shown)
        gains = {(row["0"], int(row["Gaussians"])): row for row in tables[-1]}
        for (name, size), row in gains.items():
            for title in ("sum+p", "GMP", "GMP+p"):
                by = {(c["descriptor"], c["method"]): c for c in self.files[name]["cells"] if c["table"] == "2" and c["gaussians"] == size}
                for text, of in zip(re.findall(r"[-+−\d.]+", row[title]), ("value", "paper"), strict=True):
                    mean = sum(by[d, METHODS[title]][of] - by[d, "sum"][of] for d in ("sift", "color", "fusion")) / 3
                    self.assertAlmostEqual(signed(text), mean, delta=0.0501)

    def test_how_many_numbers_of_the_paper_are_reached(self):
        rows = tables_below(self.text, "### Against the paper")[0]
        seen = set()
        for row in rows:
            names = list(self.files) if row["0"] == "together" else [row["0"]]
            value = image_mean if row["measure"] == "image mean" else lambda c: c["value"]
            seen.add((row["0"], value is image_mean))
            for column in (*METHODS, "all"):
                cells = [c for name in names for c in self.files[name]["cells"]
                         if None not in (value(c), c["paper"]) and METHODS.get(column) in (None, c["method"])]
                reached = sum(float(f"{value(c):.1f}") >= c["paper"] for c in cells)
                self.assertEqual(f"{reached} of {len(cells)}" if cells else "–", row[column], (row["0"], row["measure"], column))
        self.assertLessEqual({(name, False) for name in self.files}, seen)
        self.assertEqual({name for name, r in self.files.items() if image_mean(r["cells"][0]) is not None},
                         {name for name, by_image in seen if by_image and name != "together"})

    def test_accuracy_chart(self):
        root = ElementTree.fromstring(self.charts["accuracy.svg"])
        largest = {name: max(c["gaussians"] for c in results["cells"]) for name, results in self.files.items()}
        panels, scales, method, ticks = {}, [], None, []
        for element in root:
            kind, text = element.get("class", ""), element.text or ""
            if kind == "group" and ", " in text:
                ticks = []
                dataset = text.split(",")[0]
            elif text.endswith("%"):
                ticks.append((float(element.get("x")), float(text[:-1])))
            elif text in METHODS:
                method = METHODS[text]
                panels[dataset, method] = {"ticks": ticks}
            elif element.tag == SVG + "circle" and method:
                panels[dataset, method][kind] = float(element.get("cx"))
            elif element.tag == SVG + "line" and kind == "ours whisker" and method:
                panels[dataset, method]["interval"] = [float(element.get("x1")), float(element.get("x2"))]
            elif element.tag == SVG + "text" and method and re.fullmatch(r"\(?[\d.]+\)?", text):
                panels[dataset, method].setdefault("text", []).append(text)
        self.assertEqual(len(panels), 4 * len(self.files))
        for (name, method), seen in panels.items():
            wanted = "2", largest[name], "fusion", method
            cell = next(c for c in self.files[name]["cells"] if (c["table"], c["gaussians"], c["descriptor"], c["method"]) == wanted)
            (x0, v0), *_, (x1, v1) = seen["ticks"]
            scales.append((x1 - x0) / (v1 - v0))
            for x, value in ((seen["ours"], cell["value"]), (seen["paper"], cell["paper"]), *zip(seen["interval"], (cell["low"], cell["high"]))):
                self.assertAlmostEqual(v0 + (x - x0) / scales[-1], value, delta=0.01)
            self.assertEqual(seen["text"], [f"{cell['value']:.1f}", f"({cell['paper']:.1f})"])
            self.assertIn(f"{cell['value']:.1f}", root.find(SVG + "desc").text)
        self.assertAlmostEqual(max(scales), min(scales), delta=1e-6)  # one scale, so that gains can be compared

    def test_gain_charts(self):
        for method, baseline in (("gmp", "sum"), ("gmp", "sum+p"), ("gmp+p", "sum+p")):
            root = ElementTree.fromstring(self.charts[f"{method}-over-{baseline}".replace("+", "-") + ".svg"])
            self.assertTrue(root.find(SVG + "title").text)
            self.assertEqual(root.get("role"), "img")
            places = {signed(e.text): float(e.get("x")) for e in root if re.fullmatch(r"[−+][\d.]+|0", e.text or "")}
            zero = places[0]
            scale = (max(places.values()) - min(places.values())) / (max(places) - min(places))
            shown = []
            for e in root:
                kind = e.get("class", "").split()
                if e.tag in (SVG + "circle", SVG + "rect") and kind[0] in DESCRIPTORS.values() and float(e.get("cy") or e.get("y")) > 84:
                    middle = float(e.get("cx") or float(e.get("x")) + float(e.get("width")) / 2)
                    shown.append((kind[0], "open" not in kind, (middle - zero) / scale))
            held = [(c["descriptor"], decided(c), c["difference"]) for results in self.files.values() for c in results["comparisons"]
                    if (c["method"], c["baseline"]) == (method, baseline)]
            for a, b in zip(sorted(shown), sorted(held), strict=True):
                self.assertEqual(a[:2], b[:2])
                self.assertAlmostEqual(a[2], b[2], delta=0.02)

    def test_cost_is_that_of_the_benchmark(self):
        factors = sorted(r["ours_ms"] / r["peer_ms"] for r in BENCH if "encode and pool by GMP" in r["kernel"])
        row = next(row for row in tables_below(self.text, "## Cost beside accuracy")[0] if row["0"] == "GMP")
        self.assertEqual(f"{factors[0]:.2f} to {factors[-1]:.2f}", row["time to encode and pool"])

    def test_headline(self):
        for results in self.files.values():
            largest = max(c["gaussians"] for c in results["cells"])
            for c in results["cells"]:
                if c["table"] == "2" and c["descriptor"] == "fusion" and c["gaussians"] == largest:
                    self.assertIn(f"{c['value']:.1f}", self.headline)
        for pair, start in (("GMP against sum", "GMP against sum pooling:"), ("GMP against sum+p", "GMP against sum pooling with"),
                            ("GMP+p against sum+p", "Both together")):
            found = [c for results in self.files.values() for c in results["comparisons"] if pair_of(c) == pair]
            line = self.headline[self.headline.index(start):].splitlines()[0]
            self.assertEqual([len(found), *verdicts(found)], [int(n) for n in re.findall(r"\d+", line)])


class ThePages(Checks, unittest.TestCase):
    """Those of the repository."""

    def setUp(self):
        self.text = (DOCS / "results.md").read_text()
        self.files = files_in(DOCS / "results")
        self.charts = {path.name: path.read_text() for path in (DOCS / "images").glob("*.svg")}
        self.headline = (ROOT / "README.md").read_text()

    def test_page_has_every_benchmark(self):
        rows = [row for rows in tables_below(self.text, "## Speed") for row in rows]
        shown = sorted((row["what"], row["against"], row["ratio"], "missed" in row["goal"]) for row in rows)
        held = sorted((r["kernel"], r["peer"], f"{r['ratio']:.2f}", not r["reached"]) for r in BENCH)
        self.assertEqual(shown, held)

    def test_every_chart_is_shown(self):
        pages = self.text + self.headline + (DOCS / "gmp.md").read_text()
        for name in self.charts:
            self.assertTrue(f"images/{name})" in pages, f"no page shows {name}")


class MadeUp(Checks, unittest.TestCase):
    """Four datasets that differ in what the page must cope with; CUB-2010 is missing."""

    @classmethod
    def setUpClass(cls):
        make = made_up_results.results
        stages = [("vocabularies", 600), ("test images", 7200)]
        made = {"voc2007": make("voc2007", "PASCAL VOC 2007", 45, tables=("2", "pyramid"), metric="map-voc11", timings=stages),
                "cub2011": make("cub2011", "Caltech-UCSD Birds 2011", 9, seeds=2, unconverged=[("2", 256, "sift", "gmp")]),
                "pets": make("pets", "Oxford-IIIT Pets", 33, tables=("2",), notes=["images are scaled down"]),
                "flowers102": make("flowers", "Oxford 102 Flowers", 70, corrected=False)}
        made["pets"]["peak_memory"] = 3 * 2**30
        made["pets-as-paper"] = make("pets", "Oxford-IIIT Pets", 30, tables=("2",))
        made["pets-as-paper"]["config"] |= {"root_sift": False, "relative_lambdas": []}
        made["pets-mirror"] = make("pets", "Oxford-IIIT Pets", 37, tables=("2",))
        made["pets-mirror"]["config"] |= {"root_sift": True, "mirror": True}
        made["flowers102-seeds"] = make("flowers", "Oxford 102 Flowers", 71, seeds=5, tables=("1",))
        with tempfile.TemporaryDirectory() as folder:
            for name, results in made.items():
                pathlib.Path(folder, f"{name}.json").write_text(json.dumps(results))
            cls.files = files_in(folder)
            cls.entries = results_data.load(folder)
        cls.settings = {"As the paper does it": made["pets-as-paper"], "With mirror images": made["pets-mirror"]}
        cls.seeds = made["flowers102-seeds"]
        cls.text = results_page.page(cls.entries, BENCH)
        cls.charts = results_page.images(cls.entries)
        cls.headline = results_page.headline_text(cls.entries, "")

    def test_rules_differ_where_they_should(self):
        """Otherwise the tests above could not see which rule was taken."""
        for name, results in self.files.items():
            by_interval = [c["p"] < 0.05 and not c["low"] <= 0 <= c["high"] for c in results["comparisons"]]
            self.assertEqual(name == "Flowers", by_interval == [decided(c) for c in results["comparisons"]], name)
            disagreements = {(c["p"] < 0.05, not c["low"] <= 0 <= c["high"]) for c in results["comparisons"]}
            self.assertLessEqual({(True, False), (False, True)}, disagreements, name)

    def test_datasets_have_their_seeds_and_tables(self):
        rows = {row["0"]: row for row in tables_below(self.text, "## In short")[0]}
        self.assertEqual({"VOC-2007": "1", "CUB-2011": "2", "Pets": "1", "Flowers": "1"}, {name: row["seeds"] for name, row in rows.items()})
        self.assertEqual({"VOC-2007": "2", "CUB-2011": "1 and 2", "Pets": "2", "Flowers": "1 and 2"},
                         {name: row["tables"] for name, row in rows.items()})
        spread = max(max(c["seeds"]) - min(c["seeds"]) for c in self.files["CUB-2011"]["cells"])
        self.assertEqual({"VOC-2007": "–", "CUB-2011": f"{spread:.1f}", "Pets": "–", "Flowers": "–"},
                         {name: row["between seeds"] for name, row in rows.items()})
        self.assertIn("Not run: CUB-2010;", self.text)

    def test_pyramids_have_a_table(self):
        part = self.text[self.text.index("**Spatial pyramids: VOC-2007**"):]
        row = tables_below(part, "**Spatial pyramids: VOC-2007**")[0][0]
        cells = {c["method"]: c for c in self.files["VOC-2007"]["cells"] if c["table"] == "pyramid"}
        numbers = [f"{cells[m]['value']:.1f} ({cells[m]['paper']:.1f})" for m in ("sum+p", "gmp")]
        self.assertEqual(["256 Gaussians, pyramid, SIFT and colour", *numbers], list(row.values()))

    def test_corrected_p(self):
        rows = tables_below(self.text, "### All comparisons")[0]
        self.assertTrue(all((row["p, Holm"] == "–") == (row["0"] == "Flowers") for row in rows))
        self.assertIn("VOC-2007, CUB-2011 and Pets: as the file says", self.text)
        self.assertIn("Flowers: p below 0.05 and an interval without 0", self.text)

    def test_edges(self):
        rows = tables_below(self.text, "### Edges of the search")[0]
        shown = sorted((row["0"], row["parameter"], row["value"], row["which"], title, method) for row in rows
                       for title, _, methods in (part.partition(": ") for part in row["cells"].split("; ")) for method in methods.split(", "))
        names = {method: name for name, method in METHODS.items()}
        held = sorted({(name, "lambda", "100000", "highest of 2", title_of(c), names[c["method"]]) for name, results in self.files.items()
                       for c in results["cells"] if c["chosen"][0][0]["edge"] and c["descriptor"] != "fusion"})
        self.assertEqual(held, shown)

    def test_solvers_that_did_not_converge(self):
        rows = tables_below(self.text, "### Convergence and checks")[0]
        self.assertEqual([["CUB-2011", "256 Gaussians, SIFT", "GMP", "SVMs of 2 classes"]], [list(row.values()) for row in rows])

    def test_notes_time_and_memory(self):
        self.assertIn("- Pets: images are scaled down\n", self.text)
        rows = {row["0"]: row for row in tables_below(self.text, "### Time and memory")[0]}
        self.assertEqual(("10 min", "2 h 00 min", "2 h 10 min", "4 h 07 min", "–"), tuple(rows["VOC-2007"].values())[1:])
        self.assertEqual("3.0 GiB", rows["Pets"]["peak memory"])
        self.assertIn("Nothing is known for CUB-2011 and Flowers.", self.text)

    def test_other_settings(self):
        words = {"As the paper does it": ["Pets", "SIFT", "10, 100000", "none", "1 seed"],
                 "With mirror images": ["Pets", "RootSIFT, and of mirror images", "10, 100000", "1, 10", "1 seed"]}
        for title, made in self.settings.items():
            settings, rows = tables_below(self.text, f"### {title}")
            self.assertEqual(words[title], list(settings[0].values()))
            key = {(title_of(c), c["method"]): c["value"] for c in self.files["Pets"]["cells"]}
            theirs = {(title_of(c), c["method"]): c for c in made["cells"]}
            seen, differences = 0, []
            for row in rows:
                for column, method in METHODS.items():
                    cell = theirs[row["1"], method]
                    self.assertEqual(f"{cell['value']:.1f} / {key[row['1'], method]:.1f} ({cell['paper']:.1f})", row[column])
                    seen += 1
                    differences += [cell["value"] - key[row["1"], method]] if method == "gmp+p" else []
            self.assertEqual(len(theirs), seen)
            mean = f"{sum(differences) / len(differences):+.1f}".replace("-", "−")
            part = self.text[self.text.index(f"### {title}"):]
            self.assertIn(f"GMP+p {mean}.", part[:part.index("| Pets | 16")])

    def test_without_other_settings_there_is_no_section(self):
        text = results_page.page([e for e in self.entries if not e.settings], BENCH)
        for title in self.settings:
            self.assertNotIn(title, text)

    def test_gains_of_emk(self):
        rows = tables_below(self.text, "### Gains of EMK beside the paper's")[0]
        seen = {(row["0"], row["1"]): list(row.values())[2:] for row in rows}
        held = {}
        for name, results in self.files.items():
            cells = {(title_of(c), c["method"]): c for c in results["cells"] if c["table"] == "1"}
            for (title, method), ours in cells.items():
                if method == "gmp":
                    base = cells[title, "sum"]
                    numbers = (ours["value"] - base["value"], ours["paper"] - base["paper"], base["value"] - base["paper"],
                               ours["value"] - ours["paper"])
                    held[name, title] = [f"{n:+.1f}".replace("-", "−") for n in numbers]
        self.assertEqual(6, len(held))
        self.assertEqual({k: [n if n not in ("+0.0", "−0.0") else "0.0" for n in v] for k, v in held.items()}, seen)

    def test_over_seeds(self):
        rows = tables_below(self.text, "### Over seeds")[0]
        held = {(title_of(c), c["method"]): c for c in self.seeds["cells"]}
        shown = {}
        for row in rows:
            self.assertEqual(("Flowers", "5"), (row["0"], row["seeds"]))
            for column in ("sum", "GMP"):
                shown[row["1"], {"sum": "sum", "GMP": "gmp"}[column]] = row[column]
        self.assertEqual({key: f"{sum(c['seeds']) / 5:.1f} ({min(c['seeds']):.1f} to {max(c['seeds']):.1f})" for key, c in held.items()}, shown)


if __name__ == "__main__":
    sys.exit(unittest.main())
