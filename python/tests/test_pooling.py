"""Pooling from Python against the formulas of the paper, in NumPy."""

import doctest
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import alcedo


def random_rows(n, d, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(dtype)


def naive_gmp(rows, lam, relative=True):
    """Eq. 6."""
    rows = np.asarray(rows, dtype=np.float64)
    if relative:
        lam = lam * (rows ** 2).sum() / max(len(rows), 1)
    return np.linalg.solve(rows.T @ rows + lam * np.eye(rows.shape[1]), rows.sum(axis=0))


def test_gmp_is_its_formula():
    for n, d in ((50, 8), (5, 30), (1, 3)):
        rows = random_rows(n, d, seed=n)
        for lam in (0.01, 1.0, 100.0):
            np.testing.assert_allclose(alcedo.pool(rows, lambda_=lam), naive_gmp(rows, lam), rtol=1e-5, atol=1e-12)
            np.testing.assert_allclose(alcedo.pool(rows, lambda_=lam, relative=False), naive_gmp(rows, lam, False), rtol=1e-5,
                                       atol=1e-12)
        np.testing.assert_allclose(alcedo.pool(rows, lambda_=0), np.linalg.pinv(rows) @ np.ones(n), rtol=1e-6, atol=1e-10)


def test_the_other_methods():
    rows = np.abs(random_rows(20, 6))
    np.testing.assert_allclose(alcedo.pool(rows, "sum"), rows.sum(axis=0))
    np.testing.assert_allclose(alcedo.pool(rows, "mean"), rows.mean(axis=0))
    np.testing.assert_allclose(alcedo.pool(rows, "max"), rows.max(axis=0))
    np.testing.assert_allclose(alcedo.pool(rows, "lp", p=3), np.mean(rows ** 3, axis=0) ** (1 / 3))
    e = np.exp(5 * rows)
    np.testing.assert_allclose(alcedo.pool(rows, "softmax", beta=5), (rows * e).sum(axis=0) / e.sum(axis=0))
    weights = np.arange(20.0)
    np.testing.assert_allclose(alcedo.pool(rows, "weighted", weights=weights), weights @ rows)
    np.testing.assert_allclose(alcedo.pool(rows, "democratic"), alcedo.democratic(rows) @ rows, rtol=1e-6)


def test_arrays_at_odd_addresses_are_copied():
    rows = random_rows(9, 4)
    for dtype in (np.float32, np.float64):
        buffer = np.zeros(rows.size * np.dtype(dtype).itemsize + 1, np.uint8)
        odd = buffer[1:].view(np.uint8).view(dtype).reshape(rows.shape)
        odd[...] = rows
        assert not odd.flags.aligned
        np.testing.assert_array_equal(alcedo.pool(odd), alcedo.pool(rows.astype(dtype)))


def test_weights_that_overflow_are_refused():
    with pytest.raises(alcedo.InvalidArgument, match="range of double") as raised:
        alcedo.pool([[-3e20, 1.0]], "weighted", weights=[1e299], l2=True)
    assert raised.value.option == "weights"
    np.testing.assert_allclose(alcedo.pool([[3.0, 4.0]], "weighted", weights=[1e299], l2=True), [0.6, 0.8])


def test_kernels_that_are_next_to_nothing_are_refused():
    with pytest.raises(alcedo.InvalidArgument, match="diagonal must be 0 or between"):
        alcedo.weights_from_kernel([[3e-320]], lambda_=30, nonnegative=True)
    assert alcedo.weights_from_kernel([[1e-140]], lambda_=1, nonnegative=True)[0] == pytest.approx(0.5e140)


def test_bags_of_every_form_are_the_bags_one_by_one():
    bags = [random_rows(n, 4, seed=n) for n in (3, 0, 7, 1)]
    single = np.array([alcedo.pool(bag) for bag in bags])
    assert not single[1].any()  # no rows, zeros
    offsets = np.cumsum([0] + [len(bag) for bag in bags])
    np.testing.assert_array_equal(alcedo.pool(bags), single)
    np.testing.assert_array_equal(alcedo.pool(tuple(bags)), single)
    np.testing.assert_array_equal(alcedo.pool(np.concatenate(bags), offsets=offsets), single)
    np.testing.assert_array_equal(alcedo.pool([alcedo.Encodings.from_dense(bag) for bag in bags]), single)
    cube = random_rows(30, 4).reshape(5, 6, 4)
    np.testing.assert_array_equal(alcedo.pool(cube), [alcedo.pool(bag) for bag in cube])
    np.testing.assert_array_equal(alcedo.pool(list(cube)), alcedo.pool(cube))
    assert alcedo.pool(np.zeros((0, 6, 4))).shape == (0, 4)
    assert alcedo.pool(bags[0].tolist()).shape == (4,)


def test_a_list_of_lambdas_is_a_path():
    rows = random_rows(40, 5)
    lambdas = [10, 0.1, 1]
    path = alcedo.pool(rows, lambda_=lambdas)
    assert path.shape == (3, 5)
    for phi, lam in zip(path, lambdas):
        np.testing.assert_allclose(phi, naive_gmp(rows, lam), rtol=1e-5)
    assert alcedo.pool([rows, rows], lambda_=lambdas).shape == (2, 3, 5)
    assert alcedo.pool(rows, lambda_=np.array([1.0])).shape == (1, 5)
    assert alcedo.pool(rows, lambda_=np.float32(1)).shape == (5,)


def test_blocks_are_rows_with_zeros_elsewhere():
    values, blocks = random_rows(30, 3), np.random.default_rng(1).integers(0, 4, size=30)
    dense = np.zeros((30, 12))
    for row, block, value in zip(dense, blocks, values):
        row[3 * block:3 * block + 3] = value
    np.testing.assert_allclose(alcedo.pool(values, blocks=blocks, num_blocks=4), alcedo.pool(dense), rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(alcedo.Encodings.one_block_per_row(values, blocks, 4).to_dense(), dense, rtol=1e-6)
    both = alcedo.pool([values[:10], values[10:]], blocks=[blocks[:10], blocks[10:]], num_blocks=4)
    np.testing.assert_array_equal(both, alcedo.pool(values, offsets=[0, 10, 30], blocks=blocks, num_blocks=4))
    np.testing.assert_allclose(both[1], alcedo.pool(dense[10:]), rtol=1e-5, atol=1e-9)


def test_weights_are_the_dual():
    rows = random_rows(12, 30)
    weights = alcedo.gmp_weights(rows, lambda_=0.5)
    lam = 0.5 * (rows ** 2).sum() / 12
    np.testing.assert_allclose(weights, np.linalg.solve(rows @ rows.T + lam * np.eye(12), np.ones(12)), rtol=1e-5)
    np.testing.assert_allclose(weights @ rows, alcedo.pool(rows, lambda_=0.5), rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(alcedo.weights_from_kernel(rows @ rows.T, lambda_=0.5), weights, rtol=1e-5)
    assert (alcedo.gmp_weights(rows, lambda_=0.5, nonnegative=True) >= 0).all()
    assert alcedo.gmp_weights(rows, lambda_=[1, 2]).shape == (2, 12)
    several = alcedo.gmp_weights([rows, rows[:5]])
    assert [len(w) for w in several] == [12, 5]


def test_democratic_rows_contribute_equally():
    rows = np.abs(random_rows(25, 6))
    weights = alcedo.democratic(rows, tolerance=1e-8, max_iterations=10000)
    kernel = rows @ rows.T
    np.testing.assert_allclose(weights * (kernel @ weights), np.ones(25), rtol=1e-6)
    np.testing.assert_allclose(alcedo.democratic(kernel=kernel, tolerance=1e-8, max_iterations=10000), weights, rtol=1e-6)


def test_types_and_orders():
    rows = np.round(8 * random_rows(20, 6))
    want = alcedo.pool(rows)
    assert want.dtype == np.float64
    for dtype in ("float32", "float16", "int8", "int16", "int32", "int64", ">f8", ">f4", "longdouble"):
        given = rows.astype(dtype)
        got = alcedo.pool(given)
        assert got.dtype == (np.float32 if given.dtype.itemsize <= 2 or given.dtype.str[1:] == "f4" else np.float64), dtype
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-8, err_msg=dtype)
    np.testing.assert_array_equal(alcedo.pool(np.asfortranarray(rows)), want)
    wide = np.repeat(np.repeat(rows, 2, axis=0), 3, axis=1)
    np.testing.assert_array_equal(alcedo.pool(wide[::2, ::3]), want)
    np.testing.assert_array_equal(alcedo.pool(rows[::-1, ::-1][::-1, ::-1]), want)
    frozen = rows.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(alcedo.pool(frozen), want)
    assert alcedo.pool(rows, dtype="float32").dtype == np.float32
    assert alcedo.pool(rows.astype("f4"), dtype=np.float64).dtype == np.float64


def test_threads_change_nothing():
    bags = [random_rows(20 + n % 7, 16, seed=n) for n in range(50)]
    one = alcedo.pool(bags, threads=1)
    for threads in (2, 3, None):
        np.testing.assert_array_equal(alcedo.pool(bags, threads=threads), one)


def test_normalisation():
    rows = random_rows(9, 6)
    phi = alcedo.pool(rows)
    np.testing.assert_allclose(alcedo.power_normalize(phi, 0.3), np.sign(phi) * np.abs(phi) ** 0.3)
    np.testing.assert_allclose(alcedo.l2_normalize(rows), rows / np.linalg.norm(rows, axis=1, keepdims=True))
    blocks = alcedo.l2_normalize(phi, block_size=2).reshape(3, 2)
    np.testing.assert_allclose(np.linalg.norm(blocks, axis=1), np.ones(3))
    np.testing.assert_allclose(alcedo.pool(rows, power=0.5, l2=True), alcedo.l2_normalize(alcedo.power_normalize(phi)))
    assert not alcedo.l2_normalize(np.zeros(3)).any()
    given = rows.astype("f4")
    before = given.copy()
    assert alcedo.l2_normalize(given).dtype == np.float32
    np.testing.assert_array_equal(given, before)  # a new array


def test_spatial_pyramid():
    rows, places = random_rows(40, 3), np.random.default_rng(2).uniform(size=(40, 2))
    got = alcedo.spatial_pyramid(rows, places, "1,3x1", "sum").reshape(4, 3)
    strip = np.minimum((places[:, 1] * 3).astype(int), 2)
    np.testing.assert_allclose(got, [rows.sum(axis=0), *(rows[strip == s].sum(axis=0) for s in range(3))])
    assert alcedo.spatial_pyramid(rows, places, lambda_=[1, 2]).shape == (2, 12)
    with pytest.raises(alcedo.InvalidArgument, match="positions"):
        alcedo.spatial_pyramid(rows, places[:-1])


def test_accumulator():
    import pickle

    rows = random_rows(300, 5)
    streams = [alcedo.GmpAccumulator(5), alcedo.GmpAccumulator(5)]
    for i, chunk in enumerate(np.array_split(rows, 6)):
        streams[i % 2].add(chunk)
    streams[0].merge(pickle.loads(pickle.dumps(streams[1])))
    assert len(streams[0]) == 300
    np.testing.assert_allclose(streams[0].result(lambda_=0.3), naive_gmp(rows, 0.3), rtol=1e-6)
    np.testing.assert_allclose(streams[0].result(lambda_=[0.3, 3])[1], naive_gmp(rows, 3), rtol=1e-6)
    np.testing.assert_allclose(streams[0].sum(), rows.sum(axis=0))
    with pytest.raises(TypeError, match="not list"):
        streams[0].merge([])
    state = streams[0].__getstate__()
    with pytest.raises(alcedo.FormatError, match="of alcedo 9, cannot be read"):
        alcedo.GmpAccumulator.__new__(alcedo.GmpAccumulator).__setstate__({"alcedo": "9", "state": state["state"][:-1]})
    blocks = alcedo.GmpAccumulator(5, num_blocks=2)
    blocks.add(rows, np.arange(300) % 2)
    np.testing.assert_allclose(blocks.result(), alcedo.pool(rows, blocks=np.arange(300) % 2, num_blocks=2), rtol=1e-5)


BAD = [
    (lambda x: alcedo.pool(x, lambda_=-1), "lambda_", "lambda_ must be finite and >= 0, got -1"),
    (lambda x: alcedo.pool(x, lambda_=[]), "lambda_", "lambda_ must have a value"),
    (lambda x: alcedo.pool(x, "gmq"), "method", "did you mean 'gmp'"),
    (lambda x: alcedo.pool(x, solver="cgg"), "solver", "solver must be auto, cg, direct, primal or dual, got 'cgg'"),
    (lambda x: alcedo.pool(x, "lp", p=0.5), "p", "p must be >= 1, got 0.5"),
    (lambda x: alcedo.pool(x, threads=0), "threads", "threads must be >= 1"),
    (lambda x: alcedo.pool(x, dtype="int8"), "dtype", "dtype must be float32 or float64"),
    (lambda x: alcedo.pool(x, power=2.0), "power", "power"),
    (lambda x: alcedo.pool(x, blocks=[0] * 6), "num_blocks", "must be given with blocks"),
    (lambda x: alcedo.pool(x, num_blocks=2), "num_blocks", "goes with blocks"),
    (lambda x: alcedo.pool(x, blocks=[0] * 5, num_blocks=2), "", "blocks must have one entry for each of the 6 rows, got 5"),
    (lambda x: alcedo.pool(x, blocks=[0] * 5 + [2], num_blocks=2), "", "rows: "),
    (lambda x: alcedo.pool(x, offsets=[0, 7]), "offsets", "must go from 0 to the number of rows, 6"),
    (lambda x: alcedo.pool(x, offsets=[0, 4, 3, 6]), "offsets", "in order"),
    (lambda x: alcedo.pool([x, x[:, :2]]), "", "rows[1] has 2 dimensions, and rows[0] has 4"),
    (lambda x: alcedo.pool(np.where(np.arange(24).reshape(6, 4) == 9, np.nan, x)), "", "rows: row 2, column 1 is NaN"),
    (lambda x: alcedo.pool([x, np.full((1, 4), np.inf)]), "", "rows[1]: row 0, column 0 is infinite"),
    (lambda x: alcedo.pool(x, "weighted"), "weights", "must be given"),
    (lambda x: alcedo.pool(x, weights=np.ones(6)), "weights", "goes with method 'weighted'"),
    (lambda x: alcedo.pool(x, "sum", nonnegative=True), "nonnegative", "goes with method 'gmp'"),
    (lambda x: alcedo.weights_from_kernel(x[:4] + 100 * np.eye(4)), "", "symmetric"),
    (lambda x: alcedo.democratic(x, gamma=2), "gamma", "gamma must be"),
    (lambda x: alcedo.power_normalize(x, 2.0), "power", "power"),
    (lambda x: alcedo.l2_normalize(x * np.nan), "", "row 0, column 0"),
]


@pytest.mark.parametrize("call, option, sentence", BAD, ids=[sentence for _, _, sentence in BAD])
def test_bad_options(call, option, sentence):
    with pytest.raises(alcedo.InvalidArgument) as caught:
        call(random_rows(6, 4))
    assert isinstance(caught.value, ValueError)
    assert caught.value.option == option
    assert sentence in str(caught.value)


@pytest.mark.parametrize("call, sentence", [
    (lambda x: alcedo.pool(x, tolerence=1), "method 'gmp' has no option tolerence; did you mean 'tolerance'?"),
    (lambda x: alcedo.pool(x, "sum", beta=1), "method 'sum' has no option beta"),
    (lambda x: alcedo.pool(x, max_iterations=1.5), "max_iterations must be a whole number, got 1.5"),
    (lambda x: alcedo.pool(x, max_iterations=True), "max_iterations must be a whole number, got True"),
    (lambda x: alcedo.pool(x, tolerance="1"), "tolerance must be a number, got '1'"),
    (lambda x: alcedo.pool(x, max_iterations=2 ** 40), "at most 32 bits"),
    (lambda x: alcedo.pool(x.astype(object)), "real numbers, not of object"),
    (lambda x: alcedo.pool(x + 1j), "real numbers, not of complex128"),
    (lambda x: alcedo.pool("rows"), "real numbers"),
    (lambda x: alcedo.pool(x, lambda_="1"), "lambda_ must be a number"),
    (lambda x: alcedo.pool(x, blocks=[0.5] * 6, num_blocks=2), "blocks must be whole numbers"),
    (lambda x: alcedo.pool(x, threads=1.0), "threads must be a whole number"),
    (lambda x: alcedo.democratic(), "needs rows or kernel"),
])
def test_bad_types(call, sentence):
    with pytest.raises(TypeError) as caught:
        call(random_rows(6, 4))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("rows", [np.zeros(3), np.zeros(()), np.zeros((2, 2, 2, 2)), np.zeros((3, 0)), []], ids=str)
def test_bad_shapes(rows):
    with pytest.raises(ValueError, match="rows"):
        alcedo.pool(rows)


def test_degenerate_bags_have_an_answer():
    assert not alcedo.pool(np.zeros((0, 3))).any()
    assert not alcedo.pool(np.zeros((5, 3))).any()
    assert alcedo.pool(np.zeros((5, 3)), lambda_=0).tolist() == [0, 0, 0]
    with pytest.raises(alcedo.InvalidArgument, match="float64"):
        alcedo.pool(np.full((5, 3), 1e38, dtype="f4"), "sum")
    assert np.isfinite(alcedo.pool(np.full((5, 3), 1e38, dtype="f4"), "sum", dtype="float64")).all()


def test_errors_can_be_pickled():
    import pickle

    error = pickle.loads(pickle.dumps(alcedo.InvalidArgument("p", "must be >= 1", "0")))
    assert (str(error), error.option) == ("p must be >= 1, got 0", "p")
    for kind in (alcedo.FormatError, alcedo.IoError):
        error = pickle.loads(pickle.dumps(kind("a.npy", "is empty")))
        assert (str(error), error.file, error.reason) == ("a.npy: is empty", "a.npy", "is empty")


def test_a_solver_that_stopped_early_warns():
    with pytest.warns(alcedo.ConvergenceWarning, match="1 of 1 solves"):
        alcedo.pool(random_rows(50, 20), lambda_=1e-6, solver="cg", max_iterations=1)
    _, reports = alcedo.pool(random_rows(50, 20), return_reports=True)
    assert reports[0][0].converged and reports[0][0].residual < 1e-5


def test_progress_and_its_exceptions():
    bags = [random_rows(4, 3, seed=n) for n in range(100)]
    seen = []
    alcedo.pool(bags, threads=1, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (100, 100) and seen == sorted(seen)
    with pytest.raises(KeyError):
        alcedo.pool(bags, progress=lambda done, total: {}["missing"])


def test_ctrl_c_ends_a_long_call():
    # A job in the background of a shell ignores the signal, and so would the child.
    code = ("import alcedo, signal, numpy as np\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "rows = np.random.default_rng(0).normal(size=(400, 256)).astype('f4')\n"
            "print('ready', flush=True)\n"
            "try:\n"
            "    alcedo.pool([rows] * 200000, lambda_=1e-3, threads=1)\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted', flush=True)\n")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_random_arrays_never_crash():
    """Types, strides, shapes and options at random: an array of finite numbers, or one of the documented exceptions."""
    rng = np.random.default_rng(5)
    dtypes = ["f2", "f4", "f8", ">f4", "i1", "u2", "i8", "?", "c8", "O", "S3", "M8[s]"]
    answers = refusals = 0
    for _ in range(int(os.environ.get("ALCEDO_FUZZ", 600))):
        shape = tuple(rng.integers(0, 6, size=rng.integers(0, 5)))
        values = rng.choice([0.0, 1.0, -3.5, 1e-40, 1e30, np.nan, np.inf], p=[.2, .3, .3, .05, .05, .05, .05], size=shape)
        with np.errstate(all="ignore"):
            try:
                array = values.astype(dtypes[rng.integers(len(dtypes))])
            except (ValueError, TypeError, OverflowError):
                continue
        for axis in range(array.ndim):
            array = np.flip(array, axis) if rng.random() < 0.3 else array
        array = array.T if rng.random() < 0.3 else array
        method = rng.choice(["gmp", "sum", "mean", "max", "lp", "softmax", "democratic", "nothing"])
        keywords = {}
        if rng.random() < 0.3:
            keywords["offsets"] = rng.integers(-1, 7, size=rng.integers(0, 4))
        if rng.random() < 0.3:
            keywords |= {"blocks": rng.integers(-1, 3, size=rng.integers(0, 7)), "num_blocks": int(rng.integers(0, 3))}
        if method == "gmp":
            keywords |= {"lambda_": float(rng.choice([0, 1e-12, 1, 1e12, -1])), "relative": bool(rng.random() < 0.5)}
        try:
            got = alcedo.pool(array, str(method), **keywords)
            assert np.isfinite(got).all()
            answers += 1
        except (ValueError, TypeError):
            refusals += 1
    assert answers > 20 and refusals > 20


def test_options_are_documented():
    for method in alcedo._alcedo.pooling_methods():
        if method == "weighted":
            continue
        for keyword, default, kind, text in alcedo._alcedo.pooling_fields(method):
            assert f"    {keyword} : " in alcedo.pool.__doc__ and text
            if keyword != "relative":
                alcedo.pool(np.abs(random_rows(4, 3)), method, **{keyword: default})


def test_examples_of_the_page():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 10 and found.failed == 0


def test_import_is_light():
    code = ("import sys, alcedo\n"
            "assert not {'torch', 'sklearn', 'scipy', 'matplotlib', 'pandas', 'PIL', 'skimage'} & set(sys.modules)\n")
    subprocess.run([sys.executable, "-c", code], check=True)
