"""From images to descriptors, vectors and weight maps."""

import json
import os

import numpy as np

from alcedo import _alcedo
from alcedo.errors import InvalidArgument
from alcedo.pooling import _lambdas, _warn
from alcedo.vocabulary import Vocabulary


def _netpbm(array, name):
    """The bytes of a file with the pixels of an array: what the readers of files check and scale holds for arrays, too."""
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise InvalidArgument("", f"{name} must be height x width, or height x width x 3, got an array of shape {array.shape}", "")
    if 0 in array.shape:
        raise InvalidArgument("", f"{name} has no pixels: its shape is {array.shape}", "")
    if array.dtype.kind == "f":
        if not (np.isfinite(array).all() and array.min() >= 0 and array.max() <= 1):
            raise InvalidArgument("", f"{name}: floating point values must be from 0 to 1", "", "use uint8 for 0 to 255")
        array = np.rint(array.astype(np.float64) * 65535).astype(np.uint16)
    if array.dtype not in (np.uint8, np.uint16):
        raise TypeError(f"{name} must be an array of uint8, uint16 or floating point numbers, not of {array.dtype}")
    height, width = array.shape[:2]
    kind = b"P6" if array.ndim == 3 and array.shape[2] == 3 else b"P5"
    most = 255 if array.dtype == np.uint8 else 65535
    header = b"%s\n%d %d\n%d\n" % (kind, width, height, most)
    return header + np.ascontiguousarray(array, dtype="u1" if most == 255 else ">u2").tobytes()


def _from_pil(image):
    """As the readers of files see it: upright, and with transparency over white."""
    from PIL import Image, ImageOps

    image = ImageOps.exif_transpose(image)
    if image.mode in ("1", "L", "I;16", "RGB"):
        return np.asarray(image.convert("L") if image.mode == "1" else image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return np.asarray(image.convert("RGB"))


def _source(image, name):
    """(name, bytes), or (path, None)."""
    if isinstance(image, (str, os.PathLike)):
        return os.fspath(image), None
    if isinstance(image, (bytes, bytearray, memoryview)):
        return name, bytes(image)
    if hasattr(image, "convert") and hasattr(image, "mode"):
        image = _from_pil(image)
    return name, _netpbm(np.asarray(image), name)


class Descriptors:
    """Descriptors of one image: an array of its rows in most places.

    Attributes
    ----------
    values : array of N x d
    patches : array of N x 3
        x and y of the centre of every patch and its side, in pixels of the image; the left upper corner is (0, 0).
    width, height : float
        Of the image.
    """

    def __init__(self, values, patches, width, height):
        self.values, self.patches, self.width, self.height = values, patches, width, height

    @property
    def positions(self):
        """x and y relative to the image, in [0, 1]: what `spatial_pyramid` takes."""
        return self.patches[:, :2].astype(np.float64) / [self.width, self.height]

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def __repr__(self):
        return f"<alcedo.Descriptors: {len(self)} of {self.values.shape[1]} dimensions, image {self.width:g} x {self.height:g}>"


def describe(image, descriptor="sift", *, threads=None, **options):
    """Descriptors of the patches of a dense grid at several scales.

    Parameters
    ----------
    image : path, bytes of a file, array or PIL image
        JPEG, PNG, WebP, GIF or PNM; an array is height x width, or height x width x 3 in the order red, green, blue:
        uint8, uint16, or floating point from 0 to 1.
    descriptor : {"sift", "color"}
    threads : int, optional
        At most so many; by default one for each core. The result does not depend on it.
    **options
        Of the descriptor, the grid and the reading of images: listed at the end of ``help(alcedo.describe)``.

    Returns
    -------
    Descriptors

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80), dtype=np.uint8)
    >>> alcedo.describe(image, scales=1)
    <alcedo.Descriptors: 150 of 128 dimensions, image 80 x 60>
    """
    return Descriptors(*_alcedo.describe(_source(image, "image"), descriptor, threads, options))


class ImageEncoder:
    """One way to turn images into vectors, prepared once: descriptors, projection, encoding, pooling, normalisation.

    Parameters
    ----------
    vocabulary : Vocabulary, path or str
        "sift" and "color" are part of the package.
    lambda_ : float or list of float, optional
        Regularisation of GMP, by default 1.
    relative : bool
        Take `lambda_` times the mean squared norm of the image's encodings. Without it `lambda_` is the paper's.
    **settings
        What ``alcedo encode --config`` takes: ``encoder``, ``pooling``, ``pyramid``, ``power``, ``block_l2``, ``l2``,
        ``dtype`` and ``seed``, and sections as dictionaries: ``image``, ``grid``, those of the descriptor (``sift``), of
        the encoder (``fv``) and of the pooling (``gmp``). Images and patches are by default as the vocabulary was learned.

    Attributes
    ----------
    config : dict
        All settings.
    dimension : int
        Of a vector.

    Examples
    --------
    >>> import alcedo, numpy as np
    >>> encoder = alcedo.ImageEncoder("sift", lambda_=[1, 10], power=0.5, l2=True, grid={"scales": 3})
    >>> image = np.random.default_rng(0).integers(0, 256, size=(60, 80, 3), dtype=np.uint8)
    >>> encoder.encode(image).shape
    (2, 32768)
    >>> encoder.encode([image, image]).shape
    (2, 2, 32768)
    """

    def __init__(self, vocabulary="sift", *, lambda_=None, relative=True, **settings):
        if not isinstance(vocabulary, Vocabulary):
            settings["vocabulary"] = os.fspath(vocabulary)
            vocabulary = Vocabulary.load(vocabulary)
        settings.setdefault("descriptor", vocabulary._native.descriptor)
        self._several = False
        if lambda_ is not None:
            settings["lambda"], self._several = _lambdas(lambda_)
            settings["gmp"] = {**settings.get("gmp", {}), "relative": relative}
        self.vocabulary = vocabulary
        try:
            text = json.dumps(settings)
        except TypeError as error:
            raise TypeError(f"settings must be numbers, strings, lists and dictionaries: {error}") from error
        self._native = _alcedo.ImageEncoder(vocabulary._native, text)
        self.config = json.loads(self._native.config)

    @property
    def dimension(self):
        return self._native.dimension

    def encode(self, images, *, threads=None, progress=None, return_failures=False):
        """Vectors of images.

        Parameters
        ----------
        images : path, bytes, array or PIL image, or a list of such
            As in `describe`.
        threads : int, optional
            At most so many; by default one for each core. No result depends on it.
        progress : callable, optional
            Is called with the number of images that are done, and of all.
        return_failures : bool
            Do not stop at a bad image: its vector is zeros, and a dictionary from its number to what is wrong with it is
            returned, too.

        Returns
        -------
        array
            ``(D,)`` of one image, ``(n, D)`` of a list; with a list of lambdas ``(L, D)`` and ``(n, L, D)``. An image
            without patches gives zeros.
        """
        single = not isinstance(images, (list, tuple))
        sources = [_source(image, "image" if single else f"images[{i}]") for i, image in enumerate([images] if single else images)]
        values, _, failures = self._native.encode(sources, threads, progress, return_failures)
        if self.config["dtype"] == "f4":
            values = values.astype(np.float32)
            if not np.isfinite(values).all():
                raise InvalidArgument("dtype", "must be 'f8': a vector leaves the range of float32", "")
        if not self._several:
            values = values[:, 0]
        values = values[0] if single else values
        return (values, failures) if return_failures else values

    def weights(self, image, *, threads=None):
        """The weight of every patch in GMP: (weights, patches); weights are ``(N,)``, with a list of lambdas ``(L, N)``.

        Patches are those of `describe`.
        """
        weights, patches, _, _, reports = self._native.weights(_source(image, "image"), threads)
        _warn([reports], "for weights")
        return (weights if self._several else weights[0]), patches

    def weight_map(self, image, *, rule="sum", size=None, threads=None):
        """Where the weight is: the map of Eq. 11.

        Parameters
        ----------
        image : path, bytes, array or PIL image
        rule : {"sum", "mean"}
            What the weights of the patches over a pixel become. Near the border fewer patches lie over a pixel, which
            the mean makes up for.
        size : (int, int), optional
            Height and width of the map; by default those of the image.

        Returns
        -------
        array of height x width, with a list of lambdas L x height x width
        """
        weights, patches, width, height, reports = self._native.weights(_source(image, "image"), threads)
        _warn([reports], "for weights")
        rows, columns = (round(height), round(width)) if size is None else size
        maps = [_alcedo.render_weight_map(patches, one, width, height, columns, rows, rule) for one in weights]
        return np.array(maps) if self._several else maps[0]

    def __repr__(self):
        names = [self.config[name] for name in ("descriptor", "encoder", "pooling")]
        return f"<alcedo.ImageEncoder: {', '.join(names)}, {self.dimension} dimensions>"

    def __getstate__(self):
        return {"vocabulary": self.vocabulary, "several": self._several, "config": self.config}

    def __setstate__(self, state):
        self.vocabulary, self._several, self.config = state["vocabulary"], state["several"], state["config"]
        self._native = _alcedo.ImageEncoder(self.vocabulary._native, json.dumps(self.config))


def _document():
    """The options of every descriptor, from the library's own lists, at the end of the documentation."""
    lines = ["", "    Options", "    -------"]
    seen = set()
    for descriptor in ("sift", "color"):
        for keyword, default, kind, text in _alcedo.describe_fields(descriptor):
            if keyword not in seen:
                lines += [f"    {keyword} : {kind}, default {default!r}", f"        {text}"]
            seen.add(keyword)
    describe.__doc__ += "\n".join(lines) + "\n    "


_document()
