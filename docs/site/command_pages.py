"""A page for every command: the introduction of docs/commands, if there is one, and its --help."""
import re
import subprocess


def help_of(alcedo, *command):
    return subprocess.run([alcedo, *command, "--help"], text=True, check=True, stdout=subprocess.PIPE).stdout


def commands(alcedo):
    """(name, what it does) as `alcedo --help` lists them."""
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", help_of(alcedo), re.M)[1]
    return re.findall(r"^  (\w[\w-]*)\s+(.*)$", listed, re.M)


def example_block(text):
    block = re.search(r"^Examples:\n((?:  .*\n?)+)", text, re.M)
    if not block:
        return ""
    return "## Examples\n\n```sh\n" + "\n".join(line[2:] for line in block[1].rstrip().splitlines()) + "\n```\n"


def page(name, summary, introduction, text):
    introduction = introduction or f"# alcedo {name}\n{summary[0].upper()}{summary[1:]}.\n"
    text = re.sub(r"\n{3,}", "\n\n", text.strip())
    return f"{introduction.rstrip()}\n\n{example_block(text)}\n## Help\n`alcedo {name} --help` prints:\n\n```text\n{text}\n```\n"


def pages(alcedo, docs):
    """Markdown by path in docs/, with an index."""
    found = commands(alcedo)
    for path in sorted((docs / "commands").glob("*.md")):
        if path.stem not in dict(found):
            raise SystemExit(f"{path} introduces a command that the program does not have")
    result = {}
    for name, summary in found:
        introduction = docs / "commands" / f"{name}.md"
        text = introduction.read_text() if introduction.exists() else ""
        result[f"commands/{name}.md"] = page(name, summary, text, help_of(alcedo, name))
    rows = "".join(f"| [{name}]({name}.md) | {summary} |\n" for name, summary in found)
    result["commands/index.md"] = f"# Commands\n\n| command | what it does |\n| --- | --- |\n{rows}"
    return result
