"""What the program reads as a whole: how it is made, damaged and used again, one class for each kind."""
import io
import json
import shutil
import signal
import subprocess
import time

import numpy as np

from mutate import mutate

LEARN = ["--gaussians", "4", "--samples", "1000", "--pca-dimensions", "8", "--scales", "1", "--quiet"]
TRAIN = ["--gaussians", "4", "--samples", "1000", "--sift-patch", "16", "--scales", "1", "--descriptor", "sift",
         "--quiet"]


def paint(judge, images=3):
    judge.make("synth", "photos", "--classes", "2", "--images", str(images), "--width", "64", "--height", "64",
               "--quiet")


def images_of(folder):
    return sorted(path for path in (folder / "photos").rglob("*.png"))


def damage(folder, name, rng):
    (folder / name).write_bytes(mutate((folder / name).read_bytes(), rng))
    return [name]


def damage_one(folder, rng):
    """Damages a file below the folder, and gives its name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size > 0)
    path = rng.choice(files)
    path.write_bytes(mutate(path.read_bytes(), rng, rng.choice(files).read_bytes()))
    return path.name


def expect_finite(judge, path):
    try:
        values = np.load(io.BytesIO(path.read_bytes()))
    except ValueError as error:
        judge.wrong.append(f"{path.name} is not an array: {error}")
        return
    if not np.isfinite(values).all():
        judge.wrong.append(f"{path.name} holds what is not finite")


class Kind:
    """prepare() fills an empty folder; damage() damages a copy of it, and use() runs the program there."""

    name = ""

    def prepare(self, judge, folder):
        raise NotImplementedError

    def damage(self, folder, rng):
        """The names of which an error must have one; the first is that of the damaged file."""
        raise NotImplementedError

    def use(self, judge, folder, names):
        raise NotImplementedError


class Store(Kind):
    name = "store"
    encode = ["encode", "photos", "-o", "st/", "--vocabulary", "v.safetensors", "--images-per-shard", "2", "--quiet"]

    def prepare(self, judge, folder):
        paint(judge)
        judge.make("learn", "photos", "-o", "v.safetensors", *LEARN)
        judge.make(*self.encode)

    def damage(self, folder, rng):
        return [damage_one(folder / "st", rng), "st"]

    def use(self, judge, folder, names):
        judge.run(["info", "st"], names)
        if judge.run(self.encode, names) == 0:
            for path in (folder / "st").glob("*.npy"):
                expect_finite(judge, path)


class WorkFolder(Kind):
    """Of a run that was killed when there was something to resume from; the same command resumes it."""

    command, output = [], ""
    also = []  # what else an error may name

    def ready(self, work):
        raise NotImplementedError

    def prepare(self, judge, folder):
        paint(judge, images=4)
        for _ in range(200):
            process = subprocess.Popen([judge.alcedo, *self.command], cwd=folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            while process.poll() is None and not self.ready(folder / "work-folder"):
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            # Killed too late, the output is there, or half of it under the name of a temporary file.
            written = [*folder.glob(self.output), *folder.glob(f".{self.output}.tmp-*")]
            if not written and self.ready(folder / "work-folder"):
                return
            for path in written:
                path.unlink()
        raise SystemExit(f"program_mutations: {self.name}: no run could be killed in time")

    def damage(self, folder, rng):
        return [damage_one(folder / "work-folder", rng), "work-folder", *self.also]

    def use(self, judge, folder, names):
        judge.run(self.command, names, self.output)


class LearnWork(WorkFolder):
    name = "learn-work"
    command = ["learn", "photos", "-o", "v.safetensors", "--work", "work-folder", *LEARN, "--gmm-tolerance", "0"]
    output = "v.safetensors"
    also = ["samples", "rows"]  # values that cannot be: their row is named

    def ready(self, work):
        """All samples are drawn."""
        try:
            return json.loads((work / "progress.json").read_text())["sampling"]["next_image"] == 8
        except (OSError, ValueError):
            return False


class TrainWork(WorkFolder):
    name = "train-work"
    command = ["train", "photos", "-o", "m.safetensors", "--work", "work-folder", *TRAIN]
    output = "m.safetensors"

    def ready(self, work):
        """Vectors are being stored."""
        try:
            return any(work.rglob("shard-*.json"))
        except OSError:  # a folder came or went while it was being listed
            return False


class ReproduceWork(Kind):
    name = "reproduce-work"
    command = ["reproduce", "--data", "photos", "--dataset", "folder", "--lite", "--table", "2", "--lambdas", "10",
               "--relative-lambdas", "1", "--powers", "0.5", "--c", "1", "--folds", "2", "-o", "rep", *TRAIN]

    def prepare(self, judge, folder):
        paint(judge, images=4)
        judge.make(*self.command, "--keep-vectors")

    def damage(self, folder, rng):
        return [damage_one(folder / "rep" / "work", rng), "rep"]

    def use(self, judge, folder, names):
        for path in (folder / "rep").iterdir():
            if path.is_file():
                path.unlink()
        judge.run([*self.command, "--keep-vectors"], names, "rep/results.json")


class Model(Kind):
    name = "model"

    def prepare(self, judge, folder):
        paint(judge, images=4)
        judge.make("train", "photos", "-o", "m.safetensors", "--probabilities", *TRAIN)
        for path in images_of(folder)[2:]:
            path.unlink()

    def damage(self, folder, rng):
        return damage(folder, "m.safetensors", rng)

    def use(self, judge, folder, names):
        judge.run(["classify", "m.safetensors", "photos", "--format", "jsonl", "--quiet"], names)


class Vocabulary(Kind):
    name = "vocabulary"

    def prepare(self, judge, folder):
        paint(judge, images=1)
        judge.make("learn", "photos", "-o", "v.safetensors", *LEARN)

    def damage(self, folder, rng):
        return damage(folder, "v.safetensors", rng)

    def use(self, judge, folder, names):
        command = ["encode", "photos", "-o", "out.npy", "--vocabulary", "v.safetensors", "--quiet"]
        if judge.run(command, names, "out.npy") == 0:
            expect_finite(judge, folder / "out.npy")


class Images(Kind):
    """Many damaged images beside good ones: those are encoded as if they were alone."""

    name = "images"
    batch = 20

    def prepare(self, judge, folder):
        paint(judge)
        judge.make("learn", "photos", "-o", "v.safetensors", *LEARN)
        judge.make("encode", "photos", "-o", "good.npy", "--vocabulary", "v.safetensors", "--quiet")

    def damage(self, folder, rng):
        images = images_of(folder)
        for number in range(self.batch):
            data = mutate(rng.choice(images).read_bytes(), rng, rng.choice(images).read_bytes())
            (folder / "photos" / f"zz{number:03}.png").write_bytes(data)
        return ["photos"]

    def use(self, judge, folder, names):
        command = ["encode", "photos", "-o", "out.npy", "--vocabulary", "v.safetensors", "--quiet"]
        if judge.run(command, names, "out.npy") not in (0, 3):
            judge.wrong.append("bad images stop the others")
            return
        expect_finite(judge, folder / "out.npy")
        good, all_of_them = np.load(folder / "good.npy"), np.load(folder / "out.npy")
        if not np.array_equal(all_of_them[:len(good)], good):
            judge.wrong.append("bad images change the rows of good ones")


class Regions(Kind):
    """A table of boxes, or a mask."""

    name = "boxes-and-masks"

    def prepare(self, judge, folder):
        paint(judge, images=1)
        first = images_of(folder)[0]
        shutil.copy(first, folder / "a.png")
        (folder / "boxes.csv").write_text("image,x,y,width,height\r\na.png,10,12,30,20.5\r\na.png,1,2,3,4\r\n")
        shutil.copy(first, folder / "mask.png")

    def damage(self, folder, rng):
        return damage(folder, rng.choice(["boxes.csv", "mask.png"]), rng) + ["a.png"]

    def use(self, judge, folder, names):
        region = ["--mask", "mask.png"] if "mask.png" in names else ["--boxes", "boxes.csv"]
        if judge.run(["weights", "a.png", *region, "--csv", "out.csv", "--quiet"], names) == 0:
            text = (folder / "out.csv").read_text(encoding="utf-8").lower()
            if "nan" in text or "inf" in text:
                judge.wrong.append("out.csv holds what is not finite")


class Arrays(Kind):
    """Rows, and the arrays that say which block and which bag a row belongs to."""

    name = "arrays"

    def prepare(self, judge, folder):
        rng = np.random.default_rng(1)
        np.save(folder / "x.npy", rng.standard_normal((12, 4)).astype("f4"))
        np.savez(folder / "x.npz", a=rng.standard_normal((5, 4)).astype("f8"), b=np.ones((3, 4), "f2"))
        np.save(folder / "blocks.npy", rng.integers(0, 3, 12))
        np.save(folder / "offsets.npy", np.array([0, 5, 9, 12]))

    def damage(self, folder, rng):
        return damage(folder, rng.choice(["x.npy", "x.npz", "blocks.npy", "offsets.npy"]), rng) + ["x.npy"]

    def use(self, judge, folder, names):
        more = {"blocks.npy": ["--blocks", "blocks.npy", "--num-blocks", "3"],
                "offsets.npy": ["--offsets", "offsets.npy"]}.get(names[0] if names else "", [])
        rows = "x.npz" if "x.npz" in names else "x.npy"
        if judge.run(["pool", rows, "-o", "out.npy", "--quiet", *more], names, "out.npy") in (0, 3):
            expect_finite(judge, folder / "out.npy")


class PoolFolder(Kind):
    """alcedo.json, the options of a folder of vectors."""

    name = "alcedo-json"
    command = ["pool", "bags", "-o", "out/", "--quiet"]

    def prepare(self, judge, folder):
        (folder / "bags").mkdir()
        for name in "ab":
            np.save(folder / "bags" / f"{name}.npy", np.random.default_rng(2).standard_normal((6, 3)).astype("f4"))
        judge.make(*self.command)

    def damage(self, folder, rng):
        return damage(folder, "out/alcedo.json", rng) + ["out"]

    def use(self, judge, folder, names):
        judge.run([*self.command, "--resume"], names)


class SynthFolder(Kind):
    name = "synth-json"
    command = ["synth", "photos", "--classes", "2", "--images", "1", "--width", "64", "--height", "64", "--quiet"]

    def prepare(self, judge, folder):
        judge.make(*self.command)

    def damage(self, folder, rng):
        return damage(folder, "photos/synth.json", rng) + ["photos"]

    def use(self, judge, folder, names):
        judge.run(self.command, names)


class ImageLists(Kind):
    name = "list"

    def prepare(self, judge, folder):
        paint(judge, images=1)
        names = [str(path.relative_to(folder)) for path in images_of(folder)]
        (folder / "list.txt").write_text("\n".join([*names, "photos", ""]))
        judge.make("learn", "photos", "-o", "v.safetensors", *LEARN)

    def damage(self, folder, rng):
        # An input that is not there is a bad image; if all are, the sentence is about all of them.
        return damage(folder, "list.txt", rng) + ["photos", "images"]

    def use(self, judge, folder, names):
        text = (folder / "list.txt").read_bytes()
        if text.startswith(b"/") or b"\n/" in text or b".." in text:
            return  # it would list the whole disk
        command = ["encode", "--list", "list.txt", "-o", "out.npy", "--vocabulary", "v.safetensors", "--quiet"]
        if judge.run(command, names) == 0:
            expect_finite(judge, folder / "out.npy")


class Configs(Kind):
    """TOML and JSON, for encode."""

    name = "config"

    def prepare(self, judge, folder):
        paint(judge, images=1)
        for path in images_of(folder)[1:]:
            path.unlink()
        judge.make("learn", "photos", "-o", "v.safetensors", *LEARN)
        (folder / "c.toml").write_text('vocabulary = "v.safetensors"\nlambda = [1, 10]\npower = 0.5\nl2 = true\n'
                                       'pooling = "gmp"\n[grid]\nstep = 4\n[image]\nmax_pixels = 4000\n')
        (folder / "c.json").write_text('{"vocabulary": "v.safetensors", "lambda": [1, 10], "power": 0.5, "l2": true,\n'
                                       ' "pyramid": "1,3x1", "image": {"max_pixels": 4000}}\n')

    def damage(self, folder, rng):
        # A value that is out of range is named by its option.
        return damage(folder, rng.choice(["c.toml", "c.json"]), rng) + ["--", "vocabulary", "option", "pyramid"]

    def use(self, judge, folder, names):
        command = ["encode", "photos", "-o", "out.npy", "--config", names[0] if names else "c.toml", "--quiet"]
        if judge.run(command, names, "out.npy") == 0:
            expect_finite(judge, folder / "out.npy")


TYPES = [Store(), LearnWork(), TrainWork(), ReproduceWork(), Model(), Vocabulary(), Images(), Regions(), Arrays(),
         PoolFolder(), SynthFolder(), ImageLists(), Configs()]
