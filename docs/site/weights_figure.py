#!/usr/bin/env python3
"""Draws docs/images/weights.png, the weights of the patches of a synthetic image, and puts it into README.md.

usage: weights_figure.py --alcedo PROGRAM
Does nothing if the program lacks the commands synth or weights.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import command_pages
from results_page import DOCS, fill

CAPTION = """![A synthetic bird, a map of the weights that GMP gives its patches, and the image weighted by them: patches that occur
once weigh more than the background.](docs/images/weights.png)

A synthetic image, the mean weight of the patches over each pixel, and the weighted image (`alcedo weights --map mean`).
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alcedo", required=True, type=pathlib.Path)
    alcedo = parser.parse_args().alcedo.resolve()
    if not {"synth", "weights"} <= {name for name, _ in command_pages.commands(alcedo)}:
        print("weights.png is left as it is: the program has no synth or no weights")
        return 0
    figure = DOCS / "images" / "weights.png"
    with tempfile.TemporaryDirectory() as folder:
        birds = pathlib.Path(folder, "birds")
        subprocess.run([alcedo, "synth", birds, "--classes", "2", "--images", "1", "--quiet"], check=True)
        image = sorted(birds.glob("*/*.png"))[0]
        subprocess.run([alcedo, "weights", image, "--map", "mean", "-o", figure, "--quiet"], check=True)
    readme = DOCS.parent / "README.md"
    readme.write_text(fill(readme.read_text(), "weights", CAPTION))
    print(f"wrote {figure} and {readme}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
