"""Generalized max pooling as a layer of a network, in PyTorch.

>>> import alcedo.torch, torch
>>> tokens = torch.tensor([[1.0, 0.0]] * 99 + [[0.0, 1.0]])   # 99 patches of sky, one of a bird
>>> alcedo.torch.gmp(tokens, lambda_=0.1)
tensor([0.9990, 0.9091])
"""

try:
    import torch as _torch  # noqa: F401: asked for here, so that who has no PyTorch reads what to install
except ImportError as error:
    raise ImportError("alcedo.torch needs PyTorch 1.13 or newer: apt-get install python3-torch, or pip install torch",
                      name="torch") from error

from alcedo.torch.layers import GeneralizedMaxPool, GeneralizedMaxPool2d
from alcedo.torch.pooling import gmp, gmp_weights

__all__ = ["GeneralizedMaxPool", "GeneralizedMaxPool2d", "gmp", "gmp_weights"]
