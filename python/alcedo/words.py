"""What is learned from descriptors: a projection, and the words that encoders need."""

from alcedo import _alcedo


class _Model:
    """Arrays that were fitted, or given; `_parts` are the names of the constructor's arguments."""

    _parts = ()
    #: What the fit did: iterations, objective and converged; None for arrays that were given.
    report = None

    @classmethod
    def _of(cls, native, report=None):
        model = cls.__new__(cls)
        model._native, model.report = native, report
        return model

    def __reduce__(self):
        return type(self), tuple(getattr(self._native, part) for part in self._parts)


class Pca(_Model):
    """Principal components: ``(x - mean) @ components.T``, divided by the standard deviations if whitened.

    Parameters
    ----------
    mean : array of d
    components : array of k x d
        Orthonormal rows.
    variances : array of k
        Of the training data along the components.
    total_variance : float
        Of the training data in all directions.
    whiten : bool

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> pca = alcedo.Pca.fit(rows, dimensions=2)
    >>> pca.transform(rows).shape
    (500, 2)
    >>> np.abs(pca.components[0]).argmax()
    0
    """

    _parts = ("mean", "components", "variances", "total_variance", "whiten")

    def __init__(self, mean, components, variances, total_variance=0.0, whiten=False):
        self._native = _alcedo.Pca(mean, components, variances, total_variance, whiten)

    @classmethod
    def fit(cls, rows, *, threads=None, **options):
        """Fit to the rows of an array. The options are listed at the end of ``help(alcedo.Pca)``."""
        return cls._of(_alcedo.fit_pca(rows, threads, options))

    def transform(self, rows, *, threads=None, progress=None):
        """Project the rows of one bag, or of a list of bags, to float32."""
        return self._native.project(rows, threads, progress)

    @property
    def mean(self):
        return self._native.mean

    @property
    def components(self):
        return self._native.components

    @property
    def variances(self):
        return self._native.variances

    @property
    def total_variance(self):
        return self._native.total_variance

    @property
    def whiten(self):
        return self._native.whiten

    def __repr__(self):
        k, d = self.components.shape
        return f"<alcedo.Pca: {d} to {k}{', whitened' if self.whiten else ''}>"


class Codebook(_Model):
    """Centres of k-means: the words of BOV, LLC, VLAD and Super Vectors.

    Parameters
    ----------
    centers : array of K x d
    weights : array of K, optional
        The share of the training rows of each centre; all the same by default. Super Vectors need them.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> alcedo.Codebook.fit(rows, clusters=16)
    <alcedo.Codebook: 16 words of 8 dimensions>
    """

    _parts = ("centers", "weights")

    def __init__(self, centers, weights=None):
        self._native = _alcedo.Codebook(centers, weights)

    @classmethod
    def fit(cls, rows, *, seed=0, threads=None, progress=None, **options):
        """K-means of the rows of an array: the same for the same seed, on any number of threads.

        `progress` is called with the iteration and the most there may be. The options are listed at the end of
        ``help(alcedo.Codebook)``.
        """
        return cls._of(*_alcedo.fit_codebook(rows, seed, threads, progress, options))

    @property
    def centers(self):
        return self._native.centers

    @property
    def weights(self):
        return self._native.weights

    def __repr__(self):
        return "<alcedo.Codebook: {} words of {} dimensions>".format(*self.centers.shape)


class GaussianMixture(_Model):
    """A mixture of Gaussians with diagonal covariances: the words of Fisher Vectors.

    Parameters
    ----------
    weights : array of G
        Positive, of sum 1.
    means, variances : array of G x d

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> mixture = alcedo.GaussianMixture.fit(rows, gaussians=4)
    >>> mixture.variances.shape, round(float(mixture.weights.sum()), 6)
    ((4, 8), 1.0)
    """

    _parts = ("weights", "means", "variances")

    def __init__(self, weights, means, variances):
        self._native = _alcedo.GaussianMixture(weights, means, variances)

    @classmethod
    def fit(cls, rows, *, seed=0, threads=None, progress=None, **options):
        """EM from k-means: the same for the same seed, on any number of threads.

        `progress` is called with the iteration and the most there may be. The options are listed at the end of
        ``help(alcedo.GaussianMixture)``.
        """
        return cls._of(*_alcedo.fit_mixture(rows, seed, threads, progress, options))

    @property
    def weights(self):
        return self._native.weights

    @property
    def means(self):
        return self._native.means

    @property
    def variances(self):
        return self._native.variances

    def __repr__(self):
        return "<alcedo.GaussianMixture: {} Gaussians of {} dimensions>".format(*self.means.shape)


class Dictionary(_Model):
    """Atoms of unit norm: the words of sparse coding.

    Parameters
    ----------
    atoms : array of K x d

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> alcedo.Dictionary.fit(rows, atoms=16)
    <alcedo.Dictionary: 16 atoms of 8 dimensions>
    """

    _parts = ("atoms",)

    def __init__(self, atoms):
        self._native = _alcedo.Dictionary(atoms)

    @classmethod
    def fit(cls, rows, *, seed=0, threads=None, progress=None, **options):
        """Learn atoms from the rows of an array: the same for the same seed, on any number of threads.

        `progress` is called with the iteration and the most there may be. The options are listed at the end of
        ``help(alcedo.Dictionary)``.
        """
        return cls._of(*_alcedo.fit_dictionary(rows, seed, threads, progress, options))

    @property
    def atoms(self):
        return self._native.atoms

    def __repr__(self):
        return "<alcedo.Dictionary: {} atoms of {} dimensions>".format(*self.atoms.shape)


class RandomFourier(_Model):
    """Random features of the Gaussian kernel, for the efficient match kernel (EMK).

    Parameters
    ----------
    frequencies : array of D x d
    phases : array of D
    sigma : float
        Of the kernel ``exp(-|x - y|**2 / (2 sigma**2))`` that the frequencies were drawn for.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(500, 8))
    >>> features = alcedo.RandomFourier.fit(rows, outputs=256)   # sigma: the median distance
    >>> round(features.sigma)
    4
    """

    _parts = ("frequencies", "phases", "sigma")

    def __init__(self, frequencies, phases, sigma):
        self._native = _alcedo.RandomFourier(frequencies, phases, sigma)

    @classmethod
    def fit(cls, rows, *, seed=0, **options):
        """Draw frequencies for the rows of an array: a sigma of 0 is the median distance between them."""
        return cls._of(_alcedo.draw_fourier(rows, 0, seed, options))

    @classmethod
    def draw(cls, dimension, sigma, *, seed=0, **options):
        """Draw frequencies for rows of that dimension."""
        return cls._of(_alcedo.draw_fourier(None, dimension, seed, {**options, "sigma": sigma}))

    @property
    def frequencies(self):
        return self._native.frequencies

    @property
    def phases(self):
        return self._native.phases

    @property
    def sigma(self):
        return self._native.sigma

    def __repr__(self):
        return "<alcedo.RandomFourier: {} features of {} dimensions>".format(*self.frequencies.shape)


def _document():
    """The options of every fit, from the library's own list, at the end of the documentation."""
    for model in (Pca, Codebook, GaussianMixture, Dictionary, RandomFourier):
        lines = ["", "    Options of fit", "    --------------"]
        for keyword, default, kind, text in _alcedo.fit_fields(model.__name__):
            lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
        model.__doc__ += "\n".join(lines) + "\n    "


_document()
