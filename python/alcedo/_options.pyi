"""The options of every method, encoder and fit. Written by python/option_types.py: do not edit."""

from typing import Literal, TypedDict

class GmpOptions(TypedDict, total=False):
    solver: Literal["auto", "cg", "direct", "primal", "dual"]  # how to solve for GMP
    tolerance: float  # relative residual at which conjugate gradients stop
    accuracy: float  # guaranteed relative error at which they stop (both must hold)
    max_iterations: int  # most iterations of conjugate gradients
    rank_tolerance: float  # lambda = 0: relative size of a singular value that counts as 0

class DemocraticOptions(TypedDict, total=False):
    gamma: float  # democratic pooling: 0 equal contributions, 1 sum pooling
    tolerance: float  # largest relative deviation of a contribution when Sinkhorn stops
    max_iterations: int  # most Sinkhorn iterations
    clip_negative: bool  # replace negative similarities by 0, as the authors do
    most_rows: int  # pool at most so many patches, evenly spaced, of an image that has more; 0: all
    max_memory_mib: float  # most memory for kernel matrices, in MiB

class PoolingOptions(TypedDict, total=False):
    p: float  # exponent of lp pooling, >= 1: 1 is the mean, large values approach the maximum
    keep_sign: bool  # lp pooling of sign(x) |x|^p, for encodings with negative values
    beta: float  # sharpness of softmax pooling, >= 0: 0 is the mean, large values the maximum
    log_sum_exp: bool  # pool 1/beta log(mean exp(beta x)) instead of softmax weights
    solver: Literal["auto", "cg", "direct", "primal", "dual"]  # how to solve for GMP
    tolerance: float  # relative residual at which conjugate gradients stop
    accuracy: float  # guaranteed relative error at which they stop (both must hold)
    max_iterations: int  # most iterations of conjugate gradients
    rank_tolerance: float  # lambda = 0: relative size of a singular value that counts as 0
    gamma: float  # democratic pooling: 0 equal contributions, 1 sum pooling
    clip_negative: bool  # replace negative similarities by 0, as the authors do
    most_rows: int  # pool at most so many patches, evenly spaced, of an image that has more; 0: all
    max_memory_mib: float  # most memory for kernel matrices, in MiB

class EncoderOptions(TypedDict, total=False):
    sigma: float  # width of the kernel; 0: half the typical distance between codewords
    nearest: int  # how many of the nearest codewords share a descriptor
    regularization: float  # added to the local covariance, times its trace
    l1: float  # weight of the l1 norm of a code
    tolerance: float  # stop when coefficients change by less than this part
    max_sweeps: int  # sweeps over the coefficients at most
    residual_l2: bool  # divide every residual by its norm
    s: float  # weight of the count beside the residual
    assignment: Literal["hard", "soft"]  # one Gaussian per descriptor, or posteriors
    posterior_threshold: float  # soft assignment: smaller posteriors are dropped
    outputs: int  # random projections, the dimension of EMK

class PcaOptions(TypedDict, total=False):
    dimensions: int  # dimensions kept by PCA; 0: no PCA
    whiten: bool  # scale every component to unit variance

class CodebookOptions(TypedDict, total=False):
    clusters: int  # number of clusters, >= 1
    max_iterations: int  # Lloyd iterations at most
    tolerance: float  # stop when the error falls by less than this part of itself

class GaussianMixtureOptions(TypedDict, total=False):
    gaussians: int  # number of Gaussians, >= 1
    kmeans_iterations: int  # k-means iterations before EM
    max_iterations: int  # EM iterations at most
    tolerance: float  # stop when the log-likelihood rises by less than this part
    variance_floor: float  # no variance below this part of the data's
    min_weight: float  # smaller Gaussians are replaced by a half of the largest

class DictionaryOptions(TypedDict, total=False):
    atoms: int  # number of atoms, >= 1
    l1: float  # weight of the l1 norm, as in coding; scales with the descriptors
    max_iterations: int  # passes over the samples at most
    tolerance: float  # stop when new atoms lower the objective by less than this part of it

class RandomFourierOptions(TypedDict, total=False):
    outputs: int  # random projections, the dimension of EMK
    sigma: float  # bandwidth of the kernel; 0: the median distance between descriptors

class WordsOptions(TypedDict, total=False):
    clusters: int  # number of clusters, >= 1
    max_iterations: int  # Lloyd iterations at most
    tolerance: float  # stop when the error falls by less than this part of itself
    gaussians: int  # number of Gaussians, >= 1
    kmeans_iterations: int  # k-means iterations before EM
    variance_floor: float  # no variance below this part of the data's
    min_weight: float  # smaller Gaussians are replaced by a half of the largest
    atoms: int  # number of atoms, >= 1
    l1: float  # weight of the l1 norm, as in coding; scales with the descriptors
    outputs: int  # random projections, the dimension of EMK
    sigma: float  # bandwidth of the kernel; 0: the median distance between descriptors

class DescribeOptions(TypedDict, total=False):
    contrast: float  # patches of a lower mean gradient are flat: a zero vector
    keep_flat: bool  # keep flat patches, as zero vectors, instead of leaving them out
    root: bool  # RootSIFT: square roots of the L1-normalised descriptor
    patch: int  # side of a patch in pixels, a multiple of 4
    step: int  # pixels between neighbouring patches
    scales: int  # number of scales; each is smaller by scale_factor
    scale_factor: float  # ratio between neighbouring scales, > 1
    mirror: bool  # take every patch of the mirror image, too: twice as many rows
    max_pixels: int
    max_megapixels: float  # refuse images of more megapixels than this
    max_image_memory: float  # refuse images that would take more MiB of memory than this to read

class ReadDatasetOptions(TypedDict, total=False):
    test_fraction: float  # share of a class's images to test on, in (0, 1)
    train_per_class: int  # images of a class to train on, >= 0; 0 is all that are not tested on
    seed: int  # seed of the split

class ImageSection(TypedDict, total=False):
    max_pixels: int
    max_megapixels: float  # refuse images of more megapixels than this
    max_image_memory: float  # refuse images that would take more MiB of memory than this to read

class GridSection(TypedDict, total=False):
    patch: int  # side of a patch in pixels, a multiple of 4
    step: int  # pixels between neighbouring patches
    scales: int  # number of scales; each is smaller by scale_factor
    scale_factor: float  # ratio between neighbouring scales, > 1
    mirror: bool  # take every patch of the mirror image, too: twice as many rows

class SiftSection(TypedDict, total=False):
    contrast: float  # patches of a lower mean gradient are flat: a zero vector
    keep_flat: bool  # keep flat patches, as zero vectors, instead of leaving them out
    root: bool  # RootSIFT: square roots of the L1-normalised descriptor

class SoftBovSection(TypedDict, total=False):
    sigma: float  # width of the kernel; 0: half the typical distance between codewords
    nearest: int  # how many of the nearest codewords share a descriptor

class LlcSection(TypedDict, total=False):
    nearest: int  # how many of the nearest codewords make up a descriptor
    regularization: float  # added to the local covariance, times its trace

class SparseSection(TypedDict, total=False):
    l1: float  # weight of the l1 norm of a code
    tolerance: float  # stop when coefficients change by less than this part
    max_sweeps: int  # sweeps over the coefficients at most

class VladSection(TypedDict, total=False):
    residual_l2: bool  # divide every residual by its norm

class SvSection(TypedDict, total=False):
    s: float  # weight of the count beside the residual

class FvSection(TypedDict, total=False):
    assignment: Literal["hard", "soft"]  # one Gaussian per descriptor, or posteriors
    posterior_threshold: float  # soft assignment: smaller posteriors are dropped

class EmkSection(TypedDict, total=False):
    outputs: int  # random projections, the dimension of EMK
    sigma: float  # bandwidth of the kernel; 0: the median distance between descriptors

class LpSection(TypedDict, total=False):
    p: float  # exponent of lp pooling, >= 1: 1 is the mean, large values approach the maximum
    keep_sign: bool  # lp pooling of sign(x) |x|^p, for encodings with negative values

class SoftmaxSection(TypedDict, total=False):
    beta: float  # sharpness of softmax pooling, >= 0: 0 is the mean, large values the maximum
    log_sum_exp: bool  # pool 1/beta log(mean exp(beta x)) instead of softmax weights

class GmpSection(TypedDict, total=False):
    relative: bool  # multiply lambda by the mean squared norm of the rows
    solver: Literal["auto", "cg", "direct", "primal", "dual"]  # how to solve for GMP
    tolerance: float  # relative residual at which conjugate gradients stop
    accuracy: float  # guaranteed relative error at which they stop (both must hold)
    max_iterations: int  # most iterations of conjugate gradients
    rank_tolerance: float  # lambda = 0: relative size of a singular value that counts as 0

class DemocraticSection(TypedDict, total=False):
    gamma: float  # democratic pooling: 0 equal contributions, 1 sum pooling
    tolerance: float  # largest relative deviation of a contribution when Sinkhorn stops
    max_iterations: int  # most Sinkhorn iterations
    clip_negative: bool  # replace negative similarities by 0, as the authors do
    most_rows: int  # pool at most so many patches, evenly spaced, of an image that has more; 0: all
    max_memory_mib: float  # most memory for kernel matrices, in MiB

class ImageEncoderSettings(TypedDict, total=False):
    descriptor: Literal["sift", "color"]
    encoder: Literal["auto", "bov", "soft-bov", "llc", "sparse", "vlad", "sv", "fv", "emk"]
    gaussians: int
    pooling: Literal["sum", "mean", "max", "lp", "softmax", "gmp", "democratic"]
    pyramid: str
    power: float
    block_l2: bool
    l2: bool
    dtype: Literal["f4", "f8"]
    seed: int
    image: ImageSection
    grid: GridSection
    sift: SiftSection
    soft_bov: SoftBovSection
    llc: LlcSection
    sparse: SparseSection
    vlad: VladSection
    sv: SvSection
    fv: FvSection
    emk: EmkSection
    lp: LpSection
    softmax: SoftmaxSection
    gmp: GmpSection
    democratic: DemocraticSection
