"""Bags that float32 cannot solve, those that float64 cannot, and devices that have no float64."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (apt-get install python3-torch)")

import alcedo  # noqa: E402
import alcedo.torch as at  # noqa: E402
from test_torch import close, gradients, naive, one_thread  # noqa: E402, F401: the last is a fixture


@pytest.mark.parametrize("n, d", [(30, 8), (8, 30)])
def test_what_float32_cannot_solve_is_solved_in_float64(n, d):
    row = torch.randn(d)
    hard = (row + 1e-5 * torch.randn(n, d))  # nearly the same token n times
    tokens = torch.stack([torch.randn(n, d), hard]).requires_grad_()
    exact = tokens.detach().double().requires_grad_()
    want = torch.stack([naive(t, 1e-7) for t in exact])
    got = at.gmp(tokens, 1e-7)
    close(got[1], want[1], 1e-6)
    close(gradients(got, tokens)[0], gradients(want, exact)[0], 1e-3)


def triangle(n, c):
    """Unit pivots, and a condition of (1 + c)^2n: rows of 1 on the diagonal and -c below it."""
    return torch.tril(torch.full((n, n), -c), -1) + torch.eye(n)


def by_orthogonal_factors(tokens, lambda_):
    """phi in float64 without the Gram matrix, whose condition is the square of that of the tokens."""
    rows = tokens.double()
    ridge = (lambda_ * rows.square().sum() / len(rows)).sqrt() * torch.eye(rows.shape[1], dtype=rows.dtype)
    q, r = torch.linalg.qr(torch.cat([rows, ridge]))
    return torch.linalg.solve_triangular(r, q[:len(rows)].sum(0)[:, None], upper=True)[:, 0]


HARD = [(triangle(30, 0.7), 1e-9), (triangle(30, 1.0), 1e-9), (triangle(20, 0.5), 1e-9),
        (torch.tril(torch.randn(30, 30, generator=torch.Generator().manual_seed(2)), -1) + torch.eye(30), 1e-6)]


@pytest.mark.parametrize("tokens, lambda_", HARD)
@pytest.mark.parametrize("of", ["all", "columns", "rows", "transposed"])
def test_large_pivots_do_not_hide_a_bad_condition(tokens, lambda_, of):
    tokens = {"all": tokens, "columns": tokens[:, :-3], "rows": tokens[3:], "transposed": tokens.mT}[of]
    want = by_orthogonal_factors(tokens, lambda_)
    single, double = tokens.clone().requires_grad_(), tokens.double().requires_grad_()
    close(at.gmp(single, lambda_), want, 1e-4)
    close(gradients(at.gmp(single, lambda_), single)[0], gradients(at.gmp(double, lambda_), double)[0], 1e-3)
    batch = torch.stack([torch.randn(tokens.shape), tokens])
    assert at.gmp(batch, lambda_)[1].equal(at.gmp(tokens, lambda_))


@pytest.mark.parametrize("scale", [1e-8, 1e12])
def test_the_scale_of_tokens_does_not_matter_to_the_check(scale):
    tokens = triangle(20, 0.5)
    close(scale * at.gmp(scale * tokens, 1e-9), by_orthogonal_factors(tokens, 1e-9), 1e-4)


@pytest.mark.parametrize("lambda_", [1e-14, 1e-18, 1e-22])
def test_what_float64_cannot_solve_is_refused(lambda_):
    with pytest.raises(alcedo.InvalidArgument, match="is too small for tokens: float64 would not keep three digits"):
        at.gmp(triangle(40, 0.7).double(), lambda_)


@pytest.mark.parametrize("lambda_", [1e-3, 1e-5, 1e-7])
def test_weights_that_are_small_differences_keep_their_digits(lambda_):
    """Of more tokens than dimensions they are (1 - Phi phi) / lambda, small with a constant dimension."""
    tokens = torch.randn(12, 3)
    tokens[:, 0] = 1
    single, double = tokens.clone().requires_grad_(), tokens.double().requires_grad_()
    got = at.gmp_weights(single, lambda_)
    close(got, naive(tokens, lambda_, weights=True), 1e-4)
    slope = torch.autograd.grad(got @ tokens[:, 1], single)[0]
    close(slope, torch.autograd.grad(at.gmp_weights(double, lambda_) @ tokens[:, 1].double(), double)[0], 1e-3)


@pytest.mark.parametrize("relative", [True, False])
def test_a_device_without_float64_is_enough(relative, monkeypatch):
    """Bags of zeros are found in the type of the tokens; what must be in float64 goes to the CPU."""
    moved = []
    to_cpu = torch.Tensor.cpu

    def without_double(tensor):
        raise TypeError("Cannot convert a MPS Tensor to float64 dtype")

    zero = torch.zeros(2, 5, 3, requires_grad=True)
    hard = torch.stack([triangle(20, 0.5), torch.randn(20, 20)]).requires_grad_()
    want = gradients(at.gmp(hard, 1e-9), hard)[0]
    monkeypatch.setattr(torch.Tensor, "double", without_double)
    monkeypatch.setattr(torch.Tensor, "cpu", lambda tensor: moved.append(1) or to_cpu(tensor))
    phi = at.gmp(zero, relative=relative)
    slope = gradients(phi, zero)[0]
    assert phi.eq(0).all() and not moved and slope.eq(0).all() == relative
    assert gradients(at.gmp(hard, 1e-9), hard)[0].equal(want) and moved
    zero.detach()[1, 2, 0] = float("nan")
    with pytest.raises(alcedo.InvalidArgument, match=r"^tokens\[1\]: row 2, column 0 is NaN$"):
        at.gmp(zero)
