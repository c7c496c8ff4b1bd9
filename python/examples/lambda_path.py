"""Every lambda in one solve: from max-like to sum-like, as a plot.

For each lambda, the figure shows the cosine of the pooled vector with a frequent patch and with a rare one. GMP's
promise is that both are the same if lambda is small.

usage: lambda_path.py [-o FIGURE.png]
"""
import argparse

import alcedo
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("-o", "--output", default="lambda_path.png")
output = parser.parse_args().output

rng = np.random.default_rng(0)
sky, bird = alcedo.l2_normalize(rng.normal(size=(2, 128)))
rows = alcedo.l2_normalize(np.concatenate([sky + 0.03 * rng.normal(size=(990, 128)), bird + 0.03 * rng.normal(size=(10, 128))]))
lambdas = np.logspace(-2, 4, 61)
path = alcedo.l2_normalize(alcedo.pool(rows, lambda_=list(lambdas)))   # 61 vectors

figure, axis = pyplot.subplots(figsize=(6, 3.4), constrained_layout=True)
axis.semilogx(lambdas, path @ sky, label="a frequent patch (990 of 1,000)")
axis.semilogx(lambdas, path @ bird, label="a rare patch (10 of 1,000)")
axis.set(xlabel="lambda, relative", ylabel="cosine with the pooled vector", ylim=(0, 1.05))
axis.legend(frameon=False)
figure.savefig(output, dpi=100)
print(f"wrote {output}")
for number in (0, 30, 60):
    print(f"lambda {lambdas[number]:<6g} frequent {path[number] @ sky:.2f}   rare {path[number] @ bird:.2f}")
