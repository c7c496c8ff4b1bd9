#!/usr/bin/env python3
"""Runs the code blocks of Markdown files, each file in a folder of its own, in order, and stops at the first that fails.

usage: run_blocks.py --alcedo PROGRAM [--inputs] [--keep] FILE.md...

console  '$ command' lines are run by bash; the lines below them are what they must print (both streams),
         with ... for anything in a line, and a line of ... for any lines
sh       run as a script that stops at the first error; prints what it likes
pycon    '>>>' lines, as doctest runs them, with one set of names for the whole file
other    not run: text, toml, cpp, python
<!-- not run: REASON --> before a block leaves it out, and says so; so does <!-- needs: MODULE --> if Python lacks it.
--inputs puts the images and arrays of inputs.py into the folder first.
"""
import argparse
import doctest
import os
import pathlib
import subprocess
import sys
import tempfile

import inputs
import markdown_blocks


class Failure(Exception):
    pass


def environment(alcedo, bin_folder):
    """Programs of the user, with this alcedo and this python3 first."""
    bin_folder.mkdir()
    (bin_folder / "alcedo").symlink_to(alcedo)
    (bin_folder / "python3").symlink_to(sys.executable)
    return dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1")


def run_command(command, folder, env, where):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command.text], cwd=folder, env=env, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    shown = f"{where}: {command.text}\n{done.stdout}"
    if done.returncode != 0:
        raise Failure(f"{shown}{where}: it ended with exit code {done.returncode}")
    if command.expected is None:
        return
    expected = list(command.expected)
    while expected and not expected[-1].strip():
        expected.pop()
    if not markdown_blocks.matches(expected, done.stdout.splitlines()):
        raise Failure(f"{shown}{where}: it should print\n" + "\n".join(expected))


def run_python(block, path, folder, names):
    test = doctest.DocTestParser().get_doctest("\n".join(block.lines) + "\n", names, path.name, str(path), block.line - 1)
    output = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    here = os.getcwd()
    os.chdir(folder)
    try:
        results = runner.run(test, out=output.append, clear_globs=False)
    finally:
        os.chdir(here)
    names.update(test.globs)
    if results.attempted == 0:
        raise Failure(f"{path}:{block.line}: a pycon block without >>>")
    if results.failed:
        raise Failure("".join(output))


def run_file(path, alcedo, with_inputs, keep):
    with tempfile.TemporaryDirectory(prefix="alcedo-docs-") as scratch:
        scratch = pathlib.Path(scratch)
        folder = scratch / "here"
        folder.mkdir()
        env = environment(alcedo, scratch / "bin")
        if with_inputs:
            inputs.make(folder, env)
        run, names = 0, {}
        try:
            for block in markdown_blocks.read_blocks(path.read_text(encoding="utf-8")):
                where = f"{path}:{block.line}"
                if block.skip:
                    print(f"{where}: {block.skip}")
                elif block.language == "pycon":
                    run_python(block, path, folder, names)
                    run += 1
                elif block.language in ("console", "sh"):
                    for command in markdown_blocks.read_commands(block):
                        run_command(command, folder, env, f"{path}:{command.line}")
                        run += 1
        finally:
            if keep:
                subprocess.run(["cp", "-r", folder, keep], check=True)
    if run == 0:
        raise Failure(f"{path}: nothing in it was run")
    print(f"{path}: {run} commands and blocks ran")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alcedo", required=True, type=pathlib.Path)
    parser.add_argument("--inputs", action="store_true")
    parser.add_argument("--keep", help="copy the folder there afterwards")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        for path in arguments.files:
            run_file(path, arguments.alcedo.resolve(), arguments.inputs, arguments.keep)
    except (Failure, ValueError) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
