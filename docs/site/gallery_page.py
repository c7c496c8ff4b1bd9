#!/usr/bin/env python3
"""docs/python-gallery.md: every program of python/examples with what it prints and draws.

usage: gallery_page.py --python FOLDER     runs the programs with the package in FOLDER, and writes the page
       gallery_page.py --check             what the page says of the programs must be what they say of themselves
"""
import argparse
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = DOCS.parent / "python" / "examples"
PAGE, IMAGES = DOCS / "python-gallery.md", DOCS / "images"
# In this order, with what each needs beyond NumPy. scenes.py is imported by others.
PROGRAMS = {"rare_object": "", "vit_tokens": "", "vlad_retrieval": "", "grid_search": "scikit-learn", "weight_maps": "matplotlib",
            "lambda_path": "matplotlib", "torch_layer": "PyTorch", "stream_features": "", "results_table": "pandas"}
INTRODUCTION = """# Python gallery
Short programs, which the tests run. Each makes its own data, and takes less than a minute. Below the name of each is
what it prints and draws. `PYTHONPATH=build/release/python /usr/bin/python3 python/examples/NAME.py` runs one from a
build folder. `mypy --strict` checks all of them.
"""


def described(name):
    """What a program says of itself, without its usage: a title, the beginning of the first sentence, and the rest."""
    text = ast.get_docstring(ast.parse((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))).replace("``", "`")
    kept = [paragraph for paragraph in re.split(r"\n{2,}", text) if not paragraph.startswith("usage:")]
    title = re.match(r"[^:,.]+", kept[0])[0]
    rest = kept[0][len(title):]
    first = rest[2:3].upper() + rest[3:] if rest.startswith(":") else "" if rest == "." else kept[0]
    return title, "\n\n".join([first] * bool(first) + kept[1:])


def section(name, shown):
    title, text = described(name)
    figure = f"![What {name}.py draws]({IMAGES.name}/gallery-{name}.png)\n\n" if (IMAGES / f"gallery-{name}.png").exists() else ""
    needs = f"; needs {PROGRAMS[name]}" if PROGRAMS[name] else ""
    return f"## {title}\n{text + chr(10) * 2 if text else ''}{figure}```text\n{shown}```\n\n[{name}.py](../python/examples/{name}.py){needs}\n"


def page(shown):
    return "\n".join([INTRODUCTION, *(section(name, shown[name]) for name in PROGRAMS)])


def run(name, package):
    """What a program prints; its figure goes to the images."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PYTHONPATH=str(package), MPLCONFIGDIR=folder, PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], cwd=folder, env=environment, text=True, check=True,
                              stdout=subprocess.PIPE)
        figure = pathlib.Path(folder) / f"{name}.png"
        if figure.exists():
            shutil.copy(figure, IMAGES / f"gallery-{name}.png")
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def printed(text):
    """What the page says that each program prints, in its order."""
    return dict(zip(PROGRAMS, re.findall(r"```text\n(.*?)```\n", text, re.S)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    there = {path.stem for path in EXAMPLES.glob("*.py")} - {"scenes"}
    if there != set(PROGRAMS):
        print(f"the gallery must have every program of {EXAMPLES}: {', '.join(sorted(there ^ set(PROGRAMS)))}", file=sys.stderr)
        return 1
    if arguments.check:
        text = PAGE.read_text(encoding="utf-8")
        shown = printed(text)
        if len(shown) != len(PROGRAMS) or page(shown) != text:
            print(f"{PAGE} is not what the programs say of themselves; run scripts/docs --update", file=sys.stderr)
            return 1
        return 0
    package = arguments.python.resolve()
    PAGE.write_text(page({name: run(name, package) for name in PROGRAMS}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
