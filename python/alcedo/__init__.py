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
from alcedo.datasets import Dataset, read_dataset
from alcedo.encoder import Encoder
from alcedo.errors import AlcedoError, ConvergenceWarning, FormatError, InvalidArgument, IoError
from alcedo.image_encoder import ImageEncoder
from alcedo.images import Descriptors, describe
from alcedo.model import Model, load_model
from alcedo.normalization import l2_normalize, power_normalize
from alcedo.pca import Pca
from alcedo.pooling import pool
from alcedo.pyramid import spatial_pyramid
from alcedo.store import FeatureStore, open_store
from alcedo.vocabulary import Vocabulary
from alcedo.weights import democratic, gmp_weights, weights_from_kernel
from alcedo.words import Codebook, Dictionary, GaussianMixture, RandomFourier

__all__ = [
    "AlcedoError",
    "Codebook",
    "ConvergenceWarning",
    "Dataset",
    "Descriptors",
    "Dictionary",
    "Encoder",
    "Encodings",
    "FeatureStore",
    "FormatError",
    "GaussianMixture",
    "GmpAccumulator",
    "ImageEncoder",
    "InvalidArgument",
    "IoError",
    "Model",
    "Pca",
    "RandomFourier",
    "SolveReport",
    "Vocabulary",
    "__version__",
    "democratic",
    "describe",
    "gmp_weights",
    "l2_normalize",
    "load_model",
    "open_store",
    "pool",
    "power_normalize",
    "read_dataset",
    "spatial_pyramid",
    "weights_from_kernel",
]
