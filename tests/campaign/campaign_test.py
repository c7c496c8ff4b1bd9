#!/usr/bin/env python3
"""The campaign's own judges: a program that does what must not be is found out."""
import contextlib
import io
import pathlib
import random
import stat
import tempfile
import unittest

import kills
import mutate
import program_mutations

# Stands for the program: writes its output in one go, or piece by piece under the final name.
FAKE = """#!/bin/sh
command=$1; out=
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
case $command in
  synth) mkdir -p photos/a; exit 0 ;;
esac
{body}
"""
HALVES = 'printf half > "$out"; sleep 0.05; printf whole > "$out"'
AT_ONCE = 'sleep 0.05; printf whole > ".$out.$$"; mv ".$out.$$" "$out"; rm -f .$out.*'
FORGETS = ('if [ -e .mark ]; then rm .mark; printf other > .new; '
           'else touch .mark; sleep 0.05; rm .mark; printf whole > .new; fi; mv .new "$out"')


class Fake(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, body):
        path = pathlib.Path(self.folder.name) / "fake"
        path.write_text(FAKE.format(body=body))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)


class KillsTest(Fake):
    def wrong(self, body):
        job = kills.FileJob("learn", 1, ["learn", "-o", "out/v"])
        body = 'mkdir -p out; cd "$(dirname "$out")"; out=$(basename "$out"); ' + body
        with contextlib.redirect_stderr(io.StringIO()):
            return kills.campaign(self.program(body), 12, 3, [job])

    def test_a_sound_program_is_in_order(self):
        result = self.wrong(AT_ONCE)
        self.assertEqual(result["wrong"], [])
        self.assertGreaterEqual(result["kills"]["learn"], 12)

    def test_a_half_written_file_is_seen(self):
        self.assertTrue(any("not whole" in line for line in self.wrong(HALVES)["wrong"]))

    def test_other_bytes_after_a_resume_are_seen(self):
        self.assertTrue(any("differ" in line for line in self.wrong(FORGETS)["wrong"]))


class JudgeTest(Fake):
    def wrong(self, body, names=("in.npy",), output=None):
        judge = program_mutations.Judge(self.program(body), pathlib.Path(self.folder.name))
        judge.run(["pool", "in.npy"], list(names), output)
        return judge.wrong

    def test_what_is_in_order(self):
        self.assertEqual(self.wrong("exit 0"), [])
        self.assertEqual(self.wrong("echo 'alcedo: in.npy: is empty' >&2; exit 1"), [])
        self.assertEqual(self.wrong("echo 1e-3 information nanometre"), [])

    def test_what_is_not(self):
        for body in ("exit 4", "kill -SEGV $$", "exit 1", "echo 'alcedo: it is empty' >&2; exit 1",
                     "echo 'in.npy' >&2; exit 1", "printf 'alcedo: in.npy: bad\\nand more\\n' >&2; exit 1",
                     "echo '{\"score\": nan}'", "echo 0.5,-inf", "touch .out.npy.tmp-1-2"):
            self.assertEqual(len(self.wrong(body)), 1, body)
            for path in pathlib.Path(self.folder.name).glob(".out*"):
                path.unlink()
        self.assertTrue(self.wrong("touch out.npy; echo 'alcedo: in.npy: bad' >&2; exit 1", output="out.npy"))


class MutateTest(unittest.TestCase):
    def test_the_same_numbers_give_the_same_damage(self):
        data = b'{"shape": [12, 5]}' * 4
        mutants = [mutate.mutate(data, random.Random(i)) for i in range(100)]
        self.assertEqual(mutants, [mutate.mutate(data, random.Random(i)) for i in range(100)])
        self.assertGreater(len({*mutants, data}), 90)


if __name__ == "__main__":
    unittest.main()
