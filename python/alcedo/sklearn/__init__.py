"""Bags of descriptors in the pipelines of scikit-learn: pooling, encoders, vocabularies and a linear SVM.

>>> import numpy as np
>>> from alcedo.sklearn import GeneralizedMaxPooling
>>> bags = [np.array([[1.0, 0.0]] * 99 + [[0.0, 1.0]]), np.array([[1.0, 0.0]])]   # 99 patches of sky and a bird; sky
>>> GeneralizedMaxPooling(lambda_=0.001, relative=False).fit_transform(bags).round(2)
array([[1., 1.],
       [1., 0.]])
"""

try:
    import sklearn as _sklearn  # asked for here, so that who has none, or an old one, reads what to install

    if tuple(int(part) for part in _sklearn.__version__.split(".")[:2]) < (1, 2):
        raise ImportError(f"version {_sklearn.__version__} is installed")
except ImportError as error:
    raise ImportError(f"alcedo.sklearn needs scikit-learn 1.2 or newer ({error}): apt-get install python3-sklearn, "
                      "or pip install scikit-learn", name="sklearn") from error

from alcedo.sklearn.encoders import EfficientMatchKernel, FisherVectors, Vlad
from alcedo.sklearn.normalization import PowerNormalizer
from alcedo.sklearn.paths import clear_paths, limit_paths
from alcedo.sklearn.pooling import GeneralizedMaxPooling
from alcedo.sklearn.svm import LinearSvm
from alcedo.sklearn.vocabularies import GaussianMixtureVocabulary, KMeansVocabulary

__all__ = [
    "EfficientMatchKernel",
    "FisherVectors",
    "GaussianMixtureVocabulary",
    "GeneralizedMaxPooling",
    "KMeansVocabulary",
    "LinearSvm",
    "PowerNormalizer",
    "Vlad",
    "clear_paths",
    "limit_paths",
]
