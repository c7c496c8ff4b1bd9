"""Images from Python: against the program, and against formulas in NumPy."""

import io
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import alcedo
from conftest import stripes, write_png

GREY = stripes("across", 1)
COLOR = np.stack([stripes("across", 2), stripes("down", 3), stripes("down", 4)], axis=2)
SETTINGS = {"power": 0.5, "l2": True, "grid": {"scales": 2}}


@pytest.fixture(scope="module")
def pillow():
    return pytest.importorskip("PIL.Image", reason="Pillow is not installed")


@pytest.fixture(scope="module")
def encoder():
    return alcedo.ImageEncoder("sift", **SETTINGS)


@pytest.mark.parametrize("vocabulary,settings", [
    ("sift", SETTINGS),
    ("color", {"lambda_": [0.1, 10], "relative": False, "pyramid": "1,2x1", "dtype": "f8"}),
    ("sift", {"pooling": "sum", "encoder": "emk", "emk": {"outputs": 64}, "block_l2": True, "grid": {"scales": 1}}),
])
def test_the_program_gives_the_same_bytes(program, tmp_path, vocabulary, settings):
    encoder = alcedo.ImageEncoder(vocabulary, **settings)
    (tmp_path / "config.json").write_text(json.dumps(encoder.config))
    write_png(tmp_path / "image.png", COLOR)
    program(tmp_path, "encode", "image.png", "--config", "config.json", "-o", "vector.npy")
    expected = np.load(tmp_path / "vector.npy")
    path = tmp_path / "image.png"
    for image in (path, str(path), path.read_bytes(), memoryview(path.read_bytes()), COLOR, COLOR.astype(np.uint16) * 257):
        got = encoder.encode(image)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got.reshape(expected.shape), expected)


def test_arrays_of_any_memory_are_the_same_image(encoder):
    expected = encoder.encode(GREY)
    padded = np.zeros((120, 160), dtype=np.uint8)
    padded[::2, ::-2] = GREY
    read_only = GREY.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(GREY), padded[::2, ::-2], GREY[:, :, None], read_only, GREY.astype(">u2") * 257,
                 GREY / 255, (GREY / 255).astype(np.float64)[::-1][::-1]):
        np.testing.assert_array_equal(encoder.encode(same), expected)


def test_16_bits_are_16_bits(encoder, tmp_path):
    fine = GREY.astype(np.uint16) * 257 + np.random.default_rng(0).integers(-90, 90, GREY.shape).astype(np.uint16)
    write_png(tmp_path / "fine.png", fine)
    expected = encoder.encode(tmp_path / "fine.png")
    assert (expected != encoder.encode(GREY)).any()
    for same in (fine, fine.astype(">u2"), fine / 65535):
        np.testing.assert_array_equal(encoder.encode(same), expected)


def test_a_batch_is_its_images_one_by_one(encoder, tmp_path):
    write_png(tmp_path / "a.png", COLOR)
    images = [GREY, tmp_path / "a.png", COLOR[:, ::-1], np.full((20, 20), 7, np.uint8), (tmp_path / "a.png").read_bytes()] * 2
    expected = np.array([encoder.encode(image, threads=1) for image in images])
    for threads in (1, 2, 3, 10**12):
        np.testing.assert_array_equal(encoder.encode(images, threads=threads), expected)
    np.testing.assert_array_equal(encoder.encode(iter(images)), expected)
    paths = np.array([str(tmp_path / "a.png")] * 2)
    np.testing.assert_array_equal(encoder.encode(paths), expected[[1, 1]])
    assert encoder.encode([]).shape == (0, encoder.dimension)
    small = encoder.encode([np.zeros((3, 3), np.uint8)])  # no patch fits
    assert small.shape == (1, encoder.dimension) and not small.any()


def test_pillow_images_are_what_their_files_are(encoder, pillow, tmp_path):
    rng = np.random.default_rng(0)
    rgba = np.dstack([COLOR, rng.integers(0, 256, COLOR.shape[:2], dtype=np.uint8)])
    palette = pillow.fromarray(COLOR).quantize(16)
    images = {"grey": pillow.fromarray(GREY), "color": pillow.fromarray(COLOR), "palette": palette,
              "one": pillow.fromarray(GREY > 128), "alpha": pillow.fromarray(rgba),
              "sixteen": pillow.fromarray(GREY.astype(np.uint16) * 257)}
    for name, image in images.items():
        path = tmp_path / f"{name}.png"
        image.save(path)
        for given in (image, pillow.open(path)):  # 16 bits may be another mode when they are read
            np.testing.assert_allclose(encoder.encode(given), encoder.encode(path), atol=0.05 if name == "alpha" else 0,
                                       err_msg=f"{name}, {given.mode}")
    turned = pillow.fromarray(COLOR)
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(tmp_path / "turned.png", exif=exif)
    with pillow.open(tmp_path / "turned.png") as read:
        np.testing.assert_array_equal(encoder.encode(read), encoder.encode(tmp_path / "turned.png"))
        np.testing.assert_array_equal(encoder.encode(read), encoder.encode(np.rot90(COLOR, -1)))


def test_descriptors_are_on_the_grid():
    found = alcedo.describe(COLOR, "color", scales=1, step=8)
    assert found.values.shape == (len(found), 96) and (found.width, found.height) == (80, 60)
    x, y, side = found.patches.T
    assert set(np.diff(np.unique(x))) == {8} and set(np.diff(np.unique(y))) == {8}
    assert (x - side / 2 >= 0).all() and (x + side / 2 <= 80).all() and (y + side / 2 <= 60).all()
    np.testing.assert_allclose(found.positions, np.stack([x / 80, y / 60], axis=1), rtol=1e-6)
    np.testing.assert_array_equal(np.asarray(found), found.values)
    # A patch knows only the pixels under it.
    changed = COLOR.copy()
    changed[:10, :10] = 0
    differs = (alcedo.describe(changed, "color", scales=1, step=8).values != found.values).any(axis=1)
    assert differs.any() and not differs[(x - side / 2 > 11) | (y - side / 2 > 11)].any()


def naive_weights(image, encoder, lam):
    """Eq. 10, from descriptors and encodings."""
    config = encoder.config
    found = alcedo.describe(image, **config["grid"], **config["image"])
    rows = alcedo.Encoder(encoder.vocabulary).encode(found).to_dense()
    kernel = rows @ rows.T
    return np.linalg.solve(kernel + lam * np.trace(kernel) / len(rows) * np.eye(len(rows)), np.ones(len(rows))), found


def naive_map(weights, patches, shape, rule):
    """Eq. 11, pixel by pixel."""
    values = np.zeros(shape)
    for y in range(shape[0]):
        for x in range(shape[1]):
            left, top, half = patches[:, 0], patches[:, 1], patches[:, 2] / 2
            over = ((left - half <= x + 0.5) & (x + 0.5 < left + half) & (top - half <= y + 0.5) & (y + 0.5 < top + half))
            if over.any():
                values[y, x] = weights[over].sum() if rule == "sum" else weights[over].mean()
    return values


def test_weights_and_maps_are_their_formulas():
    encoder = alcedo.ImageEncoder("sift", lambda_=0.5, grid={"scales": 1})
    expected, found = naive_weights(GREY, encoder, 0.5)
    weights, patches = encoder.weights(GREY)
    np.testing.assert_array_equal(patches, found.patches)
    np.testing.assert_allclose(weights, expected, atol=1e-4 * np.abs(expected).max())
    for rule in ("sum", "mean"):
        values = encoder.weight_map(GREY, rule=rule)
        np.testing.assert_allclose(values, naive_map(weights, patches, GREY.shape, rule), atol=1e-5 * np.abs(values).max())
    path = alcedo.ImageEncoder("sift", lambda_=[0.5, 3], grid={"scales": 1})
    maps = path.weight_map(GREY, size=(30, 40))
    assert maps.shape == (2, 30, 40)
    half = naive_map(weights, patches / 2, (30, 40), "sum")
    np.testing.assert_allclose(maps[0], half, atol=1e-5 * np.abs(half).max())


def test_relative_and_lambda_are_what_they_say():
    plain = alcedo.ImageEncoder("sift", grid={"scales": 1})
    np.testing.assert_array_equal(plain.encode(GREY), alcedo.ImageEncoder("sift", lambda_=1, grid={"scales": 1}).encode(GREY))
    absolute = alcedo.ImageEncoder("sift", relative=False, grid={"scales": 1})
    assert not absolute.config["gmp"]["relative"] and absolute.config["lambda"] == [1]
    again = alcedo.ImageEncoder(**absolute.config)
    assert again.config == absolute.config
    np.testing.assert_array_equal(again.encode(GREY), absolute.encode(GREY))
    assert alcedo.ImageEncoder("sift", lambda_=[1]).encode(GREY).shape == (1, plain.dimension)


def test_a_bad_image_costs_nothing_else(encoder, tmp_path, pillow):
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"\xff\xd8\xff\xe0 and no more")
    buffer = io.BytesIO()
    pillow.fromarray(COLOR).save(buffer, "JPEG")
    cut = pillow.open(io.BytesIO(buffer.getvalue()[:-300]))
    images = [GREY, bad, np.full((5, 5), np.nan), tmp_path / "none.png", b"", cut, COLOR]
    vectors, failures = encoder.encode(images, return_failures=True)
    assert sorted(failures) == [1, 2, 3, 4, 5] and all(failures.values())
    assert str(bad) not in failures[1]
    np.testing.assert_array_equal(vectors[[0, 6]], encoder.encode([GREY, COLOR]))
    assert not vectors[1:6].any()
    vector, failures = encoder.encode(bad, return_failures=True)
    assert vector.shape == (encoder.dimension,) and list(failures) == [0]


def error_of(function, *arguments, **keywords):
    with pytest.raises((ValueError, TypeError, OSError)) as raised:
        function(*arguments, **keywords)
    return raised.value


def test_errors_name_the_image(encoder, tmp_path):
    os.chdir(tmp_path)
    pathlib.Path("bad.jpg").write_bytes(b"text")
    for given, name in ((["bad.jpg"], "bad.jpg"), ([GREY, b"text"], "images[1]"), (b"text", "image"),
                        ([pathlib.Path("sub/../bad.jpg")], "sub/../bad.jpg")):
        error = error_of(encoder.encode, given)
        assert isinstance(error, (alcedo.FormatError, alcedo.IoError)) and error.file == name
    error = error_of(encoder.encode, "missing.png")
    assert isinstance(error, alcedo.IoError) and isinstance(error, OSError) and error.file == "missing.png"
    name = os.fsdecode(b"caf\xe9.png")
    assert error_of(encoder.encode, name).file == name  # such bytes are no UTF-8
    write_png(name, GREY)
    np.testing.assert_array_equal(encoder.encode(name), encoder.encode(GREY))


@pytest.mark.parametrize("image,kind,text", [
    (np.full((5, 5), np.nan), ValueError, "from 0 to 1"),
    (np.full((5, 5), 2.0), ValueError, "use uint8"),
    (np.zeros((0, 5), np.uint8), ValueError, "no pixels"),
    (np.zeros((5, 5, 4), np.uint8), ValueError, "(5, 5, 4)"),
    (np.uint8(3), ValueError, "shape ()"),
    (GREY.astype(int), TypeError, "int64"),
    (GREY.astype(object), TypeError, "object"),
    (None, TypeError, "NoneType"),
    (GREY + 0j, TypeError, "complex"),
    ([[1, 2], 3], TypeError, "images[0]"),
    ("a\0b", ValueError, "NUL"),
    ("\ud800", ValueError, "name of a file"),
])
def test_what_is_no_image_is_refused(encoder, image, kind, text):
    for function in (encoder.encode, encoder.weights, alcedo.describe):
        error = error_of(function, image)
        assert isinstance(error, kind) and (text in str(error) or function != encoder.encode), error


@pytest.mark.parametrize("call,option,text", [
    (lambda: alcedo.ImageEncoder("sift", encoder="fw"), "encoder", "did you mean 'fv'"),
    (lambda: alcedo.ImageEncoder("sift", pooling="gpm"), "pooling", "did you mean 'gmp'"),
    (lambda: alcedo.ImageEncoder("sift", grid={"stepp": 3}), None, "did you mean 'step'"),
    (lambda: alcedo.ImageEncoder("sift", lambda_=-1), "lambda_", "got -1"),
    (lambda: alcedo.ImageEncoder("sift", power=float("nan")), None, "settings must be finite"),
    (lambda: alcedo.ImageEncoder("sift", lambda_=1, **{"lambda": 2}), "lambda_", "beside"),
    (lambda: alcedo.ImageEncoder("sift").encode(GREY, threads=0), "threads", "must be >= 1"),
    (lambda: alcedo.ImageEncoder("sift").encode(GREY, threads=-10**30), "threads", "must be >= 1"),
    (lambda: alcedo.ImageEncoder("sift").weight_map(GREY, rule="summ"), "rule", "did you mean 'sum'"),
    (lambda: alcedo.ImageEncoder("sift").weight_map(GREY, size=(0, 3)), "size", "at least 1 x 1"),
    (lambda: alcedo.ImageEncoder("sift").weight_map(GREY, size=(2**40, 2**40)), "size", "at most"),
    (lambda: alcedo.describe(GREY, "shift"), "descriptor", "did you mean 'sift'"),
    (lambda: alcedo.describe(GREY, step=0), "step", "got 0"),
    (lambda: alcedo.describe(GREY, max_megapixels=0.001), None, "max_megapixels"),
])
def test_options_out_of_range(call, option, text):
    error = error_of(call)
    assert isinstance(error, ValueError) and text in str(error), error
    if option is not None:
        assert error.option == option


def test_wrong_types_are_type_errors(encoder):
    for call in (lambda: alcedo.describe(GREY, step="3"), lambda: alcedo.describe(GREY, nonsense=3),
                 lambda: encoder.encode(GREY, threads=1.5), lambda: encoder.encode(GREY, threads=True),
                 lambda: encoder.encode(GREY, progress=3), lambda: alcedo.ImageEncoder("sift", gmp=3, lambda_=1),
                 lambda: alcedo.ImageEncoder(3), lambda: encoder.weight_map(GREY, size=3),
                 lambda: alcedo.ImageEncoder("sift", power=object())):
        assert isinstance(error_of(call), TypeError)


def test_open_files_are_images(encoder, tmp_path):
    write_png(tmp_path / "image.png", COLOR)
    content = (tmp_path / "image.png").read_bytes()
    expected = encoder.encode(COLOR)
    with open(tmp_path / "image.png", "rb") as file:
        np.testing.assert_array_equal(encoder.encode(file), expected)
    np.testing.assert_array_equal(encoder.encode(io.BytesIO(content)), expected)
    np.testing.assert_array_equal(encoder.encode([io.BytesIO(content), GREY]), [expected, encoder.encode(GREY)])
    assert len(alcedo.describe(io.BytesIO(content))) == len(alcedo.describe(COLOR))
    for text in (io.StringIO("text"), open(tmp_path / "image.png", encoding="latin-1")):
        with pytest.raises(TypeError, match="must be a file opened for bytes"), text:
            encoder.encode(text)


def test_arrays_of_images_and_columns_of_tables(encoder, tmp_path):
    batch = np.stack([COLOR, COLOR[::-1]])
    np.testing.assert_array_equal(encoder.encode(batch), encoder.encode(list(batch)))
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    write_png(tmp_path / "image.png", COLOR)
    table = pandas.DataFrame({"path": [str(tmp_path / "image.png")] * 2}, index=[7, 3])
    np.testing.assert_array_equal(encoder.encode(table["path"]), encoder.encode([COLOR, COLOR]))


def test_masked_values_are_refused(encoder):
    masked = np.ma.array(GREY, mask=GREY > 200)
    for image in (masked, [masked]):
        with pytest.raises(alcedo.InvalidArgument, match=r"has [\d,]+ masked values: give it filled"):
            encoder.encode(image)
    np.testing.assert_array_equal(encoder.encode(np.ma.array(GREY)), encoder.encode(GREY))


@pytest.mark.parametrize("mode", ["L", "RGB", "I", "I;16", "RGBA", "F", "P"])
def test_pillow_images_without_pixels(encoder, pillow, mode):
    with pytest.raises(alcedo.InvalidArgument, match=r"^image has no pixels: its size is \(0, 5\)$"):
        encoder.encode(pillow.new(mode, (0, 5)))


def test_images_of_a_wrong_type_are_failures_too(encoder):
    images = [GREY, GREY.astype(int), None, io.StringIO("text"), GREY]
    vectors, failures = encoder.encode(images, return_failures=True)
    assert list(failures) == [1, 2, 3] and "int64" in failures[1] and "NoneType" in failures[2]
    np.testing.assert_array_equal(vectors[[0, 4]], [encoder.encode(GREY)] * 2)
    assert not vectors[1:4].any()


def test_batches_are_one_after_the_other(encoder, monkeypatch):
    images = [GREY, COLOR, None, GREY[::-1], GREY[:, ::-1], COLOR[::-1], GREY]
    whole, failures = encoder.encode(images, return_failures=True)
    for most_images, most_bytes in ((1, 10**9), (3, 10**9), (100, 1), (100, 2 * GREY.size)):
        monkeypatch.setattr(alcedo.batches, "_MOST_IMAGES", most_images)
        monkeypatch.setattr(alcedo.batches, "_MOST_BYTES", most_bytes)
        for given in (images, iter(images)):
            seen = []
            vectors, found = encoder.encode(given, return_failures=True, progress=lambda *step: seen.append(step))
            np.testing.assert_array_equal(vectors, whole)
            assert found == failures and list(failures) == [2]
            assert seen[-1] == (7, 7) and [done for done, _ in seen] == sorted({done for done, _ in seen})
        generated = encoder.encode(image for image in images if image is not None)
        np.testing.assert_array_equal(generated, np.delete(whole, 2, axis=0))
    with pytest.raises(alcedo.FormatError) as raised:
        encoder.encode([GREY] * 4 + [b"text"])
    assert raised.value.file == "images[4]"


def test_images_of_an_iterator_are_not_all_in_memory(monkeypatch):
    monkeypatch.setattr(alcedo.batches, "_MOST_BYTES", 5 * GREY.size)
    encoder = alcedo.ImageEncoder("sift", pooling="sum", encoder="bov", grid={"scales": 1, "step": 20})
    alive = []

    class Image(np.ndarray):
        pass

    most = 0

    def images():
        nonlocal most
        for _ in range(60):
            image = GREY.copy().view(Image)
            alive.append(weakref.ref(image))
            most = max(most, sum(one() is not None for one in alive))
            yield image

    tracemalloc.start()
    assert encoder.encode(images()).shape == (60, 256)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most <= 2 and peak < 20 * GREY.size + 60 * 256 * 4 * 3


def test_pickles_encode_the_same_in_another_process(encoder, tmp_path):
    again = pickle.loads(pickle.dumps(encoder))
    assert again.config == encoder.config
    np.testing.assert_array_equal(again.encode(GREY), encoder.encode(GREY))
    (tmp_path / "encoder").write_bytes(pickle.dumps(encoder))
    code = ("import pickle, sys, numpy as np\n"
            "encoder = pickle.load(open(sys.argv[1] + '/encoder', 'rb'))\n"
            "np.save(sys.argv[1] + '/vector.npy', encoder.encode(sys.argv[1] + '/image.png'))")
    write_png(tmp_path / "image.png", GREY)
    subprocess.run([sys.executable, "-c", code, tmp_path], check=True)
    np.testing.assert_array_equal(np.load(tmp_path / "vector.npy"), encoder.encode(GREY))


def test_a_pickle_of_another_version_says_so(encoder):
    state = encoder.__getstate__()
    state.update(alcedo="99.0", config={**state["config"], "quantum": 3})
    with pytest.raises(alcedo.FormatError, match="of alcedo 99.0, cannot be read.*quantum"):
        alcedo.ImageEncoder.__new__(alcedo.ImageEncoder).__setstate__(state)


def test_progress_sees_every_image(encoder):
    seen = []
    encoder.encode([GREY] * 7, threads=2, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (7, 7) and [done for done, _ in seen] == sorted({done for done, _ in seen})
    with pytest.raises(ZeroDivisionError):
        encoder.encode([GREY], progress=lambda done, total: 1 / 0)


def test_other_threads_run_and_ctrl_c_ends_it(encoder):
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    images = [GREY] * 100000
    with pytest.raises(KeyboardInterrupt):
        encoder.encode(images)
