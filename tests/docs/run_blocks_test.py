#!/usr/bin/env python3
"""The runner of the documentation notices what it is there to notice."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import markdown_blocks
import run_blocks


def run(markdown):
    """None, or what the runner says of a file with this text. `alcedo` is echo."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.md")
        path.write_text(markdown)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                run_blocks.run_file(path, pathlib.Path("/bin/echo"), False, None)
        except run_blocks.Failure as failure:
            return str(failure).replace(folder + "/", "")
    return None


class RunBlocks(unittest.TestCase):
    def test_right_output_passes(self):
        self.assertIsNone(run("Text\n```console\n$ alcedo 1 2\n1 2\n$ alcedo 3\n3\n```\n"))

    def test_wrong_output_is_named_by_file_and_line(self):
        said = run("Text\n```console\n$ alcedo 1 2\n1 2\n$ alcedo 3\n4\n```\n")
        self.assertIn("page.md:5: it should print\n4", said)

    def test_missing_and_additional_output_fail(self):
        self.assertIsNotNone(run("```console\n$ alcedo 1\n```\n"))
        self.assertIsNotNone(run("```console\n$ alcedo 1\n1\n2\n```\n"))

    def test_dots_stand_for_anything(self):
        self.assertIsNone(run("```console\n$ seq 5\n1\n...\n5\n$ alcedo a 17 b\na ... b\n```\n"))
        self.assertIsNotNone(run("```console\n$ seq 5\n1\n...\n6\n```\n"))
        self.assertIsNotNone(run("```console\n$ alcedo a 17 c\na ... b\n```\n"))

    def test_dots_are_not_wildcards_elsewhere(self):
        self.assertIsNotNone(run("```console\n$ alcedo 1x5\n1.5\n```\n"))

    def test_exit_code_counts(self):
        self.assertIn("page.md:2: it ended with exit code 1", run("```sh\nfalse\necho on\n```\n"))
        self.assertIn("exit code 1", run("```console\n$ false | alcedo\n...\n```\n"))

    def test_blocks_share_a_folder_and_names(self):
        self.assertIsNone(run("```sh\necho 7 > seven\n```\n```pycon\n>>> x = open('seven').read()\n```\n"
                              "```pycon\n>>> int(x)\n7\n```\n"))

    def test_wrong_python_is_named_by_line(self):
        self.assertIn('page.md", line 3', run("Text\n```pycon\n>>> 1 + 1\n3\n```\n"))

    def test_commands_may_have_several_lines(self):
        self.assertIsNone(run("```console\n$ alcedo 1 \\\n> 2\n1 2\n```\n"))

    def test_what_is_not_run_says_why(self):
        self.assertIsNone(run("<!-- not run: needs a network -->\n```sh\nfalse\n```\n```sh\ntrue\n```\n"))
        with self.assertRaises(ValueError):
            markdown_blocks.read_blocks("<!-- not run: x -->\nText\n")

    def test_what_a_block_needs_decides_whether_it_runs(self):
        self.assertIsNone(run("<!-- needs: no_such_module -->\n```sh\nfalse\n```\n```sh\ntrue\n```\n"))
        self.assertIn("exit code 1", run("<!-- needs: json -->\n```sh\nfalse\n```\n"))

    def test_a_page_without_anything_to_run_fails(self):
        self.assertIn("nothing in it was run", run("```cpp\nint x;\n```\n"))

    def test_a_block_must_end(self):
        with self.assertRaises(ValueError):
            markdown_blocks.read_blocks("```sh\ntrue\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
