"""What annotations name: for type checkers and editors alone, there is no module of this name to import."""

import os
import sys
from typing import IO, Any, Callable, Iterator, Literal, Optional, Protocol, Sequence, SupportsIndex, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias

from alcedo._alcedo import Encodings
from alcedo._options import GmpOptions, PoolingOptions
from alcedo.encoder import Encoder

if sys.version_info >= (3, 10):
    from types import EllipsisType
else:
    from builtins import ellipsis as EllipsisType

FloatArray: TypeAlias = NDArray[np.floating[Any]]  # float32 or float64
Rows: TypeAlias = Union[ArrayLike, Encodings, Sequence[Union[ArrayLike, Encodings]]]  # one bag or several
Blocks: TypeAlias = Union[ArrayLike, Sequence[ArrayLike]]
Lambdas: TypeAlias = Union[float, Sequence[float], NDArray[Any]]
Progress: TypeAlias = Union[bool, Callable[[int, int], object]]  # True: a bar
Method: TypeAlias = Literal["gmp", "sum", "mean", "max", "lp", "softmax", "democratic", "weighted"]
EncoderName: TypeAlias = Literal["auto", "bov", "soft-bov", "llc", "sparse", "vlad", "sv", "fv", "emk"]
Kind: TypeAlias = Literal["gmm", "kmeans", "dictionary", "fourier"]
DType: TypeAlias = Union[Literal["float32", "float64", "f4", "f8"], type[np.float32], type[np.float64], type[float],
                         np.dtype[np.float32], np.dtype[np.float64]]
DescriptorName: TypeAlias = Literal["sift", "color"]
MapRule: TypeAlias = Literal["sum", "mean"]
DatasetKind: TypeAlias = Literal["auto", "flowers", "voc2007", "cub2010", "cub2011", "pets", "folder"]
Split: TypeAlias = Literal["train", "validation", "test"]

class PilImage(Protocol):  # so that Pillow need not be installed
    @property
    def mode(self) -> str: ...
    @property
    def convert(self) -> Callable[..., Any]: ...

Image: TypeAlias = Union[str, os.PathLike[str], bytes, bytearray, memoryview, IO[bytes], NDArray[np.number[Any]],
                         PilImage]
ListOfImages: TypeAlias = Union[Sequence[Image], Iterator[Image], NDArray[np.str_], NDArray[np.object_]]
Images: TypeAlias = Union[Image, ListOfImages]
StoreKey: TypeAlias = Union[str, SupportsIndex, slice, EllipsisType, Sequence[Union[str, SupportsIndex]],
                            NDArray[np.integer[Any]], NDArray[np.bool_], NDArray[np.str_]]

# Keywords that several overloads of a function share; test_types.py compares them with its signature.
class CellKeywords(PoolingOptions, total=False):
    lambda_: Lambdas
    relative: bool
    blocks: Optional[Blocks]
    num_blocks: int
    encoder: Optional[Encoder]
    weights: Optional[Union[ArrayLike, Sequence[ArrayLike]]]
    nonnegative: bool
    power: Optional[float]
    block_l2: bool
    l2: bool
    dtype: Optional[DType]
    threads: Optional[int]
    progress: Optional[Progress]

class PoolKeywords(CellKeywords, total=False):
    offsets: Optional[ArrayLike]

class GmpKeywords(GmpOptions, total=False):
    lambda_: Lambdas
    relative: bool
    nonnegative: bool
    blocks: Optional[Blocks]
    num_blocks: int
    encoder: Optional[Encoder]
    threads: Optional[int]
    progress: Optional[Progress]

class KernelKeywords(GmpOptions, total=False):
    lambda_: float
    relative: bool
    nonnegative: bool
    threads: Optional[int]
