"""What people write in Python today, on the arrays that the benchmark wrote: prints milliseconds.

usage: peers.py COMMAND FOLDER [NUMBER...]
"""
import json
import sys
import time
import warnings

import numpy as np

command, folder = sys.argv[1], sys.argv[2]
numbers = [float(argument) for argument in sys.argv[3:]]


def load(*names):
    return [np.load("%s/%s.npy" % (folder, name)) for name in names]


def milliseconds(call):
    """Processor time: everything runs on this one thread."""
    begin = time.thread_time()
    call()
    return 1000 * (time.thread_time() - begin)


def median_ms(call, rounds):
    call()
    return sorted(milliseconds(call) for _ in range(rounds))[rounds // 2]


def gmp():
    """The two ways GMP is computed today."""
    num_blocks, penalty = int(numbers[0]), numbers[1]
    values, blocks = load("values", "blocks")

    def by_ridge():
        """As copied between repositories: one scikit-learn ridge regression per cluster."""
        from sklearn.linear_model import Ridge

        phi = np.zeros((num_blocks, values.shape[1]), np.float32)
        for k in range(num_blocks):
            rows = values[blocks == k]
            if len(rows) == 0:
                continue
            model = Ridge(alpha=penalty, solver="sparse_cg", fit_intercept=False, max_iter=500)
            phi[k] = model.fit(rows, np.ones(len(rows))).coef_
        return phi

    def by_numpy():
        """Tight NumPy: sorted once, each block in its smaller space."""
        phi = np.zeros((num_blocks, values.shape[1]), np.float32)
        order = np.argsort(blocks, kind="stable")
        ends = np.cumsum(np.bincount(blocks, minlength=num_blocks))
        begin = 0
        for k, end in enumerate(ends):
            rows = values[order[begin:end]]
            begin = end
            count, width = rows.shape
            if count == 0:
                continue
            if count < width:
                kernel = rows @ rows.T
                kernel.flat[:: count + 1] += penalty
                phi[k] = rows.T @ np.linalg.solve(kernel, np.ones(count, np.float32))
            else:
                gram = rows.T @ rows
                gram.flat[:: width + 1] += penalty
                phi[k] = np.linalg.solve(gram, rows.sum(0))
        return phi

    result = {"numpy": median_ms(by_numpy, 9)}
    try:
        import sklearn  # noqa: F401

        result["ridge"] = median_ms(by_ridge, 3)
    except ImportError:
        pass
    return result


def kmeans():
    """One Lloyd iteration of scikit-learn: some iterations less fewer."""
    from sklearn.cluster import KMeans

    few, many = int(numbers[0]), int(numbers[1])
    data, centers = load("data", "centers")
    model = None

    def fit(iterations):
        nonlocal model
        model = KMeans(len(centers), init=centers, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
        model.fit(data)

    times = []
    for _ in range(6):
        less = milliseconds(lambda: fit(few))
        times.append((milliseconds(lambda: fit(many)) - less) / (many - few))
    return {"sklearn": sorted(times[1:])[len(times[1:]) // 2], "sklearn_error": model.inertia_ / len(data)}


def fisher():
    """The Fisher Vector in three matrix products: scores, then first and second moments."""
    x, weights, means, variances = load("data", "weights", "means", "variances")

    def encode():
        squares = x * x
        inverse = 1 / variances
        constant = np.log(weights) - 0.5 * (np.log(2 * np.pi * variances) + means * means * inverse).sum(1)
        q = np.hstack([x, squares]) @ np.hstack([means * inverse, -0.5 * inverse]).T
        q += constant
        q -= q.max(1, keepdims=True)
        np.exp(q, out=q)
        q /= q.sum(1, keepdims=True)
        total, first, second = q.sum(0)[:, None], q.T @ x, q.T @ squares
        root = np.sqrt(weights)[:, None]
        u = (first - total * means) / np.sqrt(variances) / root
        v = ((second - 2 * first * means + total * means * means) * inverse - total) / (np.sqrt(2) * root)
        return np.hstack([u, v])

    return {"numpy": median_ms(encode, 9)}


def emk():
    x, frequencies, phases = load("data", "frequencies", "phases")

    def encode():
        rows = x @ frequencies.T
        rows += phases
        np.cos(rows, out=rows)
        rows *= np.float32(np.sqrt(2 / len(phases)))
        return rows

    return {"numpy": median_ms(encode, 9)}


warnings.simplefilter("ignore")
print(json.dumps({"gmp": gmp, "kmeans": kmeans, "fisher": fisher, "emk": emk}[command]()))
