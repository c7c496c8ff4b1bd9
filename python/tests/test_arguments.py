"""Wrong keywords are one sentence that names them, and nothing that is given is ignored."""

import copy
import inspect
import pickle
import warnings

import numpy as np
import pytest

import alcedo

ROWS = np.random.default_rng(0).normal(size=(6, 4))
KERNEL = ROWS @ ROWS.T
ENCODINGS = alcedo.Encodings.one_block_per_row(ROWS, [0, 1, 2, 0, 1, 2], 3)
NO_LIST = "lambda_ must be a number or a list of numbers, got "
PLACES = np.full((6, 2), 0.5)


@pytest.mark.parametrize("call, sentence", [
    (lambda: alcedo.pool(ROWS, lambda_=None), NO_LIST + "None"),
    (lambda: alcedo.pool(ROWS, lambda_=["1"]), NO_LIST + "'1'"),
    (lambda: alcedo.pool(ROWS, lambda_={1: 2}), NO_LIST + "{1: 2}"),
    (lambda: alcedo.pool(ROWS, lambda_=np.True_), NO_LIST + "True"),
    (lambda: alcedo.pool(ROWS, lambda_=np.ones((2, 3))), NO_LIST + "an array of shape (3,)"),
    (lambda: alcedo.gmp_weights(ROWS, lambda_=[1, None]), NO_LIST + "None"),
    (lambda: alcedo.weights_from_kernel(KERNEL, lambda_="1"), "lambda_ must be a number, got '1'"),
    (lambda: alcedo.weights_from_kernel(KERNEL, lambda_=True), "lambda_ must be a number, got True"),
    (lambda: alcedo.weights_from_kernel(KERNEL, lambda_=None), "lambda_ must be a number, got None"),
    (lambda: alcedo.weights_from_kernel(KERNEL, lambda_=[1, 2]), "lambda_ must be a number, got [1, 2]"),
    (lambda: alcedo.weights_from_kernel(KERNEL, nonnegative=1), "nonnegative must be True or False, got 1"),
    (lambda: alcedo.gmp_weights(ROWS, nonnegative="no"), "nonnegative must be True or False, got 'no'"),
    (lambda: alcedo.pool(ROWS, nonnegative="no"), "nonnegative must be True or False, got 'no'"),
    (lambda: alcedo.pool(ROWS, relative=1), "relative must be True or False, got 1"),
    (lambda: alcedo.pool(ROWS, l2=1), "l2 must be True or False, got 1"),
    (lambda: alcedo.pool(ROWS, l2=np.array([1, 2])), "l2 must be True or False, got an array of shape (2,)"),
    (lambda: alcedo.pool(ROWS, block_l2=None), "block_l2 must be True or False, got None"),
    (lambda: alcedo.pool(ROWS, power=ROWS), "power must be a number, got an array of shape (6, 4)"),
    (lambda: alcedo.pool(ROWS, power=list(range(100))), "power must be a number, got a value of type list"),
    (lambda: alcedo.pool(ROWS, tolerance=b"1"), "tolerance must be a number, got b'1'"),
    (lambda: alcedo.pool(ROWS, num_blocks=2.0), "num_blocks must be a whole number, got 2.0"),
    (lambda: alcedo.pool(ROWS, blocks=[0] * 6, num_blocks=2 ** 64),
     f"num_blocks must be a whole number of at most 64 bits, got {2 ** 64}"),
    (lambda: alcedo.gmp_weights(ROWS, num_blocks=None), "num_blocks must be a whole number, got None"),
    (lambda: alcedo.democratic(ROWS, num_blocks="2"), "num_blocks must be a whole number, got '2'"),
    (lambda: alcedo.Encodings.one_block_per_row(ROWS, [0] * 6, 2.0), "num_blocks must be a whole number, got 2.0"),
    (lambda: alcedo.pool(ROWS, 3), "method must be a string, not int"),
    (lambda: alcedo.pool(ROWS, None), "method must be a string, not NoneType"),
    (lambda: alcedo.pool(ROWS, ROWS), "method must be a string, not ndarray"),
    (lambda: alcedo.power_normalize(ROWS, "0.5"), "power must be a number, got '0.5'"),
    (lambda: alcedo.power_normalize(ROWS, None), "power must be a number, got None"),
    (lambda: alcedo.l2_normalize(ROWS, 2.0), "block_size must be a whole number, got 2.0"),
    (lambda: alcedo.spatial_pyramid(ROWS, PLACES, 3), "pyramid must be a string, got 3"),
    (lambda: alcedo.democratic(kernel=KERNEL, progress=5), "progress goes with rows, not with a kernel"),
    (lambda: alcedo.democratic(kernel=KERNEL, num_blocks=5), "num_blocks goes with rows, not with a kernel"),
    (lambda: alcedo.democratic(kernel=KERNEL, blocks=[0]), "blocks goes with rows, not with a kernel"),
    (lambda: alcedo.pool(ROWS, lamda_=1), "method 'gmp' has no option lamda_; did you mean 'lambda_'?"),
    (lambda: alcedo.pool(ROWS, "weighted", weight=1),
     "method 'weighted' has no option weight; did you mean 'weights'?"),
    (lambda: alcedo.pool(ROWS, "sum", **{"lambda": 1}), "method 'sum' has no option lambda; did you mean 'lambda_'?"),
    (lambda: alcedo.pool(ROWS, thread=1), "method 'gmp' has no option thread; did you mean 'threads'?"),
    (lambda: alcedo.gmp_weights(ROWS, ofsets=1), "gmp_weights has no option ofsets; did you mean 'offsets'?"),
    (lambda: alcedo.democratic(ROWS, thread=1), "democratic has no option thread; did you mean 'threads'?"),
    (lambda: alcedo.democratic(kernel=KERNEL, thread=1), "democratic has no option thread; did you mean 'threads'?"),
    (lambda: alcedo.weights_from_kernel(KERNEL, thread=1),
     "weights_from_kernel has no option thread; did you mean 'threads'?"),
])
def test_types(call, sentence):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("call, option, sentence", [
    (lambda: alcedo.pool(ROWS, "sum", lambda_=-1), "lambda_", "lambda_ goes with method 'gmp'"),
    (lambda: alcedo.pool(ROWS, "sum", lambda_="x"), "lambda_", "lambda_ goes with method 'gmp'"),
    (lambda: alcedo.pool(ROWS, "max", lambda_=[1, 2]), "lambda_", "lambda_ goes with method 'gmp'"),
    (lambda: alcedo.pool(ROWS, "mean", lambda_=1.0), "lambda_", "lambda_ goes with method 'gmp'"),
    (lambda: alcedo.pool(ROWS, "democratic", relative=True), "relative", "relative goes with method 'gmp'"),
    (lambda: alcedo.spatial_pyramid(ROWS, PLACES, "1", "sum", lambda_=1), "lambda_", "lambda_ goes with method 'gmp'"),
    (lambda: alcedo.pool(ROWS, lambda_=10 ** 40000), "lambda_", "lambda_ must be in the range of double"),
    (lambda: alcedo.l2_normalize(ROWS, -1), "block_size", "block_size must be >= 0, got -1"),
    (lambda: alcedo.pool(ROWS, dtype=">f4"), "dtype", "dtype must be float32 or float64, got '>f4'"),
    (lambda: alcedo.pool(ROWS, dtype=np.int8), "dtype", "dtype must be float32 or float64, got 'int8'"),
    (lambda: alcedo.pool(ROWS, blocks=[0] * 6, num_blocks=2 ** 61), "num_blocks",
     "num_blocks times the 4 columns of a block is more than a vector can have, got 2305843009213693952"),
    (lambda: alcedo.gmp_weights(ROWS.reshape(2, 3, 4), blocks=[0] * 6, num_blocks=2 ** 61), "num_blocks",
     "num_blocks times"),
    (lambda: alcedo.pool([ROWS], blocks=[0] * 6, num_blocks=2 ** 61), "num_blocks", "num_blocks times"),
    (lambda: alcedo.pool(ENCODINGS, offsets=[0, 6]), "offsets", "offsets goes with an array"),
    (lambda: alcedo.spatial_pyramid(ROWS, PLACES, "1", "weighted", weights=[1, 2]), "weights",
     "weights must have one entry for every row, got 2 for 6 rows"),
    (lambda: alcedo.spatial_pyramid(ROWS, PLACES, "1", blocks=3, num_blocks=4), "blocks", "got one number for 6 rows"),
])
def test_values(call, option, sentence):
    with pytest.raises(alcedo.InvalidArgument) as caught:
        call()
    assert caught.value.option == option and sentence in str(caught.value)


def test_defaults_are_shown_and_are_not_given():
    parameters = inspect.signature(alcedo.pool).parameters
    assert repr(parameters["lambda_"].default) == "1.0" and repr(parameters["relative"].default) == "True"
    np.testing.assert_array_equal(alcedo.pool(ROWS), alcedo.pool(ROWS, lambda_=1.0, relative=True))


def test_numbers_of_numpy():
    want = alcedo.pool(ROWS, lambda_=2, relative=False, l2=True)
    for lambda_ in (np.float32(2), np.int8(2), np.array(2.0), 2.0):
        np.testing.assert_array_equal(alcedo.pool(ROWS, lambda_=lambda_, relative=np.False_, l2=np.True_), want)
    for lambdas in ([2], (2.0,), np.array([2]), range(2, 3), iter([2])):
        np.testing.assert_array_equal(alcedo.pool(ROWS, lambda_=lambdas, relative=np.False_, l2=np.True_), [want])
    np.testing.assert_array_equal(alcedo.l2_normalize(ROWS, np.int16(2)), alcedo.l2_normalize(ROWS, 2))


def test_names_of_types():
    for dtype in ("float32", "f4", np.float32, np.dtype("f4"), "single"):
        assert alcedo.pool(ROWS, dtype=dtype).dtype == np.float32
    for dtype in ("float64", "f8", np.float64, float, "d"):
        assert alcedo.pool(ROWS.astype("f4"), dtype=dtype).dtype == np.float64


def test_encodings_are_arrays_if_asked_for():
    dense = ENCODINGS.to_dense()
    np.testing.assert_array_equal(np.asarray(ENCODINGS), dense)
    assert np.asarray(ENCODINGS).dtype == np.float64 and np.asarray(ENCODINGS, dtype="f4").dtype == np.float32
    with pytest.raises(ValueError, match="by a copy only"):
        ENCODINGS.__array__(copy=False)


@pytest.mark.parametrize("encodings", [
    ENCODINGS, alcedo.Encodings.from_dense(ROWS), alcedo.Encodings.from_dense(ROWS[:0].astype("f4")),
    alcedo.Encodings.several_blocks_per_row(ROWS.astype("f4"), [0, 4, 1, 2, 3, 4], [0, 2, 2, 6], 5),
    alcedo.Encodings.several_blocks_per_row(ROWS[:1], [0], [0, 0, 1], 1)], ids=repr)
def test_encodings_can_be_pickled_and_copied(encodings):
    for again in (pickle.loads(pickle.dumps(encodings)), copy.deepcopy(encodings)):
        assert repr(again) == repr(encodings) and again.to_dense().dtype == encodings.to_dense().dtype
        np.testing.assert_array_equal(again.to_dense(), encodings.to_dense())
        np.testing.assert_array_equal(alcedo.gmp_weights(again), alcedo.gmp_weights(encodings))
    with pytest.raises(ValueError, match="not the state"):
        alcedo.Encodings.__new__(alcedo.Encodings).__setstate__((1, 2))


def test_pyramids_of_encodings():
    places = np.random.default_rng(1).uniform(size=(6, 2))
    for keywords in ({}, {"lambda_": [1, 2]}):
        np.testing.assert_allclose(alcedo.spatial_pyramid(ENCODINGS, places, "1,2x1,5x5", **keywords),
                                   alcedo.spatial_pyramid(np.asarray(ENCODINGS), places, "1,2x1,5x5", **keywords),
                                   rtol=1e-6, atol=1e-9)
    with pytest.raises(alcedo.InvalidArgument, match="got 5 for 6 rows"):
        alcedo.spatial_pyramid(ENCODINGS, places[:5])
    with pytest.raises(ValueError, match="rows must be rows x dimensions"):
        alcedo.spatial_pyramid(3, places)


@pytest.mark.parametrize("call", [
    lambda **options: alcedo.pool(ROWS, **options), lambda **options: alcedo.gmp_weights(ROWS, **options),
    lambda **options: alcedo.spatial_pyramid(ROWS, PLACES, "1", **options),
    lambda **unused: alcedo.democratic(ROWS, max_iterations=1, tolerance=1e-12)])
def test_warnings_are_at_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(lambda_=1e-9, solver="cg", max_iterations=1)
    assert [warning.filename for warning in caught if warning.category is alcedo.ConvergenceWarning] == [__file__]
