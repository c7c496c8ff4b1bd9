"""Tokens of a vision transformer: the mean, which everybody takes, and GMP.

The tokens here are made up, so that the example needs no network: 14 x 14 tokens of 192 numbers, most of which have
directions that occur in every image, and four of which say what the class is. Yours come from a network:
``model.forward_features(image)[0, 1:]`` of timm gives such an array.
"""
from typing import Any

import alcedo
import numpy as np
from numpy.typing import NDArray

CLASSES, TRAIN, TEST, TOKENS, CHANNELS = 20, 5, 20, 196, 192
rng = np.random.default_rng(0)
background = rng.normal(size=(8, CHANNELS)) * 4                   # sky, grass, walls: in all images
of_class = rng.normal(size=(CLASSES, CHANNELS)) * 4


def image(label: int) -> NDArray[np.float32]:
    tokens = background[rng.integers(8, size=TOKENS) if rng.uniform() < 0.5 else rng.choice(8, 2)[rng.integers(2, size=TOKENS)]]
    tokens = tokens * rng.uniform(0.5, 1.5, size=(TOKENS, 1)) + 0.5 * rng.normal(size=(TOKENS, CHANNELS))
    tokens[rng.choice(TOKENS, 4, replace=False)] = of_class[label] + rng.normal(size=(4, CHANNELS))
    return np.asarray(tokens, np.float32)


labels = np.repeat(np.arange(CLASSES), TRAIN + TEST)
bags = np.stack([image(label) for label in labels])               # images x tokens x channels
is_train = np.arange(len(labels)) % (TRAIN + TEST) < TRAIN


def accuracy(vectors: NDArray[Any]) -> float:
    """Of the nearest class mean, by cosine."""
    vectors = alcedo.l2_normalize(vectors - vectors[is_train].mean(axis=0))
    means = alcedo.l2_normalize(np.stack([vectors[is_train & (labels == c)].mean(axis=0) for c in range(CLASSES)]))
    return float(((vectors[~is_train] @ means.T).argmax(axis=1) == labels[~is_train]).mean())


print(f"{len(labels)} images of {CLASSES} classes, {TOKENS} tokens of {CHANNELS} numbers each")
print(f"mean            {accuracy(alcedo.pool(bags, 'mean')):6.1%} top-1 accuracy")
print(f"max             {accuracy(alcedo.pool(bags, 'max')):6.1%}")
lambdas = [0.01, 0.1, 1, 10, 100]
for lambda_, vectors in zip(lambdas, alcedo.pool(bags, lambda_=lambdas).swapaxes(0, 1)):  # one solve for all lambdas
    print(f"GMP, lambda {lambda_:<4g}{accuracy(vectors):6.1%}")
