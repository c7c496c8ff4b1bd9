#!/usr/bin/env python3
"""Draws docs/images/weights.png, the weights of the patches of a painted picture, and puts it into README.md.

usage: weights_figure.py --alcedo PROGRAM
Does nothing where the program cannot paint pictures (synth) or draw weights.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import command_pages
from results_page import DOCS, fill

CAPTION = """![A painted bird, a map of the weights that GMP gives its patches, and the picture weighted by them: patches that occur once weigh more than the background.](docs/images/weights.png)

What GMP weighs (`alcedo weights --map mean` of a picture that `alcedo synth` painted): the picture, the mean weight of the patches over each pixel,
the picture weighted by it.
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
        pictures = pathlib.Path(folder, "birds")
        subprocess.run([alcedo, "synth", pictures, "--classes", "2", "--images", "1", "--quiet"], check=True)
        picture = sorted(pictures.glob("*/*.png"))[0]
        subprocess.run([alcedo, "weights", picture, "--map", "mean", "-o", figure, "--quiet"], check=True)
    readme = DOCS.parent / "README.md"
    readme.write_text(fill(readme.read_text(), "weights", CAPTION))
    print(f"wrote {figure} and {readme}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
