"""The reference of the Python package: a page for each module, from signatures and docstrings. Programs of the gallery."""
import importlib
import inspect
import re
import sys

# Page, module, and what is needed beyond NumPy. The page of a module that cannot be imported here says so.
MODULES = [("python/alcedo.md", "alcedo", ""), ("python/torch.md", "alcedo.torch", "PyTorch"),
           ("python/sklearn.md", "alcedo.sklearn", "scikit-learn")]


def plain(text):
    """``code`` of docstrings as `code` of Markdown; <word> is not a tag."""
    return re.sub(r"``(.+?)``", r"`\1`", text).replace("<", "&lt;")


def sections(text):
    """(heading, lines) of a docstring in NumPy style; what comes first has the heading ""."""
    heading, lines, found = "", [], []
    for line in inspect.cleandoc(text).splitlines():
        if re.fullmatch(r"-{3,}", line) and lines and lines[-1].strip():
            title = lines.pop().strip()
            found.append((heading, lines))
            heading, lines = title, []
        else:
            lines.append(line)
    return [*found, (heading, lines)]


def items(lines):
    """``name : type`` and the indented lines below it, as a list."""
    out = []
    for line in lines:
        if not line.strip():
            continue
        if not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            out.append(f"- `{name.strip()}`" + (f" : {plain(kind.strip())}" if kind else ""))
        else:
            out[-1] += ("  \n  " if "  \n" not in out[-1] else " ") + plain(line.strip())
    return "\n".join(out)


def prose(lines):
    """Paragraphs, with examples as code."""
    out, code = [], False
    for line in lines:
        if line.startswith(">>>") and not code:
            out.append("```python")
            code = True
        elif code and not line.strip():
            out.append("```")
            code = False
        out.append(line if code else plain(line))
    return "\n".join(out + ["```"] * code).strip()


def documentation(text):
    out = []
    for heading, lines in sections(text or ""):
        lists = heading in ("Parameters", "Returns", "Raises", "Attributes") or heading.startswith("Options")
        body = items(lines) if lists else prose(lines)
        if body:
            out.append((f"**{heading}**\n\n" if heading else "") + body)
    return "\n\n".join(out)


def signature(name, value):
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return name
    # What annotations say is in the list of parameters, too.
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in found.parameters.values() if parameter.name not in ("self", "cls")]
    text = f"{name}{found.replace(parameters=bare, return_annotation=inspect.Signature.empty)}"
    if len(text) <= 100:
        return text
    return f"{name}(\n" + "".join(f"    {parameter},\n" for parameter in bare) + ")"


def members(cls):
    """Public methods and properties that a class or its own base classes define."""
    for name in dir(cls):
        if name.startswith("_"):
            continue
        value = inspect.getattr_static(cls, name)
        owner = next(base for base in cls.__mro__ if name in vars(base))
        if owner.__module__.startswith("alcedo"):
            yield name, value.__func__ if isinstance(value, (classmethod, staticmethod)) else value


def entry(name, value):
    out = [f"## {name}"]
    if inspect.isclass(value) and issubclass(value, Exception):
        return "\n\n".join([*out, documentation(value.__doc__)])
    if callable(value):
        out.append(f"```text\n{signature(name, value)}\n```")
    out.append(documentation(value.__doc__))
    if inspect.isclass(value):
        for member, item in members(value):
            text = documentation(getattr(item, "__doc__", None))
            if not text:
                continue
            out.append(f"### {name}.{member}")
            if callable(item):
                out.append(f"```text\n{signature(member, item)}\n```")
            out.append(text)
    return "\n\n".join(part for part in out if part)


def page(module, needs):
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        return f"# {module}\n\nThis copy of the page was made without {needs or 'the package'}: {plain(str(error))}.\n"
    names = [name for name in found.__all__ if name != "__version__"]
    listed = ", ".join(f"[{name}](#{name.lower()})" for name in names)
    parts = [f"# {module}", documentation(found.__doc__), listed, *(entry(name, getattr(found, name)) for name in names)]
    return "\n\n".join(parts) + "\n"


def pages(package):
    """Markdown by path in docs/; `package` is the folder that holds the package alcedo."""
    sys.path.insert(0, str(package))
    return {name: page(module, needs) for name, module, needs in MODULES}


def programs(folder):
    """The text of every program in a folder, as Markdown by path in docs/."""
    return {f"python-gallery/{path.stem}.md": f"# {path.name}\nA program of the [Python gallery](../python-gallery.md).\n\n"
            f"```python\n{path.read_text(encoding='utf-8')}```\n" for path in sorted(folder.glob("*.py"))}
