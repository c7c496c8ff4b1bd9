"""What docs/results holds: which files there are, what their entries are called, and which differences are decided."""
import dataclasses
import json
import pathlib

# In the order of the paper's columns, with its names; and the file of each.
DATASETS = {"voc2007": "VOC-2007", "cub2010": "CUB-2010", "cub2011": "CUB-2011", "pets": "Pets", "flowers": "Flowers"}
FILES = {name: name for name in DATASETS} | {"flowers": "flowers102"}

TABLES = {"1": ("sum", "gmp"), "2": ("sum", "sum+p", "gmp", "gmp+p")}  # the paper's methods, in its order
DESCRIPTORS = {"sift": "SIFT", "color": "colour", "fusion": "SIFT and colour"}
ENCODERS = {"fv": "{} Gaussians", "soft-fv": "{} Gaussians, posteriors", "emk": "EMK", "vlad": "VLAD of {}",
            "sv": "Super Vector of {}", "bov": "BOV of {}", "soft-bov": "soft BOV of {}"}
VARIANTS = {"pyramid": "pyramid", "intra": "intra-normalised", "centred": "centred"}
NOT_RUN = "–"
# Files FILE-SETTING.json have the same cells with other descriptors or another search.
SETTINGS = {"as-paper": "As the paper does it", "mirror": "With mirror images"}
PAIRS = (("gmp", "sum"), ("gmp", "sum+p"), ("gmp+p", "sum+p"))  # the questions of the paper


@dataclasses.dataclass
class Entry:
    """One dataset: its file, and what lies beside it."""
    file: str                     # the stem of its JSON file
    results: dict
    settings: dict = dataclasses.field(default_factory=dict)  # of FILE-SETTING.json, by setting
    seeds: dict = dataclasses.field(default_factory=dict)  # of FILE-seeds.json and FILE-*-seeds.json, by stem
    beyond: dict = dataclasses.field(default_factory=dict)  # other files FILE-*.json with methods that the paper lacks, by stem
    pages: list = dataclasses.field(default_factory=list)  # stems of the Markdown files FILE.md, FILE-*.md

    @property
    def dataset(self):
        return self.results["datasets"][0]

    @property
    def name(self):
        return DATASETS[self.dataset["name"]]

    @property
    def cells(self):
        return self.results["cells"]

    @property
    def comparisons(self):
        return self.results["comparisons"]


def load(folder):
    """The entries of a folder, in the order of the paper's columns."""
    folder, entries = pathlib.Path(folder), []
    for name, file in FILES.items():
        path = folder / f"{file}.json"
        if not path.exists():
            continue
        entry = Entry(file, json.loads(path.read_text()))
        found = [dataset["name"] for dataset in entry.results["datasets"]]
        if found != [name]:
            raise SystemExit(f"{path} must hold the dataset {name} alone, it holds {', '.join(found)}")
        for beside in sorted(folder.glob(f"{file}-*.json")):
            results = json.loads(beside.read_text())
            setting = beside.stem.removeprefix(f"{file}-")
            if setting in SETTINGS:
                entry.settings[setting] = results
            elif setting.endswith("seeds") and len(results["seeds"]) > 1:
                entry.seeds[beside.stem] = results
            elif any(cell["table"] == "beyond" for cell in results["cells"]):
                entry.beyond[beside.stem] = results
        entry.pages = [page.stem for page in sorted(folder.glob(f"{file}.md")) + sorted(folder.glob(f"{file}-*.md"))]
        entries.append(entry)
    return entries


def row_title(item):
    """What a cell, a comparison or a curve is about, without its method."""
    encoder, variant = item["encoder"], "pyramid" if item.get("table") == "pyramid" else ""
    for suffix in VARIANTS:
        if encoder.endswith(f"-{suffix}"):
            encoder, variant = encoder.removesuffix(f"-{suffix}"), suffix
    words = ENCODERS[encoder].format(item["gaussians"]) + (f", {VARIANTS[variant]}" if variant else "")
    return f"{words}, {DESCRIPTORS[item['descriptor']]}"


def rows_of(cells, table):
    """Cells by method for each row of a table, by the row's title, in the order of the file."""
    rows = {}
    for cell in cells:
        if cell["table"] == table:
            rows.setdefault(row_title(cell), {})[cell["method"]] = cell
    return rows


def find(cells, table, gaussians, descriptor, method):
    """The cell, or None if it was not run."""
    wanted = (table, gaussians, descriptor, method)
    return next((c for c in cells if (c["table"], c["gaussians"], c["descriptor"], c["method"]) == wanted), None)


def value_of(cell):
    """The number in the dataset's own measure; None if there is none (a file writes "nan" for such)."""
    return cell["value"] if isinstance(cell["value"], (int, float)) else None


def image_mean(cell):
    """Top-1 accuracy over all images; None if the measure is another."""
    return value_of(cell) if cell["metric"] == "top1-images" else cell["other"].get("top1-images")


def below_paper(value, paper):
    """Whether it is below as printed, with one digit behind the point."""
    return round(value, 1) < round(paper, 1)


def method_name(method):
    return method.replace("gmp", "GMP").replace("gamma", "γ")


def corrected(comparison):
    """Whether the file itself says what is decided."""
    return "verdict" in comparison


def verdict(comparison):
    """As the file says. Files of earlier versions do not: then by p and by the interval, without a correction."""
    if corrected(comparison):
        return comparison["verdict"]
    if comparison["p"] >= 0.05 or comparison["low"] <= 0 <= comparison["high"]:
        return "undecided"
    return "ahead" if comparison["difference"] > 0 else "behind"


def is_decided(comparison):
    return verdict(comparison) != "undecided"


def unconverged(entries):
    """(dataset, cell, method, what) for each solver that did not converge."""
    return [[entry.name, row_title(c), method_name(c["method"]), what]
            for entry in entries for c in entry.cells for what in c.get("unconverged") or []]


def signed(value):
    shown = f"{value:+.1f}".replace("-", "−")
    return "0.0" if shown[1:] == "0.0" else shown


def fragment(name):
    """Sentences that no program can write."""
    return (pathlib.Path(__file__).resolve().parent / "fragments" / name).read_text()


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def joined(words):
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""


def table(header, rows, numbers):
    """A table in Markdown. `numbers`: columns to align at the right."""
    lines = ["| " + " | ".join(header) + " |",
             "| " + " | ".join("---:" if i in numbers else "---" for i in range(len(header))) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
