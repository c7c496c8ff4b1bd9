"""GMP of a file of features that does not fit into memory, in one reading, by two processes.

An accumulator has the size of one D x D matrix, however many rows it has seen. Accumulators can be pickled, so other
processes, or other computers, may read other parts of the data.
"""
import concurrent.futures
import pathlib
import resource
import tempfile

import alcedo
import numpy as np
from numpy.typing import NDArray

ROWS, DIMENSION, CHUNK = 1_000_000, 64, 20_000


def write(path: pathlib.Path) -> NDArray[np.float64]:
    """Rows of a few frequent kinds, and 100 of a rare one."""
    rng = np.random.default_rng(0)
    kinds = rng.normal(size=(10, DIMENSION)) * 3
    file = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(ROWS, DIMENSION))
    for begin in range(0, ROWS, CHUNK):
        file[begin:begin + CHUNK] = kinds[rng.integers(9, size=CHUNK)] + 0.1 * rng.normal(size=(CHUNK, DIMENSION))
    file[::ROWS // 100] = kinds[9]
    return kinds


def add(path: pathlib.Path, begin: int, end: int) -> alcedo.GmpAccumulator:
    """What one process does: its part of the rows, chunk by chunk."""
    rows, stream = np.load(path, mmap_mode="r"), alcedo.GmpAccumulator(DIMENSION)
    for first in range(begin, end, CHUNK):
        stream.add(rows[first:min(first + CHUNK, end)])
    return stream


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "features.npy")
        kinds = write(path)
        size = path.stat().st_size / 2 ** 20
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            first, second = pool.map(add, [path] * 2, [0, ROWS // 2], [ROWS // 2, ROWS])
    first.merge(second)
    by_sum = first.result(lambda_=1e9) * 1e9                      # so large a lambda gives the direction of the sum
    by_gmp = first.result(lambda_=0.001)
    print(f"{ROWS:,} rows, {size:.0f} MiB; a process needed {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB in all")
    print("dot product with a row of   " + "".join(f"{f'kind {k}':>9}" for k in range(9)) + "     rare")
    for name, phi in [("sum", alcedo.l2_normalize(by_sum)), ("GMP, lambda 0.001", by_gmp)]:
        print(f"{name:28}" + "".join(f"{phi @ kind:9.2f}" for kind in kinds))
