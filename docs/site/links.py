"""Whether the links of a folder of HTML pages lead somewhere. Nothing is fetched."""
import html.parser
import pathlib
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.images_without_words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("href", "src"):
            if name in attributes:
                self.links.append((self.getpos()[0], attributes[name]))
        if tag == "img" and not attributes.get("alt"):
            self.images_without_words.append(self.getpos()[0])


def problem_of(link, path, root, pages):
    """What is wrong with a link of the page at `path`, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:  # only whether it can be one
        good = parts.scheme == "mailto" or (parts.scheme in ("http", "https") and "." in parts.netloc and " " not in link)
        return None if good else "is not an address"
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.is_relative_to(root):
        return "leads out of the site"
    if not target.is_file():
        return "does not lead to a file"
    if parts.fragment and target.suffix == ".html" and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
        return "does not lead to a heading"
    return None


def problems(root):
    """All that is wrong in the pages below a folder, one sentence each."""
    root = pathlib.Path(root).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))}
    found = [] if pages else [f"{root} holds no pages"]
    for path, page in pages.items():
        name = path.relative_to(root)
        for line, link in page.links:
            problem = problem_of(link, path, root, pages)
            if problem:
                found.append(f"{name}:{line}: the link '{link}' {problem}")
        for line in page.images_without_words:
            found.append(f"{name}:{line}: an image without alt text")
        for twice in sorted({i for i in page.ids if page.ids.count(i) > 1}):
            found.append(f"{name}: the id '{twice}' is there twice")
    return found
