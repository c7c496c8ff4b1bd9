"""GMP of more rows than fit into memory, and of rows on several computers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alcedo import _alcedo
from alcedo.checks import flag, whole_number
from alcedo.convergence import warn_of
from alcedo.pickles import reading, state_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from alcedo._options import GmpOptions
    from alcedo._types import Blocks, Lambdas, Rows


class GmpAccumulator:
    """Add rows in any number of chunks, merge what others have added, then solve for any lambdas.

    Memory is ``num_blocks * dimension**2`` numbers, however many rows there are, and ``(num_blocks * dimension)**2``
    for rows of several blocks each. Several threads may add to one accumulator.

    Parameters
    ----------
    dimension : int
        Of the rows; with blocks, of a block.
    num_blocks : int
        How many blocks (visual words) there are.
    several_blocks_per_row : bool
        Take Encodings whose rows have several blocks each, too, such as soft Fisher Vectors and LLC.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(1000, 4))
    >>> stream = alcedo.GmpAccumulator(4)
    >>> for chunk in np.split(rows, 10):
    ...     stream.add(chunk)
    >>> np.allclose(stream.result(lambda_=0.1), alcedo.pool(rows, lambda_=0.1))
    True
    """

    def __init__(self, dimension: int, num_blocks: int = 1, *, several_blocks_per_row: bool = False) -> None:
        dimension, num_blocks = whole_number(dimension, "dimension", 1), whole_number(num_blocks, "num_blocks", 1)
        several = flag(several_blocks_per_row, "several_blocks_per_row")
        self._state = _alcedo.Accumulator(dimension, num_blocks, several)

    def add(self, rows: Rows, blocks: Blocks | None = None) -> None:
        """Add rows; the order does not matter, up to rounding.

        All rows are checked before the first is added. Ctrl-C ends the call after some of them.

        Parameters
        ----------
        rows : array of N x D, list of arrays, Encodings, or list of Encodings
        blocks : array of integers, optional
            The block of every row, as in `pool`.

        Examples
        --------
        >>> import alcedo
        >>> stream = alcedo.GmpAccumulator(2)
        >>> stream.add([[1.0, 0.0], [0.0, 1.0]])
        >>> stream.add([[3.0, 0.0]])
        >>> len(stream)
        3
        """
        self._state.add(rows, blocks)

    def merge(self, other: GmpAccumulator) -> None:
        """Add what another accumulator of the same shape has seen.

        Parameters
        ----------
        other : GmpAccumulator

        Examples
        --------
        >>> import alcedo
        >>> here, there = alcedo.GmpAccumulator(2), alcedo.GmpAccumulator(2)
        >>> here.add([[1.0, 0.0]])
        >>> there.add([[0.0, 1.0]])
        >>> here.merge(there)
        >>> here.sum()
        array([1., 1.])
        """
        if not isinstance(other, GmpAccumulator):
            raise TypeError(f"merge takes a GmpAccumulator, not {type(other).__name__}")
        self._state.merge(other._state)

    def result(self, *, lambda_: Lambdas = 1.0, relative: bool = True, threads: int | None = None,
               **options: Unpack[GmpOptions]) -> NDArray[np.float64]:
        """GMP of all rows so far.

        Parameters
        ----------
        lambda_, relative, threads, **options
            As in `pool` with method "gmp".

        Returns
        -------
        array
            ``(D,)``, and with a list of lambdas ``(L, D)``.

        Examples
        --------
        >>> import alcedo
        >>> stream = alcedo.GmpAccumulator(2)
        >>> stream.add([[1.0, 0.0]] * 99 + [[0.0, 1.0]])
        >>> stream.result(lambda_=0.001, relative=False).round(2)
        array([1., 1.])
        """
        lambdas, several = _alcedo.lambdas(lambda_)
        phi, reports = self._state.result(lambdas, threads, {**options, "relative": relative})
        warn_of([reports], "of the accumulated rows")
        one: NDArray[np.float64] = phi[0]
        return phi if several else one

    def sum(self) -> NDArray[np.float64]:
        """Sum pooling of all rows so far.

        Examples
        --------
        >>> import alcedo
        >>> stream = alcedo.GmpAccumulator(2)
        >>> stream.add([[1.0, 0.0]] * 99 + [[0.0, 1.0]])
        >>> stream.sum()
        array([99.,  1.])
        """
        return self._state.sum()

    def __len__(self) -> int:
        return self._state.num_rows

    def __repr__(self) -> str:
        return f"<alcedo.GmpAccumulator: {len(self)} rows of {self._state.num_blocks} x {self._state.block_size}>"

    def __getstate__(self) -> dict[str, Any]:
        return state_of(state=self._state.to_bytes())

    def __setstate__(self, state: Any) -> None:
        with reading(state, state=bytes):
            self._state = _alcedo.Accumulator.from_bytes(state["state"])
