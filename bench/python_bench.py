"""The Python package beside what it stands for: answers commands, each with one line of JSON, so that the benchmark of
C++ can take turns with it on the same arrays.

usage: python_bench.py FOLDER < COMMANDS        FOLDER: the arrays that the benchmark wrote
"""
import ctypes
import functools
import gc
import json
import sys
import time
import warnings

import numpy as np

import alcedo

FOLDER = sys.argv[1]
LAMBDA = 10.0


def load(*names):
    return [np.load(f"{FOLDER}/{name}.npy") for name in names]


rows, values, blocks = load("rows", "values", "blocks")


def timed(call, clock=time.thread_time):
    begin = clock()
    call()
    return 1000 * (clock() - begin)


def take_turns(calls, rounds, clock=time.thread_time):
    """Medians of milliseconds, by name; a first round is not counted."""
    times = {name: [] for name in calls}
    for _ in range(rounds + 1):
        for name, call in calls.items():
            times[name].append(timed(call, clock))
    return {name: sorted(list_of_times[1:])[rounds // 2] for name, list_of_times in times.items()}


def resident(field):
    with open("/proc/self/status") as status:
        return next(1024.0 * float(line.split()[1]) for line in status if line.startswith(field))


def peak(call):
    """Bytes that a call adds to the resident memory, at most, with its result."""
    call()  # what is allocated once: buffers of BLAS, tables
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    before = resident("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    kept = call()
    return resident("VmHWM") - before + 0 * len(kept)


def pool():
    return alcedo.pool(rows, lambda_=LAMBDA, relative=False, threads=1)


def pool_blocks():
    return alcedo.pool(values, blocks=blocks, num_blocks=256, lambda_=LAMBDA, relative=False, threads=1)


def weights():
    return alcedo.gmp_weights(rows, lambda_=LAMBDA, relative=False, threads=1)


@functools.lru_cache()
def many_bags():
    return np.random.default_rng(0).normal(size=(1000, 200, 128)).astype(np.float32)


def pool_bags():
    return alcedo.pool(many_bags(), lambda_=LAMBDA, relative=False, threads=1)


def bags():
    """One call for all bags against a call for each, on as many threads as there are: time on the clock."""
    many = many_bags()

    def by_numpy():
        for bag in many:
            gram = bag.T @ bag
            gram.flat[::129] += np.float32((bag * bag).sum() / len(bag))
            np.linalg.solve(gram, bag.sum(0))

    answer = take_turns({"one": lambda: alcedo.pool(many), "loop": lambda: [alcedo.pool(bag) for bag in many]}, 5,
                        time.perf_counter)
    single = take_turns({"one1": lambda: alcedo.pool(many, threads=1),
                         "loop1": lambda: [alcedo.pool(bag, threads=1) for bag in many], "numpy1": by_numpy}, 5)
    return {**answer, **single, "threads": alcedo._alcedo.hardware_threads()}


def vlad():
    """VLAD of 3,000 descriptors with 256 words: encoded and pooled, against the two ways that are copied."""
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(0)
    centers = rng.normal(size=(256, 128)).astype(np.float32)
    words = rng.integers(0, 256, size=3000)
    descriptors = (centers[words] + 0.3 * rng.normal(size=(3000, 128))).astype(np.float32)
    encoder = alcedo.Encoder(alcedo.Codebook(centers), "vlad")

    def nearest():
        return (descriptors @ centers.T - 0.5 * (centers * centers).sum(1)).argmax(1)

    def ridge(encodings):
        model = Ridge(alpha=1.0, solver="sparse_cg", fit_intercept=False, max_iter=500)
        return model.fit(encodings, np.ones(len(encodings))).coef_

    def ours():
        return alcedo.pool(descriptors, encoder=encoder, lambda_=1.0, relative=False, threads=1)

    def by_word():
        found, phi = nearest(), np.zeros((256, 128))
        for k in range(256):
            if (found == k).any():
                phi[k] = ridge(descriptors[found == k] - centers[k])
        return phi.ravel()

    def dense():
        found = nearest()
        encodings = np.zeros((len(descriptors), 256, 128))
        encodings[np.arange(len(found)), found] = descriptors - centers[found]
        return ridge(encodings.reshape(len(found), -1))

    reference = by_word()
    answer = take_turns({"ours": ours, "by_word": by_word}, 5)
    answer["dense"] = take_turns({"dense": dense}, 2)["dense"]
    for name, call in (("ours", ours), ("by_word", by_word), ("dense", dense)):
        answer[f"{name}_bytes"] = peak(call)
        answer[f"{name}_difference"] = float(np.linalg.norm(call() - reference) / np.linalg.norm(reference))
    return answer


def fisher():
    """Soft assignment, 256 Gaussians, 10,000 x 64 of dense SIFT. scikit-image has fisher_vector() from 0.20 on; for
    Debian's 0.19 there is what takes its time: scikit-learn's posteriors, and two products with them."""
    from sklearn.mixture import GaussianMixture

    x, weights, means, variances = load("data", "weights", "means", "variances")
    encoder = alcedo.Encoder(alcedo.GaussianMixture(weights, means, variances), "fv", assignment="soft")
    # float64, as scikit-learn fits them, also to float32
    weights, means, variances = (array.astype(np.float64) for array in (weights, means, variances))
    mixture = GaussianMixture(len(weights), covariance_type="diag")
    mixture.weights_, mixture.means_, mixture.covariances_ = weights, means, variances
    mixture.precisions_cholesky_ = 1 / np.sqrt(variances)

    def by_posteriors():
        q = mixture.predict_proba(x)
        total, first, second = q.mean(0)[:, None], q.T @ x / len(x), q.T @ (x * x) / len(x)
        root = np.sqrt(weights)[:, None]
        u = (first - total * means) / (np.sqrt(variances) * root)
        v = (second - 2 * first * means + total * (means * means - variances)) / (np.sqrt(2) * variances * root)
        return np.hstack([u, v]).ravel()

    def ours():
        return alcedo.pool(x, "mean", encoder=encoder, threads=1)

    calls, official = {"ours": ours, "peer": by_posteriors}, 0
    try:
        from skimage.feature import fisher_vector
        calls["peer"], official = lambda: fisher_vector(x, mixture), 1
    except ImportError:
        pass
    reference = by_posteriors()
    difference = float(np.linalg.norm(ours() - reference) / np.linalg.norm(reference))
    return {**take_turns(calls, 5), "difference": difference, "official": official}


COMMANDS = {"pool": lambda: {"ms": timed(pool)}, "bags": bags, "vlad": vlad, "fisher": fisher}
MEMORY = {"pool": pool, "blocks": pool_blocks, "weights": weights, "bags": pool_bags}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        name, *argument = line.split()
        try:
            answer = {"bytes": peak(MEMORY[argument[0]])} if name == "memory" else COMMANDS[name]()
        except ImportError as error:
            answer = {"missing": str(error)}
        print(json.dumps(answer), flush=True)
