"""The linear system of GMP for a batch of bags: one Cholesky factorisation, and the gradient from the same factor.

Phi has the tokens of a bag as rows. With a = (Phi Phi' + lambda I)^-1 1 the pooled vector is phi = Phi'a (dual, N x N),
and the same phi is (Phi'Phi + lambda I)^-1 Phi'1 (primal, D x D). Nothing here is recorded by autograd.
"""

from typing import NamedTuple, Optional, Tuple

import torch
from torch import Tensor

# A Gram matrix is symmetric, and a Cholesky factorisation reads its lower triangle only. Strips of about this many rows
# leave most of the upper triangle out and are still large enough for the matrix product to be fast.
STRIP = 100

# On the CPU, bmm takes a vector as a matrix of one column, at a third of the speed of mv. From this size of a bag on,
# that is more than what a loop over the bags costs.
LARGE_BAG = 1 << 13

# A factor is trusted up to this rounding error: half of machine epsilon * the condition of the system. Trace / lambda
# bounds the condition, which settles most bags; the others have it estimated. Of 1,600 systems of float32, of seven
# kinds and up to 250 tokens, the errors of phi and of its gradient were at most 7 times this one, with nearly equal
# tokens, and below it with others.
TRUSTED_ERROR = 1e-4

# Steps of power and inverse iteration for the condition. From a start that has the share s of its length along the
# direction looked for, k steps find at least s^(1/k) of the norm: a third, with s = 1/30 and 3 steps.
STEPS_UP, STEPS_DOWN = 2, 3

# Weights go with the inverse square of the tokens, their gradients with the inverse cube: a pivot keeps this distance
# from the smallest number of its type.
SMALLEST_PIVOT = {torch.float32: 1e-20, torch.float64: 1e-150}


class Bags(NamedTuple):
    """What is solved. Tokens that a mask excludes are rows of zeros."""

    rows: Tensor     # B x N x D
    counts: Tensor   # B x N: 1 for a token, 0 for one that is excluded
    lambda_: Tensor  # B
    relative: bool   # lambda_ is multiplied by the mean squared norm of the bag's rows


class Solution(NamedTuple):
    """The answer, and what the gradient needs."""

    factor: Tensor   # lower triangular, of the smaller of the two systems
    phi: Tensor      # B x D
    weights: Tensor  # B x N, a
    penalty: Tensor  # B, lambda itself


def lower_gram(rows: Tensor) -> Tensor:
    """The lower triangle of ``rows @ rows.mT`` in the layout that LAPACK takes; what is above it is arbitrary."""
    batch, count, _ = rows.shape
    gram = rows.new_empty(batch, count, count).mT
    strips = -(-count // STRIP)
    for strip in range(strips):
        begin, end = count * strip // strips, count * (strip + 1) // strips
        torch.bmm(rows[:, begin:end], rows[:, :end].mT, out=gram[:, begin:end, :end])
    return gram


def substitute(factor: Tensor, right: Tensor) -> Tensor:
    """Solve with a Cholesky factor: B x k for B x k. torch.cholesky_solve does the same, and copies the factor."""
    half = torch.linalg.solve_triangular(factor, right.unsqueeze(-1), upper=False)
    whole: Tensor = torch.linalg.solve_triangular(factor.mT, half, upper=True)
    return whole.squeeze(-1)


def times(matrix: Tensor, vector: Tensor) -> Tensor:
    """B x n x k times B x k. Unlike matmul, bmm never joins bags into one product: a bag is computed by itself."""
    batch, count, width = matrix.shape
    if batch and count * width >= LARGE_BAG and matrix.device.type == "cpu":
        return torch.stack([torch.mv(rows, right) for rows, right in zip(matrix, vector)])
    return torch.bmm(matrix, vector.unsqueeze(-1)).squeeze(-1)


class Check(NamedTuple):
    """What is known of every bag's rounding errors without a look at the inverse."""

    sound: Tensor    # B: there is a factor, and its numbers are in range
    certain: Tensor  # B: lambda alone bounds the error
    squares: Tensor  # B x n: the diagonal of the Gram matrix


def solve(bags: Bags) -> Tuple[Solution, Check]:
    """The solution of every bag. One without a token gives zeros; one of zero tokens is sound after `settle_zeros`."""
    rows, ones, lambda_, relative = bags
    dual = rows.shape[1] <= rows.shape[2]
    system = lower_gram(rows if dual else rows.mT)
    diagonal = system.diagonal(dim1=1, dim2=2)
    squares = diagonal.clone()
    trace = squares.sum(1)
    penalty = lambda_
    if relative:
        size = ones.sum(1)
        penalty = torch.where(size == 0, torch.ones_like(lambda_), lambda_ * trace / size.clamp(min=1))
    diagonal.add_(penalty.unsqueeze(1))
    # In place: one matrix less, and a quarter of the time less, because nothing above the diagonal is copied.
    info = torch.empty(len(rows), dtype=torch.int32, device=rows.device)
    factor, _ = torch.linalg.cholesky_ex(system, out=(system, info))
    if dual:
        weights = substitute(factor, ones)
        phi = times(rows.mT, weights)
    else:
        phi = substitute(factor, times(rows.mT, ones))
        weights = (ones - times(rows, phi)) / penalty.unsqueeze(1)
    sound = (info == 0) & torch.isfinite(trace) & torch.isfinite(lambda_) & (lambda_ > 0)
    sound &= pivots_of(factor, squares) >= SMALLEST_PIVOT[rows.dtype]
    certain = torch.finfo(rows.dtype).eps / 2 * trace <= TRUSTED_ERROR * penalty
    return Solution(factor, phi, weights, penalty), Check(sound, certain, squares)


def pivots_of(factor: Tensor, squares: Tensor) -> Tensor:
    """The smallest of each bag. A zero row (or column) has lambda as its pivot and is coupled to nothing: it says
    nothing about rounding errors."""
    return factor.diagonal(dim1=1, dim2=2).square().masked_fill(squares == 0, float("inf")).amin(1)


def trusted(bags: Bags, solution: Solution, check: Check) -> Tensor:
    """Whether the error of every bag is small: what `certain` leaves open is estimated.

    Pivots alone do not bound the inverse: of a triangle of ones and -1, they are all 1 and it is 2^n. So inverse
    iteration starts from the solution, and from a vector of no pattern; each step gives a lower bound.
    """
    factor, squares = solution.factor, check.squares
    count = squares.shape[1]
    left = bags.rows if bags.rows.shape[1] == count else bags.rows.mT  # the system is left @ left.mT + penalty
    right = left.mT
    place = torch.arange(1, count + 1, dtype=factor.dtype, device=factor.device)
    patternless = torch.cos(place * place * 0.7548776662).expand(len(factor), count)
    known = solution.weights if solution.weights.shape[1] == count else solution.phi
    alone = (squares == 0).unsqueeze(2)
    norm, inverse = squares.amax(1), 1 / pivots_of(factor, squares)
    vectors = torch.stack((torch.ones_like(patternless), patternless), 2)
    for _ in range(STEPS_UP):
        vectors = torch.bmm(left, torch.bmm(right, unit(vectors)))
        norm = torch.maximum(norm, length(vectors).amax((1, 2)))
    vectors = torch.stack((known, patternless), 2).masked_fill(alone, 0)
    for _ in range(STEPS_DOWN):
        half = torch.linalg.solve_triangular(factor, unit(vectors), upper=False)
        vectors = torch.linalg.solve_triangular(factor.mT, half, upper=True)
        inverse = torch.maximum(inverse, length(vectors).amax((1, 2)))
    error = torch.finfo(factor.dtype).eps / 2 * norm * inverse
    found: Tensor = check.sound & (check.certain | (error <= TRUSTED_ERROR))
    return found


def length(vectors: Tensor) -> Tensor:
    """Of every column, B x 1 x k; squares of the numbers may leave the range of their type."""
    largest = vectors.abs().amax(1, keepdim=True).clamp(min=torch.finfo(vectors.dtype).tiny)
    found: Tensor = largest * (vectors / largest).square().sum(1, keepdim=True).sqrt()
    return found


def unit(vectors: Tensor) -> Tensor:
    """Columns of length 1; zeros stay zeros."""
    return vectors / length(vectors).clamp(min=torch.finfo(vectors.dtype).tiny)


def settle_zeros(bags: Bags, solution: Solution, check: Check) -> None:
    """A bag of zero tokens has no scale for a relative lambda: it gives zeros, and its gradient is zero."""
    if not bags.relative:
        return
    zero = (bags.rows == 0).flatten(1).all(1) & torch.isfinite(bags.lambda_) & (bags.lambda_ > 0)
    factor, phi, weights, penalty = solution
    factor[zero] = torch.eye(factor.shape[1], dtype=factor.dtype, device=factor.device)
    phi[zero], weights[zero], penalty[zero] = 0, 0, 1
    check.sound.logical_or_(zero)
    check.certain.logical_or_(zero)


def gradient(bags: Bags, solution: Solution, upstream: Tensor, of_weights: bool,
             rows_too: bool) -> Tuple[Optional[Tensor], Tensor]:
    """The gradients for rows and lambda_, from the gradient `upstream` of phi, or of the weights.

    With A = Phi'Phi + lambda I, A u = g and r = 1 - Phi phi they are, for the gradient g of phi and an absolute lambda,
    ``r u' - (Phi u) phi'`` and ``-u'phi``. The dual has them without a division by lambda: ``r = lambda a``,
    ``lambda u = g - Phi't`` and ``Phi u = t`` for ``(Phi Phi' + lambda I) t = Phi g``. For the gradient h of
    the weights t has h on its right-hand side, and g is zero.
    """
    rows, ones, lambda_, relative = bags
    factor, phi, weights, penalty = solution
    column = penalty.unsqueeze(1)
    if of_weights:
        upstream = upstream * ones  # the weight of an excluded token is always zero
    if rows.shape[1] <= rows.shape[2]:
        t = substitute(factor, upstream if of_weights else times(rows, upstream))
        u = -times(rows.mT, t)
        if not of_weights:
            u += upstream
        residual = weights
        for_penalty = -(t * weights).sum(1)
    else:
        scaled = upstream / column
        u = substitute(factor, -times(rows.mT, scaled) if of_weights else upstream)
        t = times(rows, u)
        residual = weights * column
        for_penalty = -(u * phi).sum(1)
        if of_weights:
            t += scaled
            for_penalty -= (scaled * weights).sum(1)
    for_lambda = for_penalty * penalty / lambda_ if relative else for_penalty
    if not rows_too:
        return None, for_lambda
    for_rows = torch.bmm(torch.stack((residual, -t), 1).mT, torch.stack((u, phi), 1))
    if relative:  # lambda is lambda_ / n times the sum of all squares, in which every row has its share
        share = 2 * lambda_ * for_penalty / ones.sum(1).clamp(min=1)
        for_rows.addcmul_(rows, share[:, None, None])
    return for_rows, for_lambda
