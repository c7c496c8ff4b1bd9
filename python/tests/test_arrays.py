"""What becomes rows: masks are not ignored, errors are those of the object, and its array is asked for once."""

import pathlib

import numpy as np
import pytest

import alcedo

ROWS = np.random.default_rng(0).normal(size=(6, 4))


class Asked:
    """An array for NumPy, that counts how often it is asked for."""

    def __init__(self, values):
        self.values, self.count = values, 0

    def __array__(self, dtype=None, copy=None):
        self.count += 1
        return self.values if dtype is None else self.values.astype(dtype)


class Raising:
    """No array for NumPy, and an error of its own."""

    def __init__(self, error):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        raise self.error


MASKED = np.ma.masked_array([[1.0, 2.0], [100.0, 200.0]], mask=[[0, 0], [1, 1]])
COLUMN = np.ma.masked_array(np.ones(6), mask=[0, 0, 0, 0, 0, 1])


@pytest.mark.parametrize("call, name", [
    (lambda: alcedo.pool(MASKED, "sum"), "rows"),
    (lambda: alcedo.pool([ROWS[:, :2], MASKED], "sum"), "rows[1]"),
    (lambda: alcedo.pool([MASKED[0], MASKED[1]], "sum"), "rows"),  # a list of rows
    (lambda: alcedo.pool(Asked(MASKED), "sum"), "rows"),
    (lambda: alcedo.pool(ROWS, "weighted", weights=COLUMN), "weights"),
    (lambda: alcedo.pool([ROWS, ROWS], "weighted", weights=[COLUMN.data, COLUMN]), "weights[1]"),
    (lambda: alcedo.pool(ROWS, blocks=COLUMN.astype(int), num_blocks=2), "blocks"),
    (lambda: alcedo.pool(ROWS, offsets=np.ma.masked_array([0, 6], mask=[0, 1])), "offsets"),
    (lambda: alcedo.gmp_weights(MASKED), "rows"),
    (lambda: alcedo.democratic(kernel=MASKED), "kernel"),
    (lambda: alcedo.l2_normalize(MASKED), "values"),
    (lambda: alcedo.Encodings.from_dense(MASKED), "rows"),
    (lambda: alcedo.spatial_pyramid(MASKED, np.full((2, 2), 0.5), "1", "sum"), "rows"),
    (lambda: alcedo.spatial_pyramid(ROWS, np.full((6, 2), 0.5), "1", "weighted", weights=COLUMN), "weights"),
])
def test_masked_values_are_refused(call, name):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == f"{name} is a masked array with masked values; fill or drop them first"


def test_masked_arrays_without_masked_values_are_arrays():
    np.testing.assert_array_equal(alcedo.pool(np.ma.masked_array(ROWS), "sum"), alcedo.pool(ROWS, "sum"))
    np.testing.assert_array_equal(alcedo.pool(MASKED[:1], "sum"), [1, 2])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), RuntimeError("requires_grad"), SystemExit(3),
                                   ValueError("is closed"), alcedo.FormatError("a.npy", "is empty")], ids=repr)
@pytest.mark.parametrize("call", [
    alcedo.pool, lambda rows: alcedo.pool([rows, rows]), lambda rows: alcedo.pool(rows, offsets=[0, 1]),
    lambda blocks: alcedo.pool(ROWS, blocks=blocks, num_blocks=2), alcedo.l2_normalize, alcedo.weights_from_kernel])
def test_errors_of_an_object_are_passed_on(call, error):
    with pytest.raises(type(error)) as caught:
        call(Raising(error))
    assert caught.value is error


def test_what_numpy_says_of_lists_is_the_cause():
    with pytest.raises(TypeError, match="^rows must be an array of numbers$") as caught:
        alcedo.pool([[1.0], [1.0, 2.0]])
    assert "inhomogeneous" in str(caught.value.__cause__)


def test_stores_say_themselves_what_is_wrong(trained, tmp_path):
    import shutil

    shutil.copytree(trained / "vectors", tmp_path / "vectors")
    store = alcedo.open_store(tmp_path / "vectors")
    for shard in pathlib.Path(tmp_path / "vectors").rglob("*.npy"):
        shard.write_bytes(shard.read_bytes()[:200])
    with pytest.raises((alcedo.FormatError, alcedo.IoError)) as caught:
        alcedo.pool(store, "mean")
    assert ".npy" in str(caught.value)
    store.close()
    with pytest.raises(ValueError, match="is closed"):
        alcedo.pool(store, "mean")


def test_objects_are_asked_once():
    def count(values, call):
        asked = Asked(values)
        call(asked)
        return asked.count

    blocks = np.array([0, 1, 0, 1, 0, 1])
    assert count(ROWS, alcedo.pool) == 1
    assert count(ROWS.reshape(2, 3, 4), alcedo.pool) == 1
    assert count(ROWS, lambda rows: alcedo.pool(rows, offsets=[0, 6])) == 1
    assert count(ROWS, lambda rows: alcedo.pool([rows, ROWS])) == 1
    assert count(ROWS, lambda rows: alcedo.pool([ROWS, rows])) == 1
    assert count(ROWS[0], lambda row: alcedo.pool([row, ROWS[1]])) == 1
    assert count(blocks, lambda one: alcedo.pool(ROWS, blocks=one, num_blocks=2)) == 1
    assert count(blocks, lambda one: alcedo.pool([ROWS, ROWS], blocks=[one, blocks], num_blocks=2)) == 1
    assert count(blocks.reshape(2, 3), lambda one: alcedo.pool(ROWS.reshape(2, 3, 4), blocks=one, num_blocks=2)) == 1
    assert count(np.ones(6), lambda weights: alcedo.pool(ROWS, "weighted", weights=weights)) == 1
    assert count(ROWS, alcedo.gmp_weights) == 1
    assert count(ROWS, alcedo.l2_normalize) == 1
    assert count(ROWS, lambda rows: alcedo.spatial_pyramid(rows, np.full((6, 2), 0.5), "1,2x1")) == 1


def test_what_is_no_bag_is_named():
    for wrong, shape in (([], "(0,)"), (ROWS[0], "(4,)"), (ROWS[None], "(1, 6, 4)")):
        for rows, name in (([wrong, ROWS], "rows[0]"), ([ROWS, wrong], "rows[1]")):
            with pytest.raises(ValueError) as caught:
                alcedo.pool(rows)
            assert str(caught.value) == f"{name} must be rows x dimensions, got an array of shape {shape}"


def test_lists_of_rows_and_of_bags():
    want = ROWS.sum(axis=0)
    for rows in (list(ROWS), ROWS.tolist(), [tuple(row) for row in ROWS], [list(row) for row in ROWS]):
        np.testing.assert_allclose(alcedo.pool(rows, "sum"), want)
        np.testing.assert_allclose(alcedo.pool([rows, rows], "sum"), [want, want])


def test_vectors_of_any_number_of_dimensions_are_normalised():
    vectors = alcedo.pool([ROWS, 2 * ROWS], lambda_=[0.1, 1, 10])
    assert vectors.shape == (2, 3, 4)
    np.testing.assert_allclose(alcedo.l2_normalize(vectors), vectors / np.linalg.norm(vectors, axis=2, keepdims=True))
    np.testing.assert_allclose(alcedo.power_normalize(vectors), np.sign(vectors) * np.sqrt(np.abs(vectors)))
    assert alcedo.l2_normalize(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert alcedo.l2_normalize(vectors[0, 0]).shape == (4,)
    with pytest.raises(ValueError, match="along its last axis"):
        alcedo.l2_normalize(3.0)
