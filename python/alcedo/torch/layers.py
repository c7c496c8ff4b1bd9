"""GMP as a layer, with a lambda that is fixed or learned."""

import math
from typing import Any, Optional, Tuple

import torch
from torch import Tensor, nn

from alcedo.errors import InvalidArgument
from alcedo.torch.pooling import check_lambda, gmp


# A large step of an optimiser may lead anywhere. Of any tokens, up to 13,000, float64 solves a relative lambda of e^-18
# or 1.5e-8; an absolute one is only kept within the range of float32.
LARGEST_LOG = {True: 18.0, False: 60.0}


class Bounded(torch.autograd.Function):
    """Clamped; beyond a bound, a gradient passes that leads back, so that training can leave the bound again."""

    @staticmethod
    def forward(ctx: Any, log: Tensor, largest: float) -> Tensor:  # type: ignore[override]  # *args there
        ctx.save_for_backward(log)
        ctx.largest = largest
        return log.clamp(-largest, largest)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tuple[Optional[Tensor], ...]:  # type: ignore[override]
        log, = ctx.saved_tensors
        leads_out = (log > ctx.largest) & (upstream < 0) | (log < -ctx.largest) & (upstream > 0)
        return upstream.masked_fill(leads_out, 0), None


class _Layer(nn.Module):
    """Holds lambda as its logarithm: positive by construction, and the same name in a state_dict, fixed or learned."""

    log_lambda: Tensor

    def __init__(self, lambda_: float = 1.0, learned: bool = False, relative: bool = True) -> None:
        super().__init__()
        largest = LARGEST_LOG[bool(relative)]
        log = math.log(check_lambda(lambda_))
        if abs(log) > largest:
            raise InvalidArgument("lambda_", f"must be from {math.exp(-largest):.2g} to {math.exp(largest):.2g}",
                                  f"{float(lambda_):g}", "alcedo.torch.gmp takes others")
        value = torch.tensor(log)
        self.learned, self.relative = learned, relative
        if learned:
            self.log_lambda = nn.Parameter(value)
        else:
            self.register_buffer("log_lambda", value)

    @property
    def lambda_(self) -> Tensor:
        """lambda as a tensor, with its gradient if it is learned."""
        log = self.log_lambda if self.log_lambda.dtype == torch.float64 else self.log_lambda.float()
        within: Tensor = Bounded.apply(log, LARGEST_LOG[bool(self.relative)])
        return within.exp()

    def extra_repr(self) -> str:
        return f"lambda_={float(self.lambda_):.4g}, learned={self.learned}, relative={self.relative}"


class GeneralizedMaxPool(_Layer):
    """Pool tokens of (..., N, D), such as those of a vision transformer, into (..., D).

    Parameters
    ----------
    lambda_ : float
        Regularisation, > 0, at which training starts if it is learned.
    learned : bool
        Whether lambda is a parameter. It is kept as its logarithm, ``log_lambda``, and stays positive. Fixed or
        learned, a relative lambda is from 1.5e-8 to 6.6e7, which float64 solves for any tokens.
    relative : bool
        Take lambda times the mean squared norm of the bag's tokens.

    Examples
    --------
    >>> import torch, alcedo.torch
    >>> pool = alcedo.torch.GeneralizedMaxPool(learned=True)
    >>> pool
    GeneralizedMaxPool(lambda_=1, learned=True, relative=True)
    >>> pool(torch.randn(8, 196, 384)).shape
    torch.Size([8, 384])
    """

    def forward(self, tokens: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        """`mask` as in `gmp`: (..., N), True for a token that counts."""
        return gmp(tokens, self.lambda_, mask, relative=self.relative)


class GeneralizedMaxPool2d(_Layer):
    """Pool feature maps of (B, C, H, W) into (B, C, 1, 1), in place of ``torch.nn.AdaptiveAvgPool2d(1)``.

    Every position of the map is a token of C numbers. (C, H, W) gives (C, 1, 1). The result is not on the scale of
    the map, as an average is, but on its inverse: let a normalisation follow.

    Parameters
    ----------
    lambda_, learned, relative
        As in `GeneralizedMaxPool`.

    Examples
    --------
    >>> import torch, alcedo.torch
    >>> pool = alcedo.torch.GeneralizedMaxPool2d(0.5)
    >>> pool(torch.randn(8, 64, 7, 7)).shape
    torch.Size([8, 64, 1, 1])
    """

    def forward(self, maps: Tensor) -> Tensor:
        if maps.dim() not in (3, 4):
            raise InvalidArgument("maps", "must be (B, C, H, W) or (C, H, W)", str(tuple(maps.shape)))
        return gmp(maps.flatten(-2).mT, self.lambda_, relative=self.relative)[..., None, None]
