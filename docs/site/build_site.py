#!/usr/bin/env python3
"""Makes a static site of README.md, docs/ and the help of the program, and checks its links.

usage: build_site.py --alcedo PROGRAM --output FOLDER [--python FOLDER]
--python  the folder that holds the package alcedo, for its reference
"""
import argparse
import html
import os
import pathlib
import re
import shutil
import sys

import markdown

import command_pages
import links
import python_pages
import results_data

SITE = pathlib.Path(__file__).resolve().parent
DOCS = SITE.parent
ROOT = DOCS.parent

# What the menu shows, in this order; names that end with a slash stand for all pages of a folder.
MENU = [("Start", ["README.md", "docs/tutorial.md", "docs/gmp.md", "docs/own-descriptors.md", "docs/cpp.md", "docs/faq.md", "docs/glossary.md"]),
        ("Python", ["docs/python.md", "docs/python-sklearn.md", "docs/python-torch.md", "docs/python-gallery.md", "docs/python/"]),
        ("Results", ["docs/results.md", "docs/reliability.md", "docs/results/"]),
        ("Commands", ["docs/commands/"]),
        ("Reference", ["docs/api.md", "docs/formats.md", "docs/paper_map.md"]),
        ("Project", ["CHANGELOG.md", "CONTRIBUTING.md", "docs/extending.md", "docs/style.md", "docs/decisions/"])]

TITLES = {"README.md": "Alcedo"}  # in the menu, if the page's own is not clear enough


def address(name):
    """The path of a Markdown file's page in the site."""
    if name == "README.md":
        return "index.html"
    return re.sub(r"\.md$", ".html", name.removeprefix("docs/").replace("CHANGELOG", "changelog").replace("CONTRIBUTING", "contributing"))


def sources(alcedo, python):
    """Markdown by its path in the repository."""
    found = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")}
    for path in sorted(set(DOCS.rglob("*.md")) - set((DOCS / "commands").glob("*")) - set(SITE.rglob("*"))):
        found[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
    for name, text in command_pages.pages(alcedo, DOCS).items():
        found["docs/" + name] = text
    for name, text in [*python_pages.pages(python).items(), *python_pages.programs(ROOT / "python" / "examples").items()]:
        found["docs/" + name] = text
    decisions = [name for name in found if name.startswith("docs/decisions/")]
    found["docs/decisions/index.md"] = "# Decisions\nWhy things are as they are.\n\n" + "".join(
        f"- [{title_of(found[name])}]({pathlib.PurePath(name).name})\n" for name in decisions)
    return found


def title_of(text):
    return re.search(r"^# (.+)$", text, re.M)[1].replace("`", "")


def menu_title(name, pages):
    """The reports of `alcedo reproduce` all have the same title; they are called after their dataset and what is special."""
    path = pathlib.PurePath(name)
    file, _, special = path.stem.partition("-")
    for dataset, stem in results_data.FILES.items():
        if str(path.parent) == "docs/results" and file == stem:
            return results_data.DATASETS[dataset] + (f", {special.replace('-', ' ')}" if special else "")
    return TITLES.get(name) or title_of(pages[name]).removeprefix("alcedo ")


def with_blank_lines(text):
    """Lists and tables may follow a paragraph at once in our files; the converter wants an empty line between."""
    out, fenced = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        before = out[-1] if out else ""
        starts = re.match(r"(- |\d+\. |\|)", line)
        continues = re.match(r"(- |\d+\. |\||\s)", before)
        if not fenced and starts and before.strip() and not continues and not before.startswith("#"):
            out.append("")
        out.append(line)
    return "\n".join(out) + "\n"


def relink(body, name, pages):
    """Links between Markdown files become links between pages; files that are not in the site lose their link."""
    here = address(name)

    def replace(match):
        target = html.unescape(match["target"])
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, fragment = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(name), path))
        if full + "/index.md" in pages:
            full += "/index.md"
        full = re.sub(r"^python/examples/(\w+)\.py$", r"docs/python-gallery/\1.md", full)
        if full in pages:
            new = os.path.relpath(address(full), os.path.dirname(here) or ".")
        elif full.startswith(("docs/images/", "docs/results/")):
            new = os.path.relpath(full.removeprefix("docs/"), os.path.dirname(here) or ".")
        elif (ROOT / full).exists():
            return f'<a data-unlink="1"{match["rest"]}'
        else:
            raise SystemExit(f"{name}: the link '{target}' does not lead to a file of the repository")
        return f'<{match["tag"]}{match["middle"]}="{html.escape(new + ("#" + fragment if fragment else ""))}"{match["rest"]}'

    # The alt text of an image may stand before its address.
    body = re.sub(r'<(?P<tag>a|img)(?P<middle>(?: alt="[^"]*")? (?:href|src))="(?P<target>[^"]*)"(?P<rest>[^>]*>)', replace, body)
    return re.sub(r'<a data-unlink="1"[^>]*>(.*?)</a>', r"\1", body, flags=re.S)


def menu(pages, here):
    """The list of all pages, as seen from one of them."""
    out = []
    for heading, entries in MENU:
        items = []
        for entry in entries:
            if entry == "docs/decisions/":
                names = ["docs/decisions/index.md"]
            elif entry.endswith("/"):
                names = [name for name in pages if name.startswith(entry) and not name.endswith("index.md")]
            else:
                names = [entry]
            for name in names:
                title = menu_title(name, pages)
                link = os.path.relpath(address(name), os.path.dirname(address(here)) or ".")
                current = ' aria-current="page"' if name == here else ""
                items.append(f'<li><a href="{link}"{current}>{html.escape(title)}</a></li>')
        out.append(f"<h2>{heading}</h2>\n<ul>\n" + "\n".join(items) + "\n</ul>")
    return "\n".join(out)


def render(name, pages):
    converter = markdown.Markdown(
        extensions=["tables", "fenced_code", "toc", "sane_lists"],
        extension_configs={"toc": {"permalink": "#", "permalink_title": "Link to here", "toc_depth": "2-3"}})
    body = converter.convert(with_blank_lines(re.sub(r"<!--.*?-->\n?", "", pages[name], flags=re.S)))
    body = relink(body, name, pages)
    # Wide things scroll in a box of their own; one must be able to reach it by keyboard.
    body = re.sub("(<table[^>]*>)", r'<div class="box" role="region" tabindex="0" aria-label="table">\1', body)
    body = body.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    contents = converter.toc if len(converter.toc_tokens) > 3 else ""
    here = address(name)
    base = os.path.relpath(".", os.path.dirname(here) or ".")
    title = title_of(pages[name])
    full_title = title if name == "README.md" else f"{title} – Alcedo"
    return f"""<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(full_title)}</title>
<link rel="stylesheet" href="{base}/style.css">
</head>
<body>
<header><a href="{base}/index.html">Alcedo</a> <a class="to-menu" href="#menu">Menu</a></header>
<main>
{body}
</main>
<nav id="menu" aria-label="Pages">
{menu(pages, name)}
</nav>
{f'<aside aria-label="On this page"><h2>On this page</h2>{contents}</aside>' if contents else ""}
</body>
</html>
"""


def build(alcedo, python, output):
    pages = sources(alcedo, python)
    shutil.rmtree(output, ignore_errors=True)
    for name in pages:
        path = output / address(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(name, pages), encoding="utf-8")
    shutil.copy(SITE / "style.css", output)
    for folder, pattern in (("images", "*"), ("results", "*.json")):
        for path in (DOCS / folder).glob(pattern):
            (output / folder).mkdir(exist_ok=True)
            shutil.copy(path, output / folder)
    return len(pages)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alcedo", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--python", type=pathlib.Path, default=pathlib.Path(), help="the folder that holds the package alcedo")
    arguments = parser.parse_args()
    count = build(arguments.alcedo.resolve(), arguments.python.resolve(), arguments.output)
    found = links.problems(arguments.output)
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{count} pages in {arguments.output}, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
