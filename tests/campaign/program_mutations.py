#!/usr/bin/env python3
"""Damages what the program reads, runs the program on it, and judges what it does.

usage: program_mutations.py --alcedo PROGRAM [--types A,B] [--seed S] [--first I] [--count N] [--keep FOLDER]
                            [--json FILE] [--list]

Whatever the damage: an exit code that --help documents, in bounded memory; if it is 1, one sentence that names the
file; no value that is not finite; no half-written file. A failing case prints the command that replays it; --keep
saves its folder.
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from program_cases import TYPES

ADDRESS_SPACE = 3 << 30  # bytes; the program takes a few hundred MiB
CPU_SECONDS = 120  # far more than any case needs, also under sanitizers
MOST_FAILURES = 10  # of a type; the rest of its cases are left out


class Judge:
    """Runs the program in a folder and collects what is wrong."""

    def __init__(self, alcedo, folder, limit_memory=True):
        self.alcedo, self.folder, self.limit_memory = alcedo, folder, limit_memory
        self.wrong = []
        self.refused = False

    def limits(self):
        if self.limit_memory:
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def raw(self, arguments, **more):
        return subprocess.run([self.alcedo, *arguments], cwd=self.folder, capture_output=True, preexec_fn=self.limits,
                              **more)

    def make(self, *arguments, codes=(0,)):
        """For what is prepared: it must succeed."""
        done = self.raw(arguments)
        if done.returncode not in codes:
            raise SystemExit(f"program_mutations: {' '.join(arguments)}: exit code {done.returncode}: "
                             f"{done.stderr.decode(errors='replace').strip()}")

    def run(self, arguments, names, output=None):
        """The exit code of a run on damaged files, of which an error must name one."""
        done = self.raw(arguments)
        code, error = done.returncode, done.stderr.decode(errors="replace")
        what = f"alcedo {' '.join(arguments)}"
        if code not in (0, 1, 2, 3):
            self.wrong.append(f"{what}: exit code {code}: {error.strip()[-300:]}")
        if code in (1, 2):
            self.refused = True
            # One sentence, or one that leads up to a list of bad files.
            first, *rest = error.splitlines() or [""]
            if not first.startswith("alcedo: ") or not all(line.startswith("  ") for line in rest):
                self.wrong.append(f"{what}: not one sentence: {error.strip()[:300]!r}")
            elif not any(name in error for name in names):
                self.wrong.append(f"{what}: the error names none of {names}: {first!r}")
            if output and (self.folder / output).exists():
                self.wrong.append(f"{what}: exit code {code}, but {output} was written")
        if re.search(rb"(?<![A-Za-z_/.])-?(nan|inf)(?![A-Za-z_/.])", done.stdout, re.I):
            self.wrong.append(f"{what}: prints what is not finite")
        for path in self.folder.rglob(".*.tmp-*"):
            self.wrong.append(f"{what}: leaves {path.name} behind")
        return code


def run_case(kind, alcedo, base, seed, number, scratch, limit_memory):
    rng = random.Random(f"{seed}/{kind.name}/{number}")
    folder = scratch / "case"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    judge = Judge(alcedo, folder, limit_memory)
    kind.use(judge, folder, kind.damage(folder, rng))
    return judge


def run_type(kind, arguments, scratch):
    tally = {"mutants": 0, "read": 0, "refused": 0, "failed": 0}
    limit = not arguments.no_memory_limit
    base = scratch / "base"
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir()
    kind.prepare(Judge(arguments.alcedo, base, limit), base)
    sound = Judge(arguments.alcedo, scratch / "sound", limit)
    shutil.copytree(base, sound.folder)
    kind.use(sound, sound.folder, [])
    if sound.wrong or sound.refused:
        raise SystemExit(f"program_mutations: {kind.name}: refused before it is damaged: {sound.wrong}")
    for number in range(arguments.first, arguments.first + arguments.count):
        judge = run_case(kind, arguments.alcedo, base, arguments.seed, number, scratch, limit)
        tally["mutants"] += 1
        tally["failed" if judge.wrong else "refused" if judge.refused else "read"] += 1
        if not judge.wrong:
            continue
        print(f"{kind.name}: {'; '.join(judge.wrong)}\n  replay: {sys.argv[0]} --alcedo {arguments.alcedo}"
              f" --types {kind.name} --seed {arguments.seed} --first {number} --count 1", file=sys.stderr, flush=True)
        if arguments.keep:
            kept = pathlib.Path(arguments.keep) / f"{kind.name}-{arguments.seed}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(scratch / "case", kept)
        if tally["failed"] >= MOST_FAILURES:
            break
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alcedo")
    parser.add_argument("--types", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--keep")
    parser.add_argument("--json")
    parser.add_argument("--no-memory-limit", action="store_true", help="for programs built with sanitizers")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(kind.name for kind in TYPES))
        return 0
    if not arguments.alcedo:
        parser.error("--alcedo PROGRAM is missing")
    arguments.alcedo = str(pathlib.Path(arguments.alcedo).resolve())
    names = arguments.types.split(",") if arguments.types else [kind.name for kind in TYPES]
    unknown = set(names) - {kind.name for kind in TYPES}
    if unknown:
        parser.error(f"there is no type {', '.join(sorted(unknown))}; see --list")
    results = {}
    print(f"{'file':20}{'mutants':>10}{'read':>10}{'refused':>10}{'failed':>10}", flush=True)
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for kind in [kind for kind in TYPES if kind.name in names]:
        with tempfile.TemporaryDirectory(prefix="alcedo_campaign_", dir=shared) as scratch:
            tally = results[kind.name] = run_type(kind, arguments, pathlib.Path(scratch))
        print(f"{kind.name:20}" + "".join(f"{value:10}" for value in tally.values()), flush=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 1 if any(tally["failed"] for tally in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
