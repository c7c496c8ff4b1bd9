#!/usr/bin/env python3
"""Our pages follow the parts of docs/style.md that a program can check: words, and lines of at most 120 characters.

Code, tables, generated blocks and what programs wrote (docs/results) are not looked at.
"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

INSTEAD = {
    r"\bpictures?\b": "image",
    r"\banew\b": "again",
    r"\bfor ever\b": "always",
    r"\blikeliest\b": "most likely",
    r"\brightly\b": "correctly",
    r"\b(?:come|comes|came) along\b": "bundled",
    r"\bgo(?:es|ne|ing)? on with\b": "resume",
    r"(?<!here )\b(?:is|are) no (?!longer|more\b|less\b|\w+er\b)\w+": "is not a",
    r"\b(?:tell|tells|told)(?: \w+)? apart\b": "distinguish",
    r"\bone's own\b": "your own",
    r"(?:^|[.;:] )Where [^.?]*,": "if",
}


def prose_of(text):
    """(number, line) of the lines that are prose, without code spans, addresses of links and comments."""
    text = re.sub(r"<!-- (\w+): written by .*?<!-- end of \1 -->", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("|", "    ", "<!--")):
            yield number, line


def problems(text):
    found = []
    for number, line in prose_of(text):
        if len(line) > 120:
            found.append(f"line {number} has {len(line)} characters")
        words = re.sub(r"`[^`]*`|\]\([^)]*\)", "``", line)
        for pattern, better in INSTEAD.items():
            match = re.search(pattern, words)
            if match:
                found.append(f"line {number}: '{match[0]}'; write '{better}'")
    return found


class Style(unittest.TestCase):
    def test_our_pages(self):
        pages = [*ROOT.glob("*.md"), *ROOT.glob("data/*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/commands/*.md"),
                 *ROOT.glob("docs/decisions/*.md"), *ROOT.glob("docs/site/fragments/*.md")]
        self.assertGreater(len(pages), 20)
        for page in pages:
            if page.name != "results.md":
                self.assertEqual([], problems(page.read_text(encoding="utf-8")), page.relative_to(ROOT))

    def test_words_are_found_in_prose_only(self):
        self.assertEqual(["line 1: 'pictures'; write 'image'"], problems("Two pictures."))
        self.assertEqual([], problems("An array `training.pictures`.\n| pictures |\n```console\n4 pictures\n```\n"))
        self.assertEqual([], problems("<!-- x: written by y -->\npictures\n<!-- end of x -->\n"))

    def test_every_word_is_found(self):
        for text in ("write it anew", "for ever", "the likeliest", "rightly", "that come along", "be gone on with", "it is no image",
                     "tell them apart", "told apart", "one's own", "Where there is none, it fails.", "x" * 121):
            self.assertEqual(1, len(problems(text)), text)

    def test_good_sentences_pass(self):
        self.assertEqual([], problems("It is no longer so. It is no slower. Where is it? There is no file. It goes on. Told by him."))


if __name__ == "__main__":
    sys.exit(unittest.main())
