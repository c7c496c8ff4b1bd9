"""Images for the examples, made on the spot: a texture of its own for each, and one small object somewhere."""
import numpy as np
from numpy.typing import NDArray

HEIGHT, WIDTH, OBJECT = 240, 320, 32


def texture(rng: np.random.Generator) -> NDArray[np.float64]:
    """Waves of random direction and length, the longer the stronger, as in photographs of landscapes."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    image = np.full((HEIGHT, WIDTH), 128.0)
    for _ in range(40):
        length, angle = 6 * 20 ** rng.uniform(), rng.uniform(0, 2 * np.pi)
        along = (x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / length
        image += 0.15 * length * rng.uniform(0.5, 1.5) * np.sin(along + rng.uniform(0, 2 * np.pi))
    return image


def scene(kind: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], tuple[int, int, int, int]]:
    """A grey image with rings (kind 0) or a checkerboard (kind 1), and the box of the object: x, y, width, height."""
    image = texture(rng)
    left, top = rng.integers(WIDTH - OBJECT), rng.integers(HEIGHT - OBJECT)
    y, x = np.mgrid[:OBJECT, :OBJECT]
    radius = np.hypot(x - OBJECT / 2, y - OBJECT / 2)
    white = radius % 10 < 5 if kind == 0 else (x // 7 + y // 7) % 2 == 0
    part = image[top:top + OBJECT, left:left + OBJECT]
    part[radius <= OBJECT / 2] = np.where(white, 230, 30)[radius <= OBJECT / 2]
    return np.clip(image, 0, 255).astype(np.uint8), (left, top, OBJECT, OBJECT)
