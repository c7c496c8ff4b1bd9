"""GMP's weights of the patches of an image as a map, drawn with matplotlib.

usage: weight_maps.py [IMAGE] [-o FIGURE.png]     without an image, one is made
"""
import argparse

import alcedo
import matplotlib
import numpy as np
from scenes import scene

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("image", nargs="?")
parser.add_argument("-o", "--output", default="weight_maps.png")
arguments = parser.parse_args()

box = None
image = arguments.image
if image is None:
    grey, box = scene(0, np.random.default_rng(5))
    left, top, width, height = box
    image = (grey[..., None] * [0.6, 1.0, 0.5]).astype(np.uint8)   # leaves,
    image[top:top + height, left:left + width, 2] = 255            # and something violet

lambdas = [100, 1000, 10000]                                       # max-like to sum-like, all from one solve
encoder = alcedo.ImageEncoder("color", encoder="emk", lambda_=lambdas)
maps = encoder.weight_map(image, rule="mean")

shown = pyplot.imread(image) if isinstance(image, str) else image
figure, axes = pyplot.subplots(1, 1 + len(maps), figsize=(14, 3), constrained_layout=True)
axes[0].imshow(shown, cmap="gray", vmin=0, vmax=None if shown.dtype.kind == "f" else 255)
axes[0].set_title("image")
for axis, lambda_, weights in zip(axes[1:], lambdas, maps):
    axis.imshow(weights / weights.mean(), cmap="magma", vmin=0, vmax=8)   # 8 times the mean weight is white
    axis.set_title(f"lambda = {lambda_:g}")
for axis in axes:
    axis.set_axis_off()
figure.savefig(arguments.output, dpi=80)
print(f"wrote {arguments.output}")

if box:
    area = width * height / maps[0].size
    for lambda_, weights in zip(lambdas, maps):
        inside = weights[top:top + height, left:left + width].sum() / weights.sum()
        print(f"lambda {lambda_:<6g} {inside:6.1%} of the weight is on the object, which has {area:.1%} of the area")
