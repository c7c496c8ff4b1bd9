"""Other threads of Python run during long calls: none of these holds Python's lock for half of its time."""

import threading
import time
from functools import partial

import numpy as np
import pytest

import alcedo

LONG_ENOUGH = 0.1  # seconds of a call: the system lets no thread wait for so long
MOST = 0.5  # of a call without another thread; with the lock held it is all of it


class Ticks:
    """A thread that ticks during a with statement. `gap` is the longest time without a tick."""

    def __enter__(self):
        self.times, self.stop = [time.perf_counter()], threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        while len(self.times) < 3:
            time.sleep(0.001)
        self.begin = time.perf_counter()
        return self

    def run(self):
        while not self.stop.is_set():
            self.times.append(time.perf_counter())
            time.sleep(0.0005)

    def __exit__(self, *unused):
        self.length = time.perf_counter() - self.begin
        self.stop.set()
        self.thread.join()
        times = np.array([*self.times, time.perf_counter()])
        self.gap = np.diff(times[np.searchsorted(times, self.begin) - 1:]).max()


def share_without_ticks(call):
    """The longest time without another thread, as part of the call."""
    with Ticks() as ticks:
        call()
    return ticks.length, ticks.gap / ticks.length


def rows(n, d=200, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def kernel(n):
    some = rows(n, n // 2)
    return some @ some.T


def bags(n):
    return [rows(n, 300, seed=i) for i in range(16)]


def one_block_per_row(blocks):
    return alcedo.Encodings.one_block_per_row(rows(100), np.arange(100) % 50, blocks)


# Calls for a size, with their arguments.
CALLS = {
    "pool one bag": lambda n: partial(alcedo.pool, rows(8 * n, n), solver="primal", threads=1),
    "pool": lambda n: partial(alcedo.pool, bags(n), solver="primal", threads=1),
    "gmp_weights": lambda n: partial(alcedo.gmp_weights, rows(2 * n), solver="dual", threads=1),
    "democratic": lambda n: partial(alcedo.democratic, rows(2 * n), tolerance=1e-12, threads=1),
    "democratic of a kernel": lambda n: partial(alcedo.democratic, kernel=kernel(2 * n), tolerance=1e-12, threads=1),
    "weights_from_kernel": lambda n: partial(alcedo.weights_from_kernel, kernel(2 * n), threads=1),
    "power_normalize": lambda n: partial(alcedo.power_normalize, rows(10 * n), 0.3),
    "from_dense": lambda n: partial(alcedo.Encodings.from_dense, rows(10 * n, 500)),
    "to_dense": lambda n: one_block_per_row(4 * n).to_dense,
}


@pytest.mark.filterwarnings("ignore::alcedo.ConvergenceWarning")
@pytest.mark.parametrize("name", CALLS)
def test_other_threads_run_meanwhile(name):
    size = 400
    call = CALLS[name](size)
    while share_without_ticks(call)[0] < LONG_ENOUGH and size < 4000:
        size = 3 * size // 2
        call = CALLS[name](size)
    shares = []
    while len(shares) < 3 and not (shares and shares[-1] < MOST):  # a busy system may keep a thread waiting
        shares.append(share_without_ticks(call)[1])
    assert shares[-1] < MOST, f"no other thread ran for {shares} of the call"


def test_a_call_that_holds_the_lock_is_seen():
    numbers = list(range(1_000_000))
    while share_without_ticks(numbers.copy)[0] < 0.02:
        numbers = numbers + numbers
    assert max(share_without_ticks(numbers.copy)[1] for _ in range(3)) > MOST
