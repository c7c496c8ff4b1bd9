"""Images that are nearly all background: does the nearest neighbour have the same small object?

Every image has a texture of its own and, in one small place, one of two objects. Its Fisher Vectors are pooled by sum,
which is nearly all texture, and by GMP, in which the few patches of the object count as much as all others.
"""
from typing import Any

import alcedo
import numpy as np
from numpy.typing import NDArray
from scenes import scene

IMAGES = 40


def same_object(vectors: NDArray[Any]) -> int:
    """Of how many images the nearest neighbour has the same object. Even images have one, odd ones the other."""
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    return int((similarity.argmax(axis=1) % 2 == np.arange(IMAGES) % 2).sum())


rng = np.random.default_rng(1)
images = [scene(i % 2, rng)[0] for i in range(IMAGES)]
by_sum = alcedo.ImageEncoder("sift", pooling="sum", l2=True)      # dense SIFT, Fisher Vectors of 256 Gaussians
by_gmp = alcedo.ImageEncoder("sift", lambda_=0.1, l2=True)
print(f"{IMAGES} images, one small object in each; nearest neighbours with the same object:")
for name, encoder in [("sum", by_sum), ("GMP", by_gmp)]:
    print(f"{name}  {same_object(encoder.encode(images))} of {IMAGES}")
