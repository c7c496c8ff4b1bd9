"""Several threads of Python in the package at the same time."""

import sys
import threading

import numpy as np
import pytest

import alcedo


@pytest.mark.parametrize("fit,times", [
    (lambda rows: alcedo.Pca.fit(rows, dimensions=2, threads=1), 250000),
    (lambda rows: alcedo.Codebook.fit(rows, clusters=1, max_iterations=1, threads=1), 20000),
])
def test_fits_of_one_array_leave_its_references_as_they_were(fit, times):
    rows = np.eye(2, 4, dtype=np.float32)  # a fit takes microseconds, so that they often meet
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    before = sys.getrefcount(rows)

    def many():
        for _ in range(times):
            fit(rows)

    threads = [threading.Thread(target=many) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert sys.getrefcount(rows) == before
