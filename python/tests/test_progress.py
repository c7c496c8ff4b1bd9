"""progress=True: a bar in a terminal, lines elsewhere."""

import io
import re
import sys

import numpy as np
import pytest

import alcedo
from alcedo import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def run(stream, steps):
    """What is written when `done` of 1,000 are done after so many seconds."""
    clock = Clock()
    bar = progress._Bar("images", stream, clock)
    for seconds, done in steps:
        clock.now = seconds
        bar(done, 1000)
    bar.close()
    return stream.getvalue()


def test_a_bar_says_how_long_it_takes(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run(Terminal(), [(0.01, 1), (0.02, 2), (30, 250), (120, 1000)])
    lines = text.split("\r")[1:]
    assert len(lines) == 4 and text.endswith("\n")  # one was too soon after another; the last is drawn twice
    assert re.fullmatch(r"\[#{9}\.{28,}\] 250 of 1,000 images in 0:30, 1:30 left", lines[1].strip())
    assert re.fullmatch(r"\[#+\] 1,000 of 1,000 images in 2:00", lines[-1].strip())
    assert all(len(line.rstrip("\n")) < 80 for line in lines)


def test_what_is_drawn_over_is_covered(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(Terminal(), [(0.2, 1), (3700, 500), (7400, 1000)]).rstrip("\n").split("\r")[1:]
    assert "1:01:40 left" in lines[1]
    assert all(len(after) >= len(before.rstrip()) for before, after in zip(lines, lines[1:]))


def test_a_narrow_terminal_has_no_bar(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    assert "#" not in run(Terminal(), [(1, 500)])


def test_a_log_has_a_line_now_and_then():
    text = run(io.StringIO(), [(t, t * 10) for t in range(1, 26)])
    assert text == ("100 of 1,000 images in 0:10, 1:30 left\n200 of 1,000 images in 0:20, 1:20 left\n"
                    "250 of 1,000 images in 0:25, 1:15 left\n")


def test_what_is_finished_is_not_said_to_have_something_left(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.reporting(True, "iterations") as report:
        report(27, 30)  # it converged
    last = sys.stderr.getvalue().split("\r")[-1]
    assert re.fullmatch(r"\[#+\] 27 of 27 iterations in 0:00 *\n", last)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(KeyboardInterrupt), progress.reporting(True, "iterations") as report:
        report(27, 30)
        raise KeyboardInterrupt
    assert "27 of 30 iterations" in sys.stderr.getvalue().split("\r")[-1]


def test_nothing_is_written_of_nothing():
    assert run(io.StringIO(), []) == ""


def test_a_closed_log_does_not_end_the_work():
    stream = io.StringIO()
    stream.close()
    bar = progress._Bar("images", stream)
    bar(1, 1)
    bar.close()


ROWS = np.random.default_rng(0).normal(size=(200, 4))
CODEBOOK = alcedo.Codebook(ROWS[:3])
PCA = alcedo.Pca.fit(ROWS, dimensions=2)
PCA_OF_4 = alcedo.Pca.fit(ROWS, dimensions=4)


@pytest.mark.parametrize("call,what", [
    (lambda p: alcedo.pool([ROWS] * 3, progress=p), "3 of 3 bags"),
    (lambda p: alcedo.gmp_weights([ROWS] * 3, progress=p), "3 of 3 bags"),
    (lambda p: alcedo.democratic([ROWS] * 3, progress=p), "3 of 3 bags"),
    (lambda p: PCA.transform([ROWS] * 3, progress=p), "3 of 3 bags"),
    (lambda p: alcedo.Encoder(CODEBOOK).encode([ROWS] * 3, progress=p), "3 of 3 bags"),
    (lambda p: alcedo.Codebook.fit(ROWS, clusters=3, progress=p), "iterations"),
    (lambda p: alcedo.GaussianMixture.fit(ROWS, gaussians=3, progress=p), "iterations"),
    (lambda p: alcedo.Dictionary.fit(ROWS, atoms=3, progress=p), "iterations"),
    (lambda p: alcedo.Vocabulary.fit(ROWS, "kmeans", clusters=3, progress=p), "iterations"),
    (lambda p: alcedo.Pca.fit(ROWS, dimensions=2, progress=p), "200 of 200 rows"),
    (lambda p: alcedo.Vocabulary(CODEBOOK, PCA_OF_4).project([ROWS] * 3, progress=p), "3 of 3 bags"),
    (lambda p: alcedo.Vocabulary(CODEBOOK).project([ROWS] * 3, progress=p), None),
    (lambda p: alcedo.Vocabulary.fit(ROWS, "fourier", outputs=3, progress=p), None),
    (lambda p: alcedo.Vocabulary.fit(ROWS, "kmeans", pca=2, clusters=3, progress=p), "200 of 200 rows"),
    (lambda p: alcedo.ImageEncoder("sift").encode([np.zeros((30, 30), np.uint8)] * 3, progress=p), "3 of 3 images"),
])
def test_every_long_call_has_it(call, what, capsys, monkeypatch):
    call(True)
    written = capsys.readouterr().err
    assert what in written if what else not written  # some have nothing to show
    for none in (None, False):
        call(none)
    assert capsys.readouterr().err == ""
    with pytest.raises(TypeError, match="progress must be True, False or a function"):
        call(3)
    monkeypatch.setattr(sys, "stderr", None)
    call(True)
