#!/usr/bin/env python3
"""Damages files of every kind for hours, a slice of each kind in turn; resumes where it was stopped.

usage: long_campaign.py --alcedo PROGRAM --mutations PROGRAM --state FOLDER [--hours H] [--seed S] [--types A,B]
                        [--publish]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import published

HERE = pathlib.Path(__file__).resolve().parent
IN_PROCESS, PROGRAM = 2000, 20  # cases of a slice
COUNTS = ("mutants", "read", "refused", "failed")


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = pathlib.Path(arguments.state)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file = self.folder / f"seed-{arguments.seed}.json"
        self.tallies = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.levels = {"library": [arguments.mutations],
                       "program": [sys.executable, str(HERE / "program_mutations.py"), "--alcedo", arguments.alcedo,
                                   "--keep", str(self.folder / "failed")]}

    def types(self):
        """(level, type) of all there are, or of those wanted."""
        wanted = set(self.arguments.types.split(",")) if self.arguments.types else None
        found = []
        for level, command in self.levels.items():
            names = subprocess.run([*command, "--list"], check=True, capture_output=True, text=True).stdout.split()
            found += [(level, name) for name in names if wanted is None or name in wanted or f"{level}/{name}" in wanted]
        if not found:
            raise SystemExit("campaign: there are no such types")
        return found

    def slice(self, level, name):
        tally = self.tallies.setdefault(level, {}).setdefault(name, {**dict.fromkeys(COUNTS, 0), "next": 0})
        count = IN_PROCESS if level == "library" else PROGRAM
        result = self.folder / "slice.json"
        result.unlink(missing_ok=True)
        with open(self.folder / "failures.log", "a", encoding="utf-8") as log:
            done = subprocess.run([*self.levels[level], "--types", name, "--seed", str(self.arguments.seed), "--first",
                                   str(tally["next"]), "--count", str(count), "--json", str(result)],
                                  stdout=subprocess.DEVNULL, stderr=log)
        if not result.exists():
            raise SystemExit(f"campaign: {level} {name}: exit code {done.returncode}; see {self.folder}/failures.log")
        counts = json.loads(result.read_text())[name]
        for key in COUNTS:
            tally[key] += counts[key]
        tally["next"] += count
        self.save()

    def save(self):
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.tallies, indent=1) + "\n")
        new.replace(self.file)

    def run(self):
        types = self.types()
        end = time.monotonic() + 3600 * self.arguments.hours
        while True:
            for level, name in types:
                if time.monotonic() >= end:
                    return
                self.slice(level, name)
                if sys.stderr.isatty():
                    all_of_them = sum(t["mutants"] for level in self.tallies.values() for t in level.values())
                    print(f"\r{all_of_them:,} mutants, {max(0, end - time.monotonic()) / 60:.0f} minutes left ",
                          end="", file=sys.stderr, flush=True)

    def table(self):
        lines = [f"{'':40}" + "".join(f"{key:>12}" for key in COUNTS)]
        for level, tallies in self.tallies.items():
            lines += [f"{level + ' ' + name:40}" + "".join(f"{tally[key]:12,}" for key in COUNTS)
                      for name, tally in tallies.items()]
        return "\n".join(lines)

    def failed(self):
        return sum(tally["failed"] for level in self.tallies.values() for tally in level.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alcedo", required=True)
    parser.add_argument("--mutations", required=True)
    parser.add_argument("--state", required=True)
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--types", default="")
    parser.add_argument("--publish", action="store_true")
    campaign = Campaign(parser.parse_args())
    try:
        campaign.run()
    except KeyboardInterrupt:
        print("\nstopped; the same command resumes it", file=sys.stderr)
    print(campaign.table())
    if campaign.failed():
        print(f"{campaign.failed()} failed: see {campaign.folder}/failures.log, which has a line to replay each")
    print(f"counts: {campaign.file}")
    if campaign.arguments.publish:
        published.publish("mutations", {level: {name: {key: tally[key] for key in COUNTS}
                                                for name, tally in tallies.items()}
                                        for level, tallies in campaign.tallies.items()})
    return 1 if campaign.failed() else 0


if __name__ == "__main__":
    sys.exit(main())
