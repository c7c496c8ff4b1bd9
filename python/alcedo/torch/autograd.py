"""GMP as an operation that autograd knows: types of numbers, bags that float32 cannot solve, and what is wrong."""

import contextlib
from typing import Any, ContextManager, List, Optional, Tuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from alcedo.errors import InvalidArgument
from alcedo.torch.solver import Bags, Solution, gradient, settle_zeros, solve, trusted


def without_autocast(device: torch.device) -> ContextManager[Any]:
    """Autocast would make the products of the solver float16, in the backward pass, too."""
    try:
        off: ContextManager[Any] = torch.autocast(device.type, enabled=False)  # type: ignore[attr-defined]
        return off
    except RuntimeError:  # a device that has no autocast
        return contextlib.nullcontext()


def bags_of(tokens: Tensor, lambda_: Tensor, mask: Optional[Tensor], relative: bool) -> Bags:
    """In the type of lambda_, with zeros for excluded tokens, whatever they hold."""
    rows = tokens.to(lambda_.dtype)
    if mask is None:
        return Bags(rows, rows.new_ones(rows.shape[:2]), lambda_, relative)
    return Bags(rows.masked_fill(~mask.unsqueeze(2), 0), mask.to(rows.dtype), lambda_, relative)


def to_double(tensor: Tensor) -> Tensor:
    """On the same device, or on the CPU if the device has no float64, as Apple's."""
    try:
        return tensor.double()
    except (TypeError, RuntimeError):
        return tensor.cpu().to(torch.float64)


def in_double(bags: Bags, index: Tensor) -> Bags:
    rows, counts, lambda_, relative = bags
    return Bags(to_double(rows[index]), to_double(counts[index]), to_double(lambda_[index]), relative)


def name_of(bag: int, leading: Tuple[int, ...]) -> str:
    """``tokens[2, 5]`` for a bag of a batch with these dimensions."""
    place: List[str] = []
    for size in reversed(leading):
        bag, digit = divmod(bag, size)
        place.insert(0, str(digit))
    return f"tokens[{', '.join(place)}]" if place else "tokens"


def refusal(bags: Bags, bag: int, fits: bool, name: str, dtype: torch.dtype) -> InvalidArgument:
    """Why a bag has no answer in float64."""
    rows, lambda_ = bags.rows[bag], float(bags.lambda_[bag])
    if not 0 < lambda_ < float("inf"):
        return InvalidArgument("lambda_", "must be finite and > 0", f"{lambda_:g} for {name}", "alcedo.pool takes 0")
    wrong = torch.isfinite(rows).logical_not().nonzero()
    if len(wrong):
        row, column = wrong[0].tolist()
        value = "NaN" if torch.isnan(rows[row, column]) else "infinite"
        return InvalidArgument("", f"{name}: row {row}, column {column} is {value}", "")
    if not 1e-140 < float(rows.square().sum()) < float("inf"):
        return InvalidArgument("", f"{name}: the squares of its numbers leave the range of float64", "",
                               "scale the tokens")
    if not fits:
        return InvalidArgument("", f"{name}: the result has numbers that {str(dtype)[6:]} cannot hold", "",
                               "scale the tokens")
    return InvalidArgument("lambda_", f"is too small for {name}: float64 would not keep three digits", f"{lambda_:g}",
                           "take a larger one, or alcedo.pool")


class Gmp(torch.autograd.Function):
    """phi, or the weights, of B x N x D tokens with B lambdas. The lambdas have the type that is computed in."""

    @staticmethod
    def forward(ctx: Any, tokens: Tensor, lambda_: Tensor,  # type: ignore[override]  # they are called *args there
                mask: Optional[Tensor], relative: bool, of_weights: bool, leading: Tuple[int, ...]) -> Tensor:
        def answer_of(solution: Solution) -> Tensor:  # a copy, which may be changed in place by who gets it
            return (solution.weights if of_weights else solution.phi).to(tokens.dtype, copy=True)

        index: Optional[Tensor] = None
        again: Tuple[Tensor, ...] = ()
        with without_autocast(tokens.device):
            bags = bags_of(tokens, lambda_, mask, relative)
            solution, check = solve(bags)
            answer = answer_of(solution)
            check.sound.logical_and_(torch.isfinite(answer).all(1))
            by_difference = of_weights and bags.rows.shape[1] > bags.rows.shape[2]  # 1 - Phi phi, divided by lambda
            if by_difference:
                check.sound.logical_and_(check.certain)
            if not bool((check.sound & check.certain).all()):  # the one point where the host usually waits for a GPU
                settle_zeros(bags, solution, check)
                answer = answer_of(solution)
                index = trusted(bags, solution, check).logical_not().nonzero().squeeze(1)
                if len(index):
                    double = in_double(bags, index)
                    again, check = solve(double)
                    if by_difference:
                        check.sound.logical_and_(check.certain)
                    better = answer_of(again)
                    fits = torch.isfinite(better).all(1)
                    for bag in (trusted(double, again, check) & fits).logical_not().nonzero().flatten().tolist():
                        raise refusal(double, bag, bool(fits[bag]), name_of(int(index[bag]), leading), tokens.dtype)
                    answer[index] = better.to(answer.device)
        ctx.relative, ctx.of_weights = relative, of_weights
        ctx.save_for_backward(tokens, lambda_, mask, index, *solution, *again)
        return answer

    @staticmethod
    @once_differentiable  # type: ignore[misc]  # it has no types
    def backward(ctx: Any, upstream: Tensor) -> Tuple[Optional[Tensor], ...]:
        tokens, lambda_, mask, index, *solutions = ctx.saved_tensors
        rows_too = ctx.needs_input_grad[0]
        with without_autocast(tokens.device):
            bags = bags_of(tokens, lambda_, mask, ctx.relative)
            upstream = upstream.to(lambda_.dtype)
            rows, lambdas = gradient(bags, Solution(*solutions[:4]), upstream, ctx.of_weights, rows_too)
            if index is not None and len(index):
                exact, exact_lambdas = gradient(in_double(bags, index), Solution(*solutions[4:]),
                                                to_double(upstream[index]), ctx.of_weights, rows_too)
                lambdas[index] = exact_lambdas.to(lambdas)
                if rows is not None and exact is not None:
                    rows[index] = exact.to(rows)
        return None if rows is None else rows.to(tokens.dtype), lambdas, None, None, None, None
