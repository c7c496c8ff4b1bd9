"""The files that the examples of --help and of the README name, in small: images, arrays, a vocabulary and a model."""
import pathlib
import subprocess

import numpy as np


def image_bytes(rng, kind, width, height):
    """Noise and a pattern that depends on the class, as the bytes of a PPM file."""
    y, x = np.mgrid[:height, :width]
    wave = np.sin((x + y if kind else x - y) * 0.7 + rng.uniform(0, 6))
    samples = 128 + 60 * wave[..., None] + rng.normal(0, 20, (height, width, 3)) + (25, 0, -25)[kind]
    return b"P6 %d %d 255\n" % (width, height) + samples.clip(0, 255).astype(np.uint8).tobytes()


def make_images(folder, rng, kinds, count, width=48, height=40):
    for number, kind in enumerate(kinds):
        (folder / kind).mkdir(parents=True)
        for i in range(count):
            (folder / kind / f"{i}.ppm").write_bytes(image_bytes(rng, number, width, height))


def make(folder, env):
    """Everything; `env` has the program in its PATH."""
    folder = pathlib.Path(folder)
    rng = np.random.default_rng(0)
    make_images(folder / "photos", rng, ["cat", "dog"], 8)
    make_images(folder / "others", rng, ["cat", "dog"], 3)
    make_images(folder / "birds", rng, ["wren", "finch"], 6)
    # The names need not match: the first bytes decide the format.
    for name in ("photo.jpg", "new.jpg", "photos/cat/1.jpg"):
        (folder / name).write_bytes(image_bytes(rng, 0, 48, 40))
    (folder / "bird.jpg").write_bytes(image_bytes(rng, 1, 340, 250))  # large enough for boxes
    names = sorted(str(path.relative_to(folder / "photos")) for path in (folder / "photos").rglob("*.*"))
    (folder / "boxes.csv").write_text("image,x,y,width,height\n" + "".join(f"{name},8,8,24,24\n" for name in names))

    for name in ("tokens", "encodings"):
        (folder / name).mkdir()
        for i in range(6):
            np.save(folder / name / f"{i}.npy", rng.normal(size=(100, 16)).astype(np.float32))
    for kind in ("cat", "dog"):
        (folder / "arrays" / kind).mkdir(parents=True)
        for i in range(4):
            np.save(folder / "arrays" / kind / f"{i}.npy", rng.normal(size=(100, 16)).astype(np.float32))
    np.save(folder / "patches.npy", rng.normal(size=(50, 16)).astype(np.float32))
    np.save(folder / "values.npy", rng.normal(size=(50, 8)).astype(np.float32))
    np.save(folder / "gaussians.npy", rng.integers(0, 256, 50))
    np.save(folder / "tokens.npy", rng.normal(size=(60, 16)).astype(np.float32))
    np.save(folder / "offsets.npy", np.array([0, 10, 25, 60]))

    def run(*words):
        subprocess.run(["alcedo", *words], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    few = ["--samples", "2000", "--gaussians", "4"]
    run("learn", "photos/", *few, "-o", "vocabulary.safetensors")
    run("learn", "photos/", *few, "-o", "v.safetensors")
    run("learn", "tokens/", *few, "--pca-dimensions", "0", "-o", "tokens.safetensors")
    run("train", "photos/", *few, "-o", "model.safetensors")
