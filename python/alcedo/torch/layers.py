"""GMP as a layer, with a lambda that is fixed or learned."""

import math
from typing import Optional

import torch
from torch import Tensor, nn

from alcedo.errors import InvalidArgument
from alcedo.torch.pooling import check_lambda, gmp


# A large step of an optimiser may lead anywhere. In float32, exp is infinite beyond 88, and zero below -103.
LARGEST_LOG = 60.0


class _Layer(nn.Module):
    """Holds lambda as its logarithm: positive by construction, and the same name in a state_dict, fixed or learned."""

    log_lambda: Tensor

    def __init__(self, lambda_: float = 1.0, learned: bool = False, relative: bool = True) -> None:
        super().__init__()
        value = torch.tensor(math.log(check_lambda(lambda_)))
        self.learned, self.relative = learned, relative
        if learned:
            self.log_lambda = nn.Parameter(value)
        else:
            self.register_buffer("log_lambda", value)

    @property
    def lambda_(self) -> Tensor:
        """lambda as a tensor, with its gradient if it is learned."""
        log = self.log_lambda if self.log_lambda.dtype == torch.float64 else self.log_lambda.float()
        return log.clamp(-LARGEST_LOG, LARGEST_LOG).exp() if self.learned else log.exp()

    def extra_repr(self) -> str:
        return f"lambda_={float(self.lambda_):.4g}, learned={self.learned}, relative={self.relative}"


class GeneralizedMaxPool(_Layer):
    """Pool tokens of (..., N, D), such as those of a vision transformer, into (..., D).

    Parameters
    ----------
    lambda_ : float
        Regularisation, > 0, where training starts if it is learned.
    learned : bool
        Whether lambda is a parameter. It is kept as its logarithm, ``log_lambda``, and stays positive.
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
