#!/usr/bin/env python3
"""Runs every example that the help of the program prints, in a folder that has the files they name.

usage: run_help_examples.py --alcedo PROGRAM
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import inputs
import run_blocks

# Examples that cannot be run here, and why.
NOT_RUN = {
    "alcedo reproduce --data datasets/ -o results": "needs the datasets of the paper",
    "alcedo reproduce --data datasets/ --dataset flowers --table 2 --seeds 2 -o flowers": "needs Oxford 102 Flowers",
    "source <(alcedo completion zsh)": "is for zsh, in which the tests of completion run it",
    "alcedo weights --dataset CUB_200_2011/ --csv shares.csv": "needs CUB-200-2011",
}


def help_of(env, *command):
    return subprocess.run(["alcedo", *command, "--help"], env=env, text=True, check=True,
                          stdout=subprocess.PIPE).stdout


def commands_of(text):
    """The names in the list of commands."""
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.M)
    return re.findall(r"^  (\w[\w-]*)  ", listed[1], re.M)


def examples_of(text):
    """Lists of commands: a comment begins a new list, which does not lean on those before it."""
    block = re.search(r"^Examples:\n((?:  .*\n?)+)", text, re.M)
    groups = [[]]
    for line in (block[1].splitlines() if block else []):
        if line.strip().startswith("#"):
            groups.append([])
        else:
            groups[-1].append(line.strip())
    return [group for group in groups if group]


def run_examples(name, group, env, given, folder):
    """What failed, in words, or None."""
    subprocess.run(["cp", "-r", given, folder], check=True)
    for written in re.findall(r"(?: -o | synth )(\S+)", "\n".join(group)):  # what an example writes is not there before it
        subprocess.run(["rm", "-rf", folder / written], check=True)
    for example in group:
        if example in NOT_RUN:
            print(f"{name}: not run, {NOT_RUN[example]}: {example}")
            continue
        home = folder / "home"  # some examples write there
        (home / ".config/fish/completions").mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", example], cwd=folder, env=env | {"HOME": str(home)}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace")
        if done.returncode != 0:
            return f"{name}: exit code {done.returncode} of the example '{example}'\n{done.stdout}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alcedo", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    failures, found = [], set()
    with tempfile.TemporaryDirectory(prefix="alcedo-help-") as scratch:
        scratch = pathlib.Path(scratch)
        env = run_blocks.environment(arguments.alcedo.resolve(), scratch / "bin")
        (scratch / "inputs").mkdir()
        inputs.make(scratch / "inputs", env)
        subprocess.run(["alcedo", "encode", "photos/", "--quiet", "-o", "features/"], cwd=scratch / "inputs", env=env, check=True)
        main_help = help_of(env)
        commands = commands_of(main_help)
        for command in [None, *commands]:
            name = f"alcedo {command} --help" if command else "alcedo --help"
            groups = examples_of(help_of(env, command) if command else main_help)
            for number, group in enumerate(groups):
                found.update(group)
                failure = run_examples(name, group, env, scratch / "inputs", scratch / f"{command}-{number}")
                if failure:
                    failures.append(failure)
            print(f"{name}: {sum(map(len, groups))} examples")
    for example in NOT_RUN:
        if example not in found and re.search(r"alcedo (\w+)", example)[1] in commands:
            failures.append(f"'{example}' is not in any help; take it out of NOT_RUN")
    if not found:
        failures.append("no help has an example")
    print("\n".join(failures), file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
