"""The PyTorch layer against the formula, solved by torch.linalg.solve in float64 and differentiated by autograd."""

import copy
import doctest
import importlib
import pathlib

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (apt-get install python3-torch)")

import alcedo  # noqa: E402
import alcedo.torch as at  # noqa: E402

SHAPES = [(5, 12), (12, 5), (7, 7), (1, 4), (4, 1)]
PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "python-torch.md"


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)
    torch.manual_seed(0)


def naive(tokens, lambda_, relative=True, weights=False):
    """Eq. 6 of one bag in float64, or the weights (Phi Phi' + lambda I)^-1 1, in operations that autograd knows."""
    rows = tokens.double()
    n, d = rows.shape
    lam = lambda_ * rows.square().sum() / n if relative else lambda_
    if weights:
        return torch.linalg.solve(rows @ rows.T + lam * torch.eye(n, dtype=rows.dtype), rows.new_ones(n, 1))[:, 0]
    return torch.linalg.solve(rows.T @ rows + lam * torch.eye(d, dtype=rows.dtype), rows.sum(0)[:, None])[:, 0]


def close(got, want, rtol=1e-9):
    torch.testing.assert_close(got.double(), want.double(), rtol=rtol, atol=rtol * float(want.abs().max()))


def gradients(result, *inputs):
    """Of a fixed linear function of the result: its coefficients are not all alike."""
    slope = torch.linspace(-1, 2, result.numel(), dtype=result.dtype).reshape(result.shape)
    return torch.autograd.grad(result, inputs, slope)


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("n, d", SHAPES + [(150, 210), (210, 150)])  # the last two: Gram matrices in strips, large bags
def test_values_and_gradients_are_those_of_the_formula(n, d, relative):
    tokens = torch.randn(2, n, d, dtype=torch.float64, requires_grad=True)
    lambdas = torch.tensor([0.3, 2.0], dtype=torch.float64, requires_grad=True)
    for operation, weights in ((at.gmp, False), (at.gmp_weights, True)):
        want = torch.stack([naive(t, lam, relative, weights) for t, lam in zip(tokens, lambdas)])
        got = operation(tokens, lambdas, relative=relative)
        close(got, want)
        for g, w in zip(gradients(got, tokens, lambdas), gradients(want, tokens, lambdas)):
            close(g, w, 1e-7)


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("operation", [at.gmp, at.gmp_weights])
@pytest.mark.parametrize("n, d", SHAPES)
def test_gradcheck(n, d, operation, relative):
    tokens = torch.randn(3, n, d, dtype=torch.float64, requires_grad=True)
    lambda_ = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64, requires_grad=True)
    mask = torch.rand(3, n) < 0.7
    mask[1] = False  # a bag without tokens
    for given in (None, mask):
        assert torch.autograd.gradcheck(lambda t, lam: operation(t, lam, given, relative=relative), (tokens, lambda_))


def test_numpy_package_gives_the_same():
    for n, d in SHAPES:
        tokens = torch.randn(n, d, dtype=torch.float64)
        close(at.gmp(tokens, 0.3), torch.from_numpy(alcedo.pool(tokens.numpy(), lambda_=0.3)), 1e-5)
        close(at.gmp_weights(tokens, 0.3), torch.from_numpy(alcedo.gmp_weights(tokens.numpy(), lambda_=0.3)), 1e-5)


def test_weights_give_the_vector():
    tokens = torch.randn(3, 9, 4)
    close(torch.einsum("bn,bnd->bd", at.gmp_weights(tokens), tokens), at.gmp(tokens), 1e-5)


def test_lambda_broadcasts_and_gets_its_gradient_alone():
    tokens = torch.randn(2, 3, 6, 4, dtype=torch.float64)
    lambda_ = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
    got = at.gmp(tokens, lambda_)
    want = torch.stack([torch.stack([naive(t, lam) for t, lam in zip(bags, lambda_)]) for bags in tokens])
    close(got, want)
    close(gradients(got, lambda_)[0], gradients(want, lambda_)[0], 1e-7)
    assert at.gmp(tokens, 1).shape == (2, 3, 4)
    assert at.gmp(tokens, torch.tensor(1)).equal(at.gmp(tokens))


@pytest.mark.parametrize("n, d", SHAPES)
def test_a_padded_bag_is_the_bag_without_its_padding(n, d):
    bag = torch.randn(n, d, dtype=torch.float64, requires_grad=True)
    padding = torch.full((3, d), float("nan"), dtype=torch.float64)
    padded = torch.cat([bag.detach(), padding]).requires_grad_()
    mask = torch.arange(n + 3) < n
    got, want = at.gmp(padded, 0.5, mask), at.gmp(bag, 0.5)
    close(got, want)
    slope, = gradients(got, padded)
    close(slope[:n], gradients(want, bag)[0], 1e-7)
    assert slope[n:].eq(0).all(), "excluded tokens have no gradient"
    assert at.gmp_weights(padded, 0.5, mask)[n:].eq(0).all()


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("n, d", [(5, 12), (12, 5)])
def test_bags_of_nothing_give_zeros(n, d, dtype, relative):
    tokens = torch.randn(4, n, d, dtype=dtype)
    tokens[1] = 0  # only zero tokens
    tokens[2, 1] = 0  # a zero token
    mask = torch.ones(4, n, dtype=torch.bool)
    mask[3] = False  # no token
    tokens.requires_grad_()
    phi = at.gmp(tokens, 1.0, mask, relative=relative)
    slope, = gradients(phi, tokens)
    assert phi[[1, 3]].eq(0).all() and torch.isfinite(slope).all()
    assert slope[3].eq(0).all() and slope[0].ne(0).any()
    assert slope[1].eq(0).all() == relative  # with an absolute lambda it is the gradient of the sum over lambda
    close(slope[2], gradients(at.gmp(tokens, relative=relative), tokens)[0][2], 1e-5)
    for shape in ((0, 3), (2, 0, 3), (0, 5, 3)):
        empty = torch.zeros(shape, dtype=dtype, requires_grad=True)
        assert at.gmp(empty).equal(torch.zeros(shape[:-2] + shape[-1:], dtype=dtype))
        assert at.gmp_weights(empty).shape == shape[:-1]
        at.gmp(empty).sum().backward()
        assert empty.grad.shape == shape


@pytest.mark.parametrize("dtype, rtol", [(torch.float16, 2e-3), (torch.bfloat16, 2e-2)])
def test_half_precision_is_solved_in_float(dtype, rtol):
    tokens = torch.randn(2, 40, 16).to(dtype).requires_grad_()
    got = at.gmp(tokens)
    exact = tokens.detach().double().requires_grad_()
    want = torch.stack([naive(t, 1.0) for t in exact])
    assert got.dtype == dtype
    close(got, want, rtol)
    slope, = gradients(got, tokens)
    assert slope.dtype == dtype
    close(slope, gradients(want, exact)[0], 4 * rtol)


def test_autocast_does_not_reach_the_solver():
    tokens = torch.randn(2, 40, 16, requires_grad=True)
    want = at.gmp(tokens)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        got = at.gmp(tokens)
        slope, = gradients(got, tokens)
    assert got.equal(want) and slope.equal(gradients(want, tokens)[0])


def test_layouts_bags_and_repetition_do_not_matter():
    tokens = torch.randn(6, 20, 10)
    want = at.gmp(tokens)
    assert at.gmp(tokens).equal(want)
    close(at.gmp(tokens.mT.contiguous().mT), want, 1e-5)
    close(at.gmp(torch.stack([tokens, tokens], 3)[..., 1]), want, 1e-5)
    close(at.gmp(tokens[:1].expand(3, -1, -1)), want[:1].expand(3, -1), 1e-5)
    assert torch.stack([at.gmp(bag) for bag in tokens]).equal(want)


def test_the_backward_pass_keeps_one_factor_and_no_copy_of_the_tokens():
    for n, d in ((20, 50), (50, 20)):
        tokens = torch.randn(8, n, d, requires_grad=True)
        kept = []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
            at.gmp(tokens)
        others = [t for t in kept if t.data_ptr() != tokens.data_ptr()]
        assert len(others) < len(kept) <= 6
        assert sum(t.numel() for t in others) <= 8 * (min(n, d) ** 2 + n + d + 2)


def test_there_is_no_second_derivative():
    tokens = torch.randn(5, 3, requires_grad=True)
    slope, = torch.autograd.grad(at.gmp(tokens).square().sum(), tokens, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        slope.sum().backward()


def test_the_result_may_be_changed_in_place():
    tokens = torch.randn(5, 8, requires_grad=True)
    phi = at.gmp(tokens)
    want, = torch.autograd.grad(2 * at.gmp(tokens).sum(), tokens)
    phi.mul_(2)
    close(torch.autograd.grad(phi.sum(), tokens)[0], want, 1e-6)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_what_is_not_finite_is_named(dtype):
    tokens = torch.ones(2, 3, 4, 5, dtype=dtype)
    tokens[1, 2, 3, 0] = float("nan")
    with pytest.raises(alcedo.InvalidArgument, match=r"^tokens\[1, 2\]: row 3, column 0 is NaN$"):
        at.gmp(tokens)
    with pytest.raises(ValueError, match=r"^tokens: row 1, column 4 is infinite$"):
        at.gmp(torch.tensor([[0.0] * 5, [0.0] * 4 + [float("inf")]], dtype=dtype))


def test_what_is_wrong_is_said():
    tokens = torch.randn(2, 3, 4)
    for lambda_ in (0, -1, float("nan"), float("inf")):
        for given in (lambda_, torch.tensor([1.0, lambda_])):
            with pytest.raises(alcedo.InvalidArgument, match="lambda_ must be finite and > 0") as caught:
                at.gmp(tokens, given)
            assert caught.value.option == "lambda_"
    for lambda_ in (1e39, 1e-50):
        with pytest.raises(alcedo.InvalidArgument, match=r"from 1.2e-38 to 3.4e\+38 for .* got 1e(-50|\+39)"):
            at.gmp(tokens, lambda_)
        assert torch.isfinite(at.gmp(torch.eye(3).double(), lambda_, relative=False)).all()
        with pytest.raises(alcedo.InvalidArgument, match="lambda_ must be from 1.5e-08 to 6.6e"):
            at.GeneralizedMaxPool(lambda_)
    for wrong, error, sentence in (
            ((tokens.numpy(),), TypeError, "tokens must be a tensor, got ndarray"),
            ((tokens.long(),), TypeError, "floating-point numbers, not of int64"),
            ((tokens[0, 0],), ValueError, r"tokens must be \(..., N, D\) with D >= 1, got \(4,\)"),
            ((tokens[..., :0],), ValueError, "with D >= 1"),
            ((tokens, "1"), TypeError, "lambda_ must be a number or a tensor"),
            ((tokens, torch.ones(3)), ValueError, r"lambda_ must be broadcastable to \(2,\), got \(3,\)"),
            ((tokens, 1.0, torch.ones(2, 3)), TypeError, "mask must be a tensor of bool"),
            ((tokens, 1.0, torch.ones(2, 4) > 0), ValueError, r"mask must be broadcastable to \(2, 3\), got \(2, 4\)")):
        with pytest.raises(error, match=sentence):
            at.gmp(*wrong)
    with pytest.raises(ValueError, match="float16 cannot hold"):
        at.gmp(torch.full((1, 1), 1e-6, dtype=torch.float16))
    with pytest.raises(ValueError, match="is too small"):
        at.gmp(torch.ones(5, 3), 1e-30)


def test_layers_stand_in_for_average_pooling():
    maps = torch.randn(3, 6, 4, 5)
    phi = at.gmp(maps.flatten(2).mT, 0.5)
    network = torch.nn.Sequential(at.GeneralizedMaxPool2d(0.5), torch.nn.Flatten())
    close(network(maps), phi, 1e-6)
    close(network(maps.to(memory_format=torch.channels_last)), phi, 1e-5)
    assert at.GeneralizedMaxPool2d()(maps[0]).shape == torch.nn.AdaptiveAvgPool2d(1)(maps[0]).shape
    close(at.GeneralizedMaxPool(0.5)(maps.flatten(2).mT), phi, 1e-6)
    with pytest.raises(ValueError, match="maps must be"):
        network(maps[0, 0])


@pytest.mark.parametrize("learned", [True, False])
def test_layers_are_copied_stored_and_converted(learned):
    pool = at.GeneralizedMaxPool(0.25, learned=learned)
    assert len(list(pool.parameters())) == learned
    tokens = torch.randn(2, 5, 3)
    want = pool(tokens)
    assert copy.deepcopy(pool)(tokens).equal(want)
    other = at.GeneralizedMaxPool(7.0, learned=not learned)  # what was learned can be loaded as fixed
    other.load_state_dict(pool.state_dict())
    assert other(tokens).equal(want)
    close(pool.double()(tokens.double()), want, 1e-5)
    close(pool.half()(tokens.half()), want, 5e-3)


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("step", [1.0, 1e4, -1e4])
def test_a_learned_lambda_stays_positive(step, repeated):
    pool = at.GeneralizedMaxPool(1.0, learned=True)
    optimizer = torch.optim.SGD(pool.parameters(), lr=abs(step))
    tokens = torch.randn(4, 6, 8)
    if repeated:
        tokens[:, 3:] = tokens[:, :3]
    before = float(pool.lambda_)
    for _ in range(3):
        optimizer.zero_grad()
        (step * pool(tokens).square().sum()).backward()
        optimizer.step()
        assert 0 < float(pool.lambda_) < float("inf")
        assert torch.isfinite(pool(tokens)).all()
    assert (float(pool.lambda_) > before) == (step > 0)


@pytest.mark.parametrize("log", [100.0, -100.0])
@pytest.mark.parametrize("count", [6, 400])
def test_training_leaves_the_bounds_of_lambda_again(log, count):
    tokens = torch.randn(2, 3, 8).repeat(1, count // 3, 1)
    fixed, pool = at.GeneralizedMaxPool(), at.GeneralizedMaxPool(learned=True)
    for layer in (fixed, pool):
        layer.load_state_dict({"log_lambda": torch.tensor(log)})
        assert torch.isfinite(layer(tokens)).all()
    assert pool(tokens).equal(fixed(tokens))
    sign = 1 if log < 0 else -1  # a larger lambda gives a smaller vector
    slope, = torch.autograd.grad(sign * pool(tokens).square().sum(), pool.log_lambda)
    assert slope * log > 0, "the way back is open"
    slope, = torch.autograd.grad(-sign * pool(tokens).square().sum(), pool.log_lambda)
    assert slope == 0
    optimizer = torch.optim.Adam(pool.parameters(), lr=1.0, eps=1e-30)  # far away, gradients are small
    for _ in range(100):
        optimizer.zero_grad()
        (sign * pool(tokens).square().sum()).backward()
        optimizer.step()
    assert abs(float(pool.log_lambda)) < 18


def test_it_trains():
    torch.manual_seed(1)
    pool = at.GeneralizedMaxPool(10.0, learned=True)
    target = at.gmp(tokens := torch.randn(16, 10, 4), 0.1)
    optimizer = torch.optim.Adam(pool.parameters(), lr=0.3)
    for _ in range(100):
        optimizer.zero_grad()
        (pool(tokens) - target).square().sum().backward()
        optimizer.step()
    assert abs(float(pool.lambda_) - 0.1) < 0.01


@pytest.mark.parametrize("name", ["alcedo.torch", "alcedo.torch.pooling", "alcedo.torch.layers"])
def test_examples_of_the_documentation_run(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0 and result.failed == 0


def test_the_page_runs():
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0 and result.failed == 0
