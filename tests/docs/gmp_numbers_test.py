#!/usr/bin/env python3
"""The table of docs/gmp.md and the numbers of `alcedo figure1`, rebuilt from their descriptions.

usage: gmp_numbers_test.py PROGRAM
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "gmp.md"
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


def unit(vector):
    return vector / np.linalg.norm(vector)


def gmp(patches, penalty):
    """The shortest vector nearest to a dot product of 1 with every patch, from the formula."""
    if penalty == 0:
        return unit(np.linalg.pinv(patches) @ np.ones(len(patches)))
    return unit(np.linalg.solve(patches.T @ patches + penalty * np.eye(patches.shape[1]), patches.sum(axis=0)))


class TwoImages(unittest.TestCase):
    def test_its_numbers_are_those_of_what_it_describes(self):
        sky, *others = np.eye(3)
        images = [np.vstack([np.tile(sky, (500, 1)), other]) for other in others]
        expected = {"sum": np.dot(*(unit(image.sum(axis=0)) for image in images))}
        for penalty in (0, 1):
            expected[f"GMP, lambda = {penalty}"] = np.dot(*(gmp(image, penalty) for image in images))
        table = dict(re.findall(r"^\| (sum|GMP, lambda = \d+) \| (\d\.\d{4})\b.*\|$", PAGE.read_text(), re.M))
        self.assertEqual({name: f"{value:.4f}" for name, value in expected.items()}, table)


class Figure1(unittest.TestCase):
    def drawn(self, folder, penalty):
        file = pathlib.Path(folder, "figure1.svg")
        subprocess.run([PROGRAM, "figure1", "--lambda", str(penalty), "-o", file], check=True)
        return re.findall(r"similarity of the dashed vectors (\d\.\d{4}), angle", re.search(r"<desc.*?</desc>", file.read_text(), re.S)[0])

    def test_pool_gives_what_it_draws(self):
        degrees = [np.append(np.linspace(89.5, 90.5, 500), rare) for rare in (45, 135)]
        images = [np.stack([np.cos(np.radians(d)), np.sin(np.radians(d))], axis=1) for d in degrees]
        with tempfile.TemporaryDirectory() as folder:
            for number, image in enumerate(images):
                np.save(f"{folder}/{number}.npy", image.astype(np.float32))
            for penalty in (0, 1, 100):
                pooled = {}
                for name, options in (("sum", ["--pooling", "sum"]), ("gmp", ["--lambda", str(penalty)])):
                    subprocess.run([PROGRAM, "pool", "0.npy", "1.npy", *options, "--l2", "-o", f"{name}.npy"], cwd=folder, check=True)
                    pooled[name] = np.load(f"{folder}/{name}.npy")
                self.assertEqual([f"{one @ other:.4f}" for one, other in pooled.values()], self.drawn(folder, penalty))


if __name__ == "__main__":
    unittest.main()
