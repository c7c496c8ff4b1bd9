"""A user's program, for mypy --strict and never run: what is right must pass, and what is wrong must be seen.

A line of `type: ignore` that no longer hides a mistake is an error of --strict.
"""
import pathlib
from typing import List, Tuple

import numpy as np
from numpy.typing import NDArray

import alcedo

rows: NDArray[np.float32] = np.ones((10, 4), np.float32)
words = np.zeros(10, dtype=np.int32)
image = np.zeros((60, 80, 3), np.uint8)


def pooled() -> Tuple[float, ...]:
    vector = alcedo.pool(rows, lambda_=0.5, solver="cg", tolerance=1e-8)
    path = alcedo.pool([rows, rows[:3]], lambda_=[0.1, 1, 10], power=0.5, l2=True, dtype="float64", threads=1)
    ragged = alcedo.pool(rows, "lp", p=3, keep_sign=True, offsets=[0, 4, 10], progress=lambda done, of: print(done, of))
    blocks = alcedo.pool(rows, "mean", blocks=words, num_blocks=16, dtype=np.float32)
    values, reports = alcedo.pool([[1.0, 2.0], [3.0, 4.0]], return_reports=True)
    normalized = alcedo.l2_normalize(alcedo.power_normalize(vector, 0.5))
    cells = alcedo.spatial_pyramid(rows, np.zeros((10, 2)), "1,2x2", lambda_=1, accuracy=1e-8)
    return (float(vector.sum()), float(path[0, 0]), reports[0][0].residual, ragged.mean().item(), blocks.max().item(),
            values.shape[0], normalized[0].item(), cells[0].item())


def weighted() -> Tuple[NDArray[np.float64], List[NDArray[np.float64]]]:
    one = alcedo.gmp_weights(rows, lambda_=1, nonnegative=True)
    many = alcedo.gmp_weights([rows, rows[:3]])
    more = alcedo.gmp_weights(rows, offsets=[0, 10])
    weights, reports = alcedo.gmp_weights(rows, return_reports=True)
    print(reports[0].converged, [len(bag) for bag in more], alcedo.democratic(rows, gamma=0.5))
    kernel, report = alcedo.weights_from_kernel(rows @ rows.T, lambda_=2, return_report=True)
    return one + weights + kernel + report.lambda_, many


def streamed() -> NDArray[np.float64]:
    stream = alcedo.GmpAccumulator(4, several_blocks_per_row=True)
    stream.add(rows)
    stream.merge(stream)
    return stream.result(lambda_=[1, 2], solver="direct") + len(stream) + stream.sum()


def encoded() -> str:
    codebook = alcedo.Codebook.fit(rows, clusters=2, max_iterations=5, seed=1)
    vocabulary = alcedo.Vocabulary.fit(rows, "gmm", pca=2, gaussians=2)
    fisher = alcedo.Encoder(vocabulary, "fv", assignment="soft")
    vlad = alcedo.Encoder(codebook, "vlad", residual_l2=True)
    vocabulary.save("vocabulary.safetensors")
    both = alcedo.pool([rows], encoder=vlad), alcedo.Encodings.from_dense(rows).to_dense(), codebook.centers[0]
    mixture = alcedo.GaussianMixture(np.ones(1), np.zeros((1, 4)), np.ones((1, 4)))
    iterations = codebook.report.iterations if codebook.report is not None else 0
    sift = alcedo.Vocabulary.load("sift")
    alcedo.ImageEncoder(alcedo.Vocabulary.fit(rows, descriptor="color", describe={"scales": 1}), relative=None)
    alcedo.describe(open("image.png", "rb"))
    return f"{fisher.name} {fisher.dimension} {both} {mixture.means.shape} {iterations} {sift.kind}"


def described() -> Tuple[NDArray[np.float64], int]:
    found = alcedo.describe(image, scales=1, root=True, max_pixels=0)
    color = alcedo.describe(pathlib.Path("a.jpg"), "color", threads=2, mirror=True)
    cells = alcedo.spatial_pyramid(found, found.positions, "1,2x2", "mean")
    return found.positions + color.positions, len(found) + cells.size + found.values.shape[1]


def from_images() -> float:
    encoder = alcedo.ImageEncoder("sift", lambda_=[1, 10], power=0.5, l2=True, encoder="vlad", dtype="f8",
                                  grid={"scales": 3}, vlad={"residual_l2": True}, gmp={"solver": "cg"})
    vectors, failures = encoder.encode([image, "b.png", b"GIF89a"], return_failures=True, progress=True)
    both = encoder.encode(image) + encoder.encode(open(name, "rb").read() for name in ("a.png", "b.png"))
    weights, patches = encoder.weights("a.png")
    maps = encoder.weight_map(image, rule="mean", size=(30, 40))
    again = alcedo.ImageEncoder(**encoder.config)
    reason = failures[0].upper() + encoder.vocabulary.kind
    return float(vectors[0] @ both[0] + weights.sum() + patches[0, 2] + maps.max()) + again.dimension + len(reason)


def classified() -> str:
    model = alcedo.load_model(pathlib.Path("model.safetensors"))
    names: List[str] = model.predict([image, image])
    some, failures = model.predict(["a.png"], return_failures=True)
    one, reasons = model.predict(image, return_failures=True)
    scores, also = model.scores(image, return_failures=True)
    known = [name for name in (*some, one) if name is not None] + [str(model.probabilities([image]).max())]
    return model.predict("a.png").upper() + names[0] + "".join(known) + str([scores, failures, reasons, also])


def stored() -> Tuple[int, ...]:
    with alcedo.open_store("vectors") as store:
        vectors = store[2:10] + store["a.jpg"] + store[["a.jpg", "b.jpg"]] + store[np.arange(3)] + store[...]
        number = float(store[3, 0]) + sum(float(row.sum()) for row in store)
        print(store.names[0].upper(), store.config["config"], store.missing, store.failures, np.asarray(store), number)
        return (*vectors.shape, *store.shape, store.dtype.itemsize, store.ndim)


def listed() -> List[str]:
    dataset = alcedo.read_dataset("photos", "folder", test_fraction=0.1, seed=3)
    boxes = [x + y + width + height for x, y, width, height in dataset.boxes[0]]
    targets = dataset.targets.sum() if dataset.targets is not None else 0
    return [dataset.names[i] for i in dataset.numbers("test")] + [f"{boxes} {targets} {dataset.labels[:2]}"]


def refused() -> str:
    try:
        alcedo.pool(rows, lambda_=-1)
    except alcedo.InvalidArgument as error:
        return error.option + error.rule + error.value + error.hint
    return ""


alcedo.pool(rows, "gpm")  # type: ignore[call-overload]
alcedo.pool(rows, solver="cgg")  # type: ignore[call-overload]
alcedo.pool(rows, lamda=1)  # type: ignore[call-overload]
alcedo.pool(rows, p="three")  # type: ignore[call-overload]
alcedo.gmp_weights(rows, beta=1.0)  # type: ignore[call-overload]
alcedo.Encoder("sift", "fv")  # type: ignore[arg-type]
alcedo.Codebook.fit(rows, gaussians=2)  # type: ignore[call-arg]
alcedo.GmpAccumulator("4")  # type: ignore[arg-type]
alcedo.Encodings.from_dense(rows).transpose()  # type: ignore[attr-defined]
alcedo.describe(image, scale=1)  # type: ignore[call-arg]
alcedo.describe(image, "colour")  # type: ignore[arg-type]
alcedo.describe(3)  # type: ignore[arg-type]
alcedo.ImageEncoder("sift", encoder="fw")  # type: ignore[arg-type]
alcedo.ImageEncoder("sift", grid={"stepp": 3})  # type: ignore[typeddict-item]
alcedo.ImageEncoder("sift").weight_map(image, rule="summ")  # type: ignore[arg-type]
alcedo.load_model("model.safetensors").predict([image]).upper()  # type: ignore[attr-defined]
alcedo.open_store("vectors")[2.0]  # type: ignore[call-overload]
alcedo.read_dataset("photos").numbers("tests")  # type: ignore[arg-type]
alcedo.read_dataset("photos", fraction=0.1)  # type: ignore[call-arg]
