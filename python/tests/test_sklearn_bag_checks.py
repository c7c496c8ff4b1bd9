"""The checks of scikit-learn, one by one, with bags in place of rows."""

import inspect
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed", minversion="1.2")

import joblib  # noqa: E402
import sklearn  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

import alcedo  # noqa: E402
from alcedo.sklearn import (  # noqa: E402
    EfficientMatchKernel, FisherVectors, GeneralizedMaxPooling, KMeansVocabulary, Vlad, clear_paths, stores)

BAG_ESTIMATORS = [GeneralizedMaxPooling(), GeneralizedMaxPooling(lambda_=0.1, path=[0.1, 1], power=0.5, l2=True),
                  GeneralizedMaxPooling(method="sum"), FisherVectors(gaussians=3, pca=3), Vlad(clusters=3, path=[1.0]),
                  EfficientMatchKernel(outputs=16)]
CHECKS = {}


def bags_of(d=4, count=12, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(1 + 3 * i % 17, d)).astype(dtype) for i in range(count)]


LABELS = np.arange(12) % 3


def check(function):
    """Registers what stands for the check of that name. Those of this list are all that 1.2 has for transformers."""
    assert hasattr(estimator_checks, function.__name__), function.__name__
    CHECKS[function.__name__] = function
    return function


def raises(errors, *words):
    return pytest.raises(errors, match="|".join(words))


# These look at no data: scikit-learn's own functions.
for own in ("check_no_attributes_set_in_init", "check_estimator_get_tags_default_keys", "check_get_params_invariance",
            "check_set_params"):
    if hasattr(estimator_checks, own):
        CHECKS[own] = lambda estimator, own=own: getattr(estimator_checks, own)(type(estimator).__name__, estimator)


@check
def check_parameters_default_constructible(estimator):
    estimator_checks.check_parameters_default_constructible(type(estimator).__name__, estimator)


@check
def check_estimators_dtypes(estimator):
    for dtype in (np.float32, np.float64, np.int64, np.int32):
        vectors = clone(estimator).fit_transform([np.round(20 * bag).astype(dtype) for bag in bags_of()])
        assert np.isfinite(vectors).all()


@check
def check_fit_score_takes_y(estimator):
    for method in ("fit", "fit_transform"):
        assert list(inspect.signature(getattr(estimator, method)).parameters)[:2] == ["X", "y"]
        getattr(clone(estimator), method)(bags_of(), LABELS)


@check
def check_estimators_fit_returns_self(estimator):
    estimator = clone(estimator)
    assert estimator.fit(bags_of()) is estimator


def memory_mapped(tmp_path, bags):
    paths = [tmp_path / f"{i}.npy" for i in range(len(bags))]
    for path, bag in zip(paths, bags):
        np.save(path, bag)
    return [np.load(path, mmap_mode="r") for path in paths]


def check_readonly_memmap(estimator, tmp_path):
    frozen = memory_mapped(tmp_path, bags_of())
    assert not frozen[0].flags.writeable
    expected = clone(estimator).fit(bags_of()).transform(bags_of())
    np.testing.assert_array_equal(clone(estimator).fit(frozen).transform(frozen), expected)


# Which has no name of its own: check_transformer_general and check_estimators_fit_returns_self with readonly_memmap.
CHECKS["readonly_memmap"] = check_readonly_memmap


@check
def check_complex_data(estimator):
    with raises(ValueError, "Complex data not supported"):
        clone(estimator).fit([bag + 1j for bag in bags_of()])


@check
def check_dtype_object(estimator):
    expected = clone(estimator).fit(bags_of()).transform(bags_of())
    objects = [bag.astype(object) for bag in bags_of()]
    np.testing.assert_array_equal(clone(estimator).fit(objects).transform(objects), expected)
    for wrong in ({"foo": "bar"}, "text"):
        objects[0][0, 0] = wrong
        with pytest.raises((TypeError, ValueError)):
            clone(estimator).fit(objects)


@check
def check_estimators_empty_data_messages(estimator):
    with raises(ValueError, r"0 sample\(s\)"):
        clone(estimator).fit([])
    with raises(ValueError, r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of \d* is required"):
        clone(estimator).fit([np.empty((12, 0))])
    # A bag without rows is no error: zeros, or for what learns one bag among others.
    fitted = clone(estimator).fit([np.empty((0, 4)), *bags_of()])
    assert not fitted.transform([np.empty((0, 4))]).any()


@check
def check_pipeline_consistency(estimator):
    direct = clone(estimator).fit(bags_of(), LABELS)
    pipeline = make_pipeline(clone(estimator)).fit(bags_of(), LABELS)
    np.testing.assert_array_equal(pipeline.transform(bags_of()), direct.transform(bags_of()))


@check
def check_estimators_nan_inf(estimator):
    for value, word in ((np.nan, "NaN"), (np.inf, "inf")):
        bad = bags_of()
        bad[3][0, 1] = value
        with raises(ValueError, word):
            clone(estimator).fit(bad)
        with raises(ValueError, word):
            clone(estimator).fit_transform(bad)
        fitted = clone(estimator).fit(bags_of())
        with raises(ValueError, rf"\[3\].* row 0, column 1 is {word}"):
            fitted.transform(bad)


@check
def check_estimators_overwrite_params(estimator):
    before = clone(estimator).get_params()
    after = clone(estimator).fit(bags_of(), LABELS).get_params()
    assert {name: joblib.hash(value) for name, value in after.items()} == {n: joblib.hash(v) for n, v in before.items()}


@check
def check_estimator_sparse_data(estimator):
    for wrong in ([sparse.csr_matrix(bag) for bag in bags_of()], sparse.csr_matrix(np.eye(4))):
        with raises(TypeError, "sparse", "csr_matrix"):
            clone(estimator).fit(wrong)


@check
def check_estimators_pickle(estimator):
    fitted = clone(estimator).fit(bags_of(), LABELS)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(bags_of()), fitted.transform(bags_of()))


@check
def check_transformer_data_not_an_array(estimator):
    class NotAnArray:
        def __init__(self, data):
            self.data = np.asarray(data)

        def __array__(self, dtype=None, copy=None):
            return self.data

    expected = clone(estimator).fit(bags_of()).transform(bags_of())
    for strange in ([NotAnArray(bag) for bag in bags_of()], [bag.tolist() for bag in bags_of()], tuple(bags_of())):
        np.testing.assert_array_equal(clone(estimator).fit(strange).transform(strange), expected)


@check
def check_transformer_general(estimator):
    fitted = clone(estimator).fit(bags_of(), LABELS)
    first, second = fitted.transform(bags_of()), clone(estimator).fit_transform(bags_of(), y=LABELS)
    np.testing.assert_array_equal(first, second)
    assert len(first) == len(bags_of()) and first.ndim == 2


@check
def check_transformer_preserve_dtypes(estimator):
    for dtype in (np.float32, np.float64):
        bags = bags_of(dtype=dtype)
        assert clone(estimator).fit_transform(bags).dtype == dtype
        assert clone(estimator).fit(bags).transform(bags).dtype == dtype


@check
def check_transformers_unfitted(estimator):
    if isinstance(estimator, GeneralizedMaxPooling):  # learns nothing: its tags say that it needs no fit
        expected = clone(estimator).fit_transform(bags_of())
        np.testing.assert_array_equal(clone(estimator).transform(bags_of()), expected)
    else:
        with pytest.raises(NotFittedError):
            clone(estimator).transform(bags_of())


@check
def check_methods_sample_order_invariance(estimator):
    fitted = clone(estimator).fit(bags_of(), LABELS)
    order = np.random.default_rng(1).permutation(12)
    clear_paths()
    permuted = fitted.transform([bags_of()[i] for i in order])
    clear_paths()
    np.testing.assert_array_equal(permuted, fitted.transform(bags_of())[order])


@check
def check_methods_subset_invariance(estimator):
    fitted = clone(estimator).fit(bags_of(), LABELS)
    clear_paths()
    one_by_one = [fitted.transform([bag])[0] for bag in bags_of()]
    clear_paths()
    np.testing.assert_array_equal(fitted.transform(bags_of()), one_by_one)


@check
def check_fit2d_1sample(estimator):  # one bag
    bags = bags_of()[3:4]
    assert clone(estimator).fit(bags).transform(bags).shape[0] == 1


@check
def check_fit2d_1feature(estimator):  # rows of one dimension
    if isinstance(estimator, FisherVectors):
        estimator = clone(estimator).set_params(pca=1)
    assert clone(estimator).fit(bags_of(1)).transform(bags_of(1)).shape[0] == 12


@check
def check_dict_unchanged(estimator):
    fitted = clone(estimator).fit(bags_of())
    before = joblib.hash({name: value for name, value in vars(fitted).items() if not hasattr(value, "_native")})
    names = list(vars(fitted))
    fitted.transform(bags_of())
    fitted.get_feature_names_out()
    assert list(vars(fitted)) == names
    assert joblib.hash({n: value for n, value in vars(fitted).items() if not hasattr(value, "_native")}) == before


@check
def check_dont_overwrite_parameters(estimator):
    before = set(vars(clone(estimator)))
    added = set(vars(clone(estimator).fit(bags_of()))) - before
    assert all(name.startswith("_") or name.endswith("_") for name in added)


@check
def check_fit_idempotent(estimator):
    fitted = clone(estimator).fit(bags_of())
    first = fitted.transform(bags_of(seed=1))
    np.testing.assert_array_equal(fitted.fit(bags_of()).transform(bags_of(seed=1)), first)


@check
def check_fit_check_is_fitted(estimator):
    from sklearn.utils.validation import check_is_fitted

    if not isinstance(estimator, GeneralizedMaxPooling):  # scikit-learn leaves out what needs no fit, too
        with pytest.raises(NotFittedError):
            check_is_fitted(clone(estimator))
    check_is_fitted(clone(estimator).fit(bags_of()))


@check
def check_n_features_in(estimator):
    estimator = clone(estimator)
    assert not hasattr(estimator, "n_features_in_")
    assert estimator.fit(bags_of()).n_features_in_ == 4


@check
def check_n_features_in_after_fitting(estimator):
    with raises(ValueError, f"X has 3 features, but {type(estimator).__name__} is expecting 4 features as input"):
        clone(estimator).fit(bags_of()).transform(bags_of(3))


@check
def check_fit1d(estimator):  # bags that are vectors, and a matrix in place of bags
    for wrong in ([np.zeros(4)] * 3, np.zeros((5, 4)), np.zeros(3), np.zeros(()), None, 3, "bags"):
        with pytest.raises((ValueError, TypeError), match="X"):
            clone(estimator).fit(wrong)


@check
def check_fit2d_predict1d(estimator):
    with raises(ValueError, "Reshape your data"):
        clone(estimator).fit(bags_of()).transform(bags_of()[0])


@check
def check_requires_y_none(estimator):
    clone(estimator).fit(bags_of(), None)


@check
def check_get_feature_names_out_error(estimator):
    with pytest.raises(NotFittedError):
        clone(estimator).get_feature_names_out()


@check
def check_transformer_get_feature_names_out(estimator):
    fitted = clone(estimator).fit(bags_of())
    names = fitted.get_feature_names_out()
    assert names.dtype == object and len(names) == fitted.transform(bags_of()).shape[1]
    assert names[0] == type(estimator).__name__.lower() + "0"


@check
def check_set_output_transform_pandas(estimator):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    fitted = clone(estimator).fit(bags_of())
    expected = fitted.transform(bags_of())
    fitted.set_output(transform="pandas")
    for frame in (fitted.transform(bags_of()), fitted.fit_transform(bags_of())):
        assert list(frame.columns) == list(fitted.get_feature_names_out())
        np.testing.assert_array_equal(frame.to_numpy(), expected)
        assert list(frame.index) == list(range(12))
    series = pandas.Series(bags_of(), index=list("abcdefghijkl"))
    assert list(fitted.transform(series).index) == list("abcdefghijkl")
    fitted.set_output(transform="default")
    np.testing.assert_array_equal(fitted.transform(series), expected)


@check
def check_global_ouptut_transform_pandas(estimator):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    from sklearn import config_context

    with config_context(transform_output="pandas"):
        assert isinstance(clone(estimator).fit_transform(bags_of()), pandas.DataFrame)


# What 1.2 checks beside, and does not apply here:
LEFT_OUT = {
    "check_sample_weights_pandas_series": "fit takes no sample_weight, as for the other six of this name",
    "check_nonsquare_error": "for kernels between samples",
    "check_sparsify_coefficients": "there is no coef_",
    "check_transformer_n_iter": "there is no max_iter",
    "check_fit_non_negative": "values may be negative",
    "check_dataframe_column_names_consistency": "bags are no frames with named columns",
    "check_estimators_partial_fit_n_features": "there is no partial_fit",
    "check_param_validation": "of scikit-learn's own estimators, by their _parameter_constraints",
}


@pytest.fixture(autouse=True)
def nothing_kept():
    clear_paths()
    yield
    clear_paths()


def forget(monkeypatch):
    """What was solved or learned before is never found, so that the two sides of a check are computed apart."""
    monkeypatch.setattr(stores.InMemory, "path", lambda self, key: None)
    monkeypatch.setattr(stores.InMemory, "vocabulary", lambda self, key: None)


CASES = [(estimator, kept) for estimator in BAG_ESTIMATORS for kept in (False, True) if estimator.path or not kept]


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("estimator, kept", CASES, ids=str)
def test_estimators_of_bags_pass_the_same_checks_with_bags(estimator, kept, name, request, monkeypatch):
    keywords = {"tmp_path": request.getfixturevalue("tmp_path")} if name == "readonly_memmap" else {}
    if not kept:
        forget(monkeypatch)
    CHECKS[name](clone(estimator), **keywords)


@pytest.mark.parametrize("name", [
    "check_pipeline_consistency", "check_estimators_pickle", "check_transformer_data_not_an_array",
    "check_transformer_general", "check_fit_idempotent", "check_dtype_object", "check_set_output_transform_pandas",
    "check_methods_sample_order_invariance", "check_methods_subset_invariance"])
@pytest.mark.parametrize("estimator", BAG_ESTIMATORS, ids=str)
def test_the_checks_see_results_that_differ(estimator, name, monkeypatch):
    if "pandas" in name:
        pytest.importorskip("pandas", reason="pandas is not installed")
    pool, rng = alcedo.pool, np.random.default_rng(0)
    forget(monkeypatch)
    monkeypatch.setattr(alcedo, "pool", lambda *rest, **keywords: noisy(pool(*rest, **keywords), rng))
    with pytest.raises(AssertionError, match="Arrays are not equal"):
        CHECKS[name](clone(estimator))


def noisy(vectors, rng):
    return vectors + (1e-3 * rng.normal(size=vectors.shape)).astype(vectors.dtype)


@pytest.mark.skipif(not sklearn.__version__.startswith("1.2."), reason="the list is that of scikit-learn 1.2")
def test_every_check_of_a_transformer_is_in_the_list():
    """Those that scikit-learn would run on an estimator such as ours, if its X were a matrix."""
    generated = estimator_checks.check_estimator(KMeansVocabulary(), generate_only=True)
    names = {check.func.__name__ for _, check in generated}
    assert len(names) > 30
    assert names - set(CHECKS) - set(LEFT_OUT) == set()
