"""Generalized max pooling: local descriptors to one vector in which a rare patch counts as much as a thousand others.

>>> import alcedo, numpy as np
>>> rows = np.array([[1.0, 0.0]] * 99 + [[0.0, 1.0]])   # 99 patches of sky, one of a bird
>>> rows.sum(axis=0)
array([99.,  1.])
>>> alcedo.pool(rows, lambda_=0.001, relative=False).round(2)
array([1., 1.])
"""

from alcedo._alcedo import Encodings, SolveReport, __version__
from alcedo.accumulator import GmpAccumulator
from alcedo.errors import AlcedoError, ConvergenceWarning, FormatError, InvalidArgument, IoError
from alcedo.normalization import l2_normalize, power_normalize
from alcedo.pooling import democratic, gmp_weights, pool, spatial_pyramid, weights_from_kernel

__all__ = [
    "AlcedoError",
    "ConvergenceWarning",
    "Encodings",
    "FormatError",
    "GmpAccumulator",
    "InvalidArgument",
    "IoError",
    "SolveReport",
    "__version__",
    "democratic",
    "gmp_weights",
    "l2_normalize",
    "pool",
    "power_normalize",
    "spatial_pyramid",
    "weights_from_kernel",
]
