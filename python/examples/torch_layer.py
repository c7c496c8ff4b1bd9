"""Average pooling and GMP at the end of a small network, on images whose class is one small mark in clutter.

An image is 32 x 32: a few marks of 3 x 3 pixels that all classes share, many times each, and one mark, somewhere, that
determines the class. An average over the map hides that mark behind the clutter; GMP treats rare and frequent tokens
alike. Three networks are trained per pooling, which differ in their seeds alone.
"""

import time
from typing import Callable, Dict, Tuple

import torch
from torch import Tensor, nn

from alcedo.torch import GeneralizedMaxPool2d

CLASSES, SIZE, CLUTTER, MARKS = 4, 32, 6, 40
POOLINGS: Dict[str, Callable[[], nn.Module]] = {
    "average": lambda: nn.AdaptiveAvgPool2d(1),
    "GMP, lambda 1": lambda: GeneralizedMaxPool2d(1.0),
    "GMP, learned lambda": lambda: GeneralizedMaxPool2d(1.0, learned=True)}


def make_images(count: int, marks: Tensor, generator: torch.Generator) -> Tuple[Tensor, Tensor]:
    """Images, and their classes: the first CLASSES of the marks are those of the classes, the others are clutter."""
    images = 0.1 * torch.randn(count, 1, SIZE, SIZE, generator=generator)
    classes = torch.randint(CLASSES, (count,), generator=generator)
    for image, label in zip(images, classes):
        kinds = torch.randint(CLASSES, len(marks), (MARKS,), generator=generator)
        kinds[-1] = label  # drawn last: nothing hides it
        for kind, (y, x) in zip(kinds, torch.randint(SIZE - 2, (MARKS, 2), generator=generator).tolist()):
            image[0, y:y + 3, x:x + 3] = marks[kind]
    return images, classes


def make_network(pooling: nn.Module) -> nn.Module:
    return nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 32, 1), nn.ReLU(),
                         pooling, nn.Flatten(), nn.BatchNorm1d(32), nn.Linear(32, CLASSES))


def accuracy_after_training(pooling: nn.Module, train: Tuple[Tensor, Tensor], test: Tuple[Tensor, Tensor],
                            epochs: int = 10) -> float:
    network = make_network(pooling)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    images, classes = train
    for _ in range(epochs):
        for batch in torch.randperm(len(images)).reshape(-1, 50):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(network(images[batch]), classes[batch])
            loss.backward()
            optimizer.step()
    network.eval()
    with torch.no_grad():
        return float((network(test[0]).argmax(1) == test[1]).float().mean())


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'top-1 accuracy':22}" + "".join(f"  seed {seed}" for seed in range(3)) + "    mean  seconds")
    generator = torch.Generator().manual_seed(0)
    marks = (torch.rand(CLASSES + CLUTTER, 3, 3, generator=generator) < 0.5).float()
    train, test = (make_images(count, marks, generator) for count in (1000, 500))
    for name, make in POOLINGS.items():
        begin, found = time.time(), []
        for seed in range(3):
            torch.manual_seed(seed)
            pooling = make()
            found.append(accuracy_after_training(pooling, train, test))
        print(f"{name:22}" + "".join(f"  {accuracy:6.1%}" for accuracy in found) +
              f"  {sum(found) / 3:6.1%}  {time.time() - begin:7.1f}" +
              (f"  {pooling}" if isinstance(pooling, GeneralizedMaxPool2d) else ""), flush=True)
    print(f"{'chance':22}{'':24}  {1 / CLASSES:6.1%}")


if __name__ == "__main__":
    main()
