#!/usr/bin/env python3
"""scripts/demo on your own images: its summary is correct, and the commands it suggests run.

usage: demo_test.py PROGRAM
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
if not shutil.which("jq"):
    print("skipped: there is no jq here (scripts/setup installs it)")
    sys.exit(77)


def run(*words):
    return subprocess.run(list(map(str, words)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def summary(difference, low, high, verdict, test=23, notes=(), failures=()):
    """The summary of made-up results of one channel."""
    cells = [{"descriptor": "color", "method": method, "value": 41.25, "low": 40, "high": 61.26} for method in ("sum", "sum+p", "gmp")]
    comparisons = [{"descriptor": "color", "method": "gmp", "baseline": baseline, "difference": difference, "low": low, "high": high, "verdict": verdict}
                   for baseline in ("sum", "sum+p")]
    data = {"test": test, "classes": 4, "notes": list(notes), "failures": list(failures)}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"cells": cells, "comparisons": comparisons, "datasets": [data]}, file)
        file.flush()
        done = run(SCRIPTS / "demo-summary", file.name)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Summary(unittest.TestCase):
    def test_every_line_has_its_interval(self):  # and is rounded as in the report
        said = summary(1, -5, 7, "undecided")
        self.assertIn("top-1 accuracy on 23 test images, mean over 4 classes", said)
        self.assertEqual(3, len(re.findall(r" 41\.2%  \(40\.0 to 61\.3\)$", said, re.M)))

    def test_a_difference_is_decided_by_the_verdict(self):
        self.assertIn("+8.1 points (+2.0 to +14.0), which is more than chance: GMP is better here.", summary(8.1, 2, 14, "ahead"))
        self.assertIn("-8.1 points (-14.0 to -2.0), which is more than chance: GMP is worse here.", summary(-8.1, -14, -2, "behind"))
        for undecided in ((-7.6, -26, 11), (22.2, 5.6, 38.9), (0, 0, 0)):  # an interval alone decides nothing
            self.assertEqual(2, summary(*undecided, "undecided").count("not decided: 23 images are too few to distinguish them."))

    def test_what_was_left_out_is_said(self):
        said = summary(1, -5, 7, "undecided", notes=["12 images could not be read and are left out"],
                       failures=[{"name": f"a/{i}.jpg", "reason": "is not an image"} for i in range(12)])
        self.assertIn("Note: 12 images could not be read and are left out.\n  a/0.jpg: is not an image\n", said)
        self.assertIn("and 2 more", said)
        self.assertNotIn("Note", summary(1, -5, 7, "undecided"))


class Demo(unittest.TestCase):
    def test_your_own_images(self):
        with tempfile.TemporaryDirectory(prefix="alcedo-demo-") as scratch:
            scratch = pathlib.Path(scratch)
            own, out = scratch / "my photos", scratch / "it's here"
            done = run(PROGRAM, "synth", own, "--classes", "2", "--images", "8", "--quiet")
            self.assertEqual(0, done.returncode, done.stdout)
            first = sorted(path for path in own.iterdir() if path.is_dir())[0]
            first = first.rename(own / "A $mall (bird)")
            (first / "0000 bad.jpg").write_text("nothing")

            done = run(SCRIPTS / "demo", "--program", PROGRAM, "-o", out, own)
            self.assertEqual(0, done.returncode, done.stdout)
            self.assertIn("A $mall (bird)/0000 bad.jpg: is not an image", done.stdout)
            named = re.findall(r"^  (/.*\.(?:html|png))$", done.stdout, re.M)
            self.assertEqual([out / "report-of-yours/report.html", out / "weights-of-yours.png"], list(map(pathlib.Path, named)))
            for name in named:
                self.assertTrue(pathlib.Path(name).is_file(), name)
            (first / "0000 bad.jpg").unlink()  # or the commands end with 3
            typed = run("bash", "-euc", done.stdout.split("\nNext:\n")[1])
            self.assertEqual(0, typed.returncode, typed.stdout)
            self.assertTrue((out / "vector.npy").is_file())

            # A run that fails keeps the report of the previous run.
            (scratch / "none").mkdir()
            self.assertNotEqual(0, run(SCRIPTS / "demo", "--program", PROGRAM, "-o", out, scratch / "none").returncode)
            self.assertTrue(pathlib.Path(named[0]).is_file())

    def test_mistakes_of_the_command_line(self):
        for words, code in ((["--no"], 2), (["-o"], 2), (["a", "b"], 1), (["/", "/"], 2), (["/no/such"], 1), (["--program", "/"], 1)):
            done = run(SCRIPTS / "demo", *words)
            self.assertEqual(code, done.returncode, done.stdout)


if __name__ == "__main__":
    unittest.main()
