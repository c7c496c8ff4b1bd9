"""gmp and gmp_weights of tensors."""

import math
from typing import Any, Optional, Union, cast

import torch
from torch import Tensor
from torch.nn import functional

from alcedo.errors import InvalidArgument
from alcedo.torch.autograd import Gmp


def check_lambda(lambda_: object) -> float:
    """A number as lambda: it is checked here, and a tensor with the tokens, so that the host waits for a GPU once."""
    if isinstance(lambda_, (str, bytes, bool)) or not hasattr(lambda_, "__float__"):
        raise TypeError(f"lambda_ must be a number or a tensor, got {lambda_!r}")
    value = float(cast(Any, lambda_))
    if not 0 < value < math.inf:
        raise InvalidArgument("lambda_", "must be finite and > 0", f"{value:g}",
                              "with 0, linearly dependent tokens have no gradient: take a small one such as 1e-3, or "
                              "alcedo.pool, which takes 0")
    return value


def _apply(tokens: Tensor, lambda_: Union[float, Tensor], mask: Optional[Tensor], relative: bool,
           of_weights: bool) -> Tensor:
    if not isinstance(tokens, Tensor):
        raise TypeError(f"tokens must be a tensor, got {type(tokens).__name__} (alcedo.pool takes arrays)")
    if not tokens.is_floating_point():
        raise TypeError(f"tokens must be floating-point numbers, not of {str(tokens.dtype)[6:]}")
    if tokens.dim() < 2 or tokens.shape[-1] == 0:
        raise InvalidArgument("tokens", "must be (..., N, D) with D >= 1", str(tuple(tokens.shape)))
    leading, count = tokens.shape[:-2], tokens.shape[-2]
    batch = math.prod(leading)
    compute = torch.float64 if tokens.dtype == torch.float64 else torch.float32
    if isinstance(lambda_, Tensor):
        if lambda_.is_complex() or lambda_.dtype == torch.bool:
            raise TypeError(f"lambda_ must be real numbers, not of {str(lambda_.dtype)[6:]}")
        try:
            lambda_ = lambda_.to(tokens.device, compute).expand(leading).reshape(batch)
        except RuntimeError:
            raise InvalidArgument("lambda_", f"must be broadcastable to {tuple(leading)}",
                                  str(tuple(lambda_.shape))) from None
    else:
        value, range_ = check_lambda(lambda_), torch.finfo(compute)
        if not range_.tiny <= value <= range_.max:
            raise InvalidArgument("lambda_", f"must be from {range_.tiny:.2g} to {range_.max:.2g} for tokens of "
                                  f"{str(tokens.dtype)[6:]}", f"{value:g}")
        lambda_ = tokens.new_full((batch,), value, dtype=compute)
    if mask is not None:
        if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
            raise TypeError("mask must be a tensor of bool: True for a token that counts")
        try:
            mask = mask.expand(tokens.shape[:-1]).reshape(batch, count)
        except RuntimeError:
            raise InvalidArgument("mask", f"must be broadcastable to {tuple(tokens.shape[:-1])}",
                                  str(tuple(mask.shape))) from None
    rows = tokens.reshape(batch, count, tokens.shape[-1])
    if count == 0:  # as one token that does not count
        rows, mask = functional.pad(rows, (0, 0, 0, 1)), torch.zeros(batch, 1, dtype=torch.bool, device=tokens.device)
    answer: Tensor = Gmp.apply(rows, lambda_, mask, relative, of_weights, tuple(leading))
    return answer[:, :count].reshape(tokens.shape[:-1]) if of_weights else answer.reshape(*leading, tokens.shape[-1])


def gmp(tokens: Tensor, lambda_: Union[float, Tensor] = 1.0, mask: Optional[Tensor] = None, *,
        relative: bool = True) -> Tensor:
    """Pool the tokens of every bag into one vector: ``(Phi'Phi + lambda I)^-1 Phi'1`` with the tokens as rows of Phi.

    It is `alcedo.pool` with a gradient, on any device. The gradient is that of the exact solution (implicit
    differentiation): no iterations are recorded, and the backward pass reuses the one Cholesky factor of the forward
    pass, of the N x N or the D x D system, whichever is smaller.

    Parameters
    ----------
    tokens : tensor of (..., N, D)
        A bag of N tokens, or a batch of bags. With N = 0 the result is zeros.
    lambda_ : float, or tensor that broadcasts to the leading dimensions
        Regularisation, > 0. A tensor gets a gradient.
    mask : tensor of bool that broadcasts to (..., N), optional
        True for a token that counts. What excluded tokens hold does not matter, their gradient is zero, and a bag
        without tokens gives zeros.
    relative : bool
        Take `lambda_` times the mean squared norm of the bag's tokens. The gradient includes this dependence on the
        tokens. A bag of zero tokens gives zeros, and its gradient is taken as zero.

    Returns
    -------
    tensor of (..., D)
        In the type of the tokens. float16 and bfloat16 are computed in float32, under autocast, too.

    Raises
    ------
    InvalidArgument
        Which is a ValueError: for lambda_ <= 0, for NaN or infinity in a token that counts (it names the first), and if
        the result does not fit its type, or float64 is not enough for a small lambda. Nothing else gives NaN.

    Notes
    -----
    Bags whose float32 factor may be off by more than a thousandth, with small lambdas and dependent tokens, are solved
    again in float64, and only those; on the CPU, if the device has no float64. A relative lambda of at least N / 1600
    needs no such check; below, the condition of the system is estimated from its factor, which takes about half as
    long again, and on a GPU as long again. There the check lets the host wait once for each call, and a few times
    below. Only first derivatives exist: a second backward pass through the gradient is a RuntimeError. Bags do not
    influence each other. On CUDA, ``torch.backends.cuda.matmul.allow_tf32`` applies to the products in here as to all
    others, and is not accounted for in the check: gradients were then off by 8e-4 to 3.6e-3.

    Examples
    --------
    >>> import torch, alcedo.torch
    >>> tokens = torch.tensor([[1.0, 0.0]] * 99 + [[0.0, 1.0]], requires_grad=True)
    >>> tokens.mean(0).detach()
    tensor([0.9900, 0.0100])
    >>> phi = alcedo.torch.gmp(tokens)
    >>> phi.detach()
    tensor([0.9900, 0.5000])
    >>> phi.sum().backward()
    >>> tokens.grad.shape
    torch.Size([100, 2])

    Bags of different sizes are padded and masked:

    >>> bags = [torch.ones(3, 2), torch.eye(2)]
    >>> padded = torch.nn.utils.rnn.pad_sequence(bags, batch_first=True)
    >>> mask = torch.arange(3) < torch.tensor([[3], [2]])
    >>> alcedo.torch.gmp(padded, 1.0, mask)
    tensor([[0.3750, 0.3750],
            [0.5000, 0.5000]])
    """
    return _apply(tokens, lambda_, mask, relative, False)


def gmp_weights(tokens: Tensor, lambda_: Union[float, Tensor] = 1.0, mask: Optional[Tensor] = None, *,
                relative: bool = True) -> Tensor:
    """The weight of every token in GMP: ``weights @ tokens`` is ``gmp(tokens)``. It has a gradient, too.

    Parameters
    ----------
    tokens, lambda_, mask, relative
        As in `gmp`.

    Returns
    -------
    tensor of (..., N)
        Zero for tokens that do not count.

    Examples
    --------
    >>> import torch, alcedo.torch
    >>> tokens = torch.tensor([[1.0, 0.0]] * 3 + [[0.0, 1.0]])
    >>> alcedo.torch.gmp_weights(tokens, 0.1)
    tensor([0.3226, 0.3226, 0.3226, 0.9091])
    """
    return _apply(tokens, lambda_, mask, relative, True)
