#!/usr/bin/env python3
"""Kills encode, learn, train and reproduce with SIGKILL at random moments, resumes them, and compares bytes.

usage: kills.py --alcedo PROGRAM [--count N] [--seed S] [--jobs A,B] [--json FILE] [--publish]

Each round begins with nothing, kills the command several times, and lets it end. What it leaves must be what an
undisturbed run leaves, byte for byte; of reproduce results.csv, and results.json without times and memory. After each kill,
what has its final name must be whole. The moments are spread over the length of an undisturbed run. It ends when N
kills have landed: a run that was faster than its kill does not count.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import published

SMALL = ["--gaussians", "4", "--samples", "1000", "--sift-patch", "16", "--scales", "2"]
LEARN = ["--gaussians", "4", "--samples", "2000", "--pca-dimensions", "16", "--scales", "2"]
MOST_KILLS_OF_A_ROUND = 6


class Job:
    """A command whose outputs are below `out`, and which files of them count."""

    def __init__(self, name, share, arguments):
        self.name, self.share, self.arguments = name, share, arguments
        self.exit_code = None  # of an undisturbed run

    def final(self, folder):
        """What an undisturbed run leaves: the bytes of every file. A killed process cannot remove the hidden file that
        it was writing (.NAME.tmp-...), which never gets a final name."""
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
                if path.is_file() and not (path.name.startswith(".") and ".tmp-" in path.name)}

    def whole(self, folder):
        """The files that must be whole at any time."""
        return self.final(folder) if folder.exists() else {}


class EncodeJob(Job):
    def whole(self, folder):
        # index.csv and failures.csv tell what there is so far; an array counts when its record is there.
        files = super().whole(folder)
        return {name: data for name, data in files.items()
                if name.endswith("store.json") or (pathlib.Path(name).name.startswith("shard-") and
                                                   name.rsplit(".", 1)[0] + ".json" in files)}


class FileJob(Job):
    def whole(self, folder):
        return {name: data for name, data in super().whole(folder).items() if "/" not in name and name[0] != "."}


class ReproduceJob(Job):
    def results(self, folder, **known):
        files = {"results.csv": (folder / "results.csv").read_bytes()} if (folder / "results.csv").exists() else {}
        if (folder / "results.json").exists():
            results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
            for measured in ("timings", "peak_memory"):
                del results[measured]
            files["results.json"] = json.dumps({**results, **known}).encode()
        return files

    def final(self, folder):
        return self.results(folder)

    def whole(self, folder):
        # Written after each dataset, and again when all are there: there is one here.
        return self.results(folder, complete=True)


JOBS = [
    EncodeJob("encode", 4, ["encode", "photos", "-o", "out/store", "--vocabulary", "v.safetensors",
                            "--images-per-shard", "2", "--lambda", "1,10"]),
    FileJob("learn", 3, ["learn", "photos", "-o", "out/v.safetensors"] + LEARN),
    # Long enough for checkpoints of its iterations, which are two seconds apart.
    FileJob("learn-long", 0.2, ["learn", "photos", "-o", "out/v.safetensors", "--kind", "dictionary", "--atoms", "64",
                                "--samples", "20000", "--pca-dimensions", "32", "--dictionary-tolerance", "0"]),
    FileJob("train", 3, ["train", "photos", "--all", "-o", "out/m.safetensors"] + SMALL),
    ReproduceJob("reproduce", 2, ["reproduce", "--data", "photos", "--dataset", "folder", "--lite", "--table", "2",
                                  "--descriptor", "sift", "--lambdas", "10", "--relative-lambdas", "1", "--powers",
                                  "0.5", "--c", "1", "--folds", "2", "-o", "out"] + SMALL),
]


class Killer:
    def __init__(self, alcedo, folder, rng):
        self.alcedo, self.folder, self.rng = alcedo, folder, rng
        self.kills, self.rounds, self.wrong = {}, {}, []
        self.run(["synth", "photos", "--classes", "2", "--images", "8", "--width", "64", "--height", "64"])
        (folder / "photos" / "bad.png").write_bytes(b"this is not an image")
        bird = sorted(p for p in (folder / "photos").iterdir() if p.is_dir())[0]
        (bird / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
        self.run(["learn", "photos", "-o", "v.safetensors"] + LEARN)

    def command(self, arguments):
        return [self.alcedo, *arguments, "--threads", "2"]

    def run(self, arguments):
        """0, or 3: the bad images were left out."""
        done = subprocess.run(self.command(arguments), cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            raise SystemExit(f"kills: {' '.join(arguments)}: exit code {done.returncode}: {done.stderr.strip()}")
        return done.returncode

    def fresh(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir()

    def undisturbed(self, job):
        self.fresh()
        begin = time.monotonic()
        job.exit_code = self.run(job.arguments)
        seconds = time.monotonic() - begin
        final = job.final(self.folder / "out")
        assert final, job.name
        return final, seconds

    def start_and_kill(self, job, seconds):
        """Whether the kill landed; the exit code of a run that was faster."""
        with open(self.folder / "stderr", "wb") as stderr:
            process = subprocess.Popen(self.command(job.arguments), cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=stderr)
            try:
                process.wait(self.rng.uniform(0, seconds))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
        return process.returncode

    def complain(self, job, what):
        self.wrong.append(f"{job.name}: {what}; round {self.rounds[job.name]} of its kind")
        print(f"kills: {self.wrong[-1]}", file=sys.stderr, flush=True)

    def round(self, job, final, seconds, wanted):
        """Kills until the command has ended, at most so many times. How many kills landed."""
        self.fresh()
        self.rounds[job.name] = self.rounds.get(job.name, 0) + 1
        landed = 0
        code = -signal.SIGKILL
        while landed < min(wanted, MOST_KILLS_OF_A_ROUND):
            code = self.start_and_kill(job, seconds)
            if code != -signal.SIGKILL:
                break
            landed += 1
            for name, data in job.whole(self.folder / "out").items():
                if final.get(name) != data:
                    self.complain(job, f"{name} has its final name and is not whole")
        if code == -signal.SIGKILL:
            done = subprocess.run(self.command(job.arguments), cwd=self.folder, capture_output=True)
            code = done.returncode
        if code != job.exit_code:
            self.complain(job, f"exit code {code} after a resume: {self.stderr_tail()}")
        else:
            left = job.final(self.folder / "out")
            names = sorted(n for n in final.keys() | left.keys() if final.get(n) != left.get(n))
            if names:
                self.complain(job, f"after {landed} kills these differ from an undisturbed run: {', '.join(names)}")
        self.kills[job.name] = self.kills.get(job.name, 0) + landed
        return landed

    def stderr_tail(self):
        return (self.folder / "stderr").read_text(errors="replace").strip()[-300:]


def campaign(alcedo, count, seed, jobs, progress=False):
    rng = random.Random(seed)
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="alcedo_kills_", dir=base) as folder:
        killer = Killer(alcedo, pathlib.Path(folder), rng)
        total = sum(job.share for job in jobs)
        for job in jobs:
            wanted = max(1, round(count * job.share / total))
            final, seconds = killer.undisturbed(job)
            again, _ = killer.undisturbed(job)
            if again != final:
                raise SystemExit(f"kills: two undisturbed runs of {job.name} differ")
            killed, idle = 0, 0
            while killed < wanted:
                landed = killer.round(job, final, seconds, wanted - killed)
                # A measured length that is too long for all kills to land is made shorter.
                idle = 0 if landed else idle + 1
                if idle >= 5:
                    seconds, idle = seconds / 2, 0
                killed += landed
                if progress:
                    print(f"\r{job.name}: {killed} of {wanted} kills", end="", file=sys.stderr, flush=True)
            if progress:
                print(file=sys.stderr)
    return {"kills": killer.kills, "rounds": killer.rounds, "wrong": killer.wrong, "seed": seed}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alcedo", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", default="")
    parser.add_argument("--json")
    parser.add_argument("--publish", action="store_true")
    arguments = parser.parse_args()
    names = arguments.jobs.split(",") if arguments.jobs else [job.name for job in JOBS]
    jobs = [job for job in JOBS if job.name in names]
    if len(jobs) != len(names):
        parser.error(f"there are the jobs {', '.join(job.name for job in JOBS)}")
    result = campaign(str(pathlib.Path(arguments.alcedo).resolve()), arguments.count, arguments.seed, jobs,
                      progress=sys.stderr.isatty())
    for job in result["kills"]:
        print(f"{job:12} {result['kills'][job]:6} kills {result['rounds'][job]:6} rounds")
    print(f"{'all':12} {sum(result['kills'].values()):6} kills {sum(result['rounds'].values()):6} rounds,"
          f" {len(result['wrong'])} wrong")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if arguments.publish:
        published.publish("kills", {job: {"kills": result["kills"][job], "rounds": result["rounds"][job],
                                          "wrong": sum(line.startswith(job + ":") for line in result["wrong"])}
                                    for job in result["kills"]})
    return 1 if result["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
