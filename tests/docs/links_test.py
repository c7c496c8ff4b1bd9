#!/usr/bin/env python3
"""The checker of links finds what is broken, and only that."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "site"))
import links  # noqa: E402


def problems(**pages):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages.items():
            pathlib.Path(folder, f"{name}.html").write_text(text)
        pathlib.Path(folder, "x.svg").write_text("<svg/>")
        return links.problems(folder)


class Links(unittest.TestCase):
    def test_good_ones_pass(self):
        self.assertEqual([], problems(a='<p id="i"><a href="b.html#j">b</a><a href="#i">i</a><img src="x.svg" alt="x">',
                                      b='<p id="j"><a href="https://example.org/x">e</a>'))

    def test_broken_ones_are_named(self):
        for link, problem in {"c.html": "does not lead to a file", "b.html#k": "does not lead to a heading", "#k": "does not lead to a heading",
                              "../b.html": "leads out of the site", "https://nowhere": "is not an address",
                              "htp://example.org": "is not an address"}.items():
            self.assertEqual([f"a.html:2: the link '{link}' {problem}"],
                             problems(a=f'<p id="i">\n<a href="{link}">x</a>', b='<p id="j">'))

    def test_images_need_files_and_alt_text(self):
        self.assertIn("does not lead to a file", problems(a='<img src="y.svg" alt="y">')[0])
        self.assertIn("without alt text", problems(a='<img src="x.svg">')[0])

    def test_ids_are_unique(self):
        self.assertIn("is there twice", problems(a='<p id="i"><p id="i">')[0])

    def test_no_pages_is_a_problem(self):
        self.assertEqual(1, len(problems()))


if __name__ == "__main__":
    sys.exit(unittest.main())
