"""Made-up files of `alcedo reproduce`, in the form that it writes, for tests of the page that shows them."""
import random

METHODS = {"1": {"sum": 0, "gmp": 6}, "2": {"sum": 0, "sum+p": 5.1, "gmp": 5.4, "gmp+p": 6.5}, "pyramid": {"sum+p": 6, "gmp": 7}}  # with gains
SIZES = {"1": (0,), "2": (16, 256), "pyramid": (256,)}
DESCRIPTORS = {"sift": 0, "color": -3, "fusion": 6}
PAIRS = {"1": [("gmp", "sum")], "2": [("gmp", "sum"), ("gmp", "sum+p"), ("gmp+p", "sum+p")], "pyramid": [("gmp", "sum+p")]}


def results(name, title, base, *, tables=("1", "2"), metric="top1-classes", seeds=1, corrected=True, notes=(), timings=(), unconverged=()):
    """`base`: accuracy of sum pooling. `corrected`: whether comparisons say what is decided. `unconverged`: (table, G, descriptor, method)."""
    draw = random.Random(name)
    cells, comparisons = [], []
    for table in tables:
        for gaussians in SIZES[table]:
            for descriptor, more in DESCRIPTORS.items():
                if table == "pyramid" and descriptor != "fusion":
                    continue
                row = {}
                for method, gain in METHODS[table].items():
                    by_seed = [base + more + gain + (gaussians > 16) * 7 + draw.uniform(-2, 2) for _ in range(seeds)]
                    value = sum(by_seed) / seeds
                    c = [{"descriptor": d, "lambda": 1e5 if "gmp" in method else None, "c": 10.0, "validation": value,
                          "edge": ["lambda"] if "gmp" in method and table == "2" and d == "sift" else []}
                         for d in (("sift", "color") if descriptor == "fusion" else (descriptor,))]
                    row[method] = {
                        "dataset": name, "table": table, "encoder": "emk" if table == "1" else "fv", "gaussians": gaussians,
                        "descriptor": descriptor, "method": method, "metric": metric, "value": value, "low": value - 1.1, "high": value + 1.2,
                        "paper": round(value + draw.uniform(-3, 2), 1), "seeds": by_seed,
                        "other": {"top1-images": value - draw.uniform(0.5, 2)} if metric.startswith("top1") else {"map-area": value + 1},
                        "chosen": [c] * seeds,
                        "unconverged": ["SVMs of 2 classes"] if (table, gaussians, descriptor, method) in unconverged else []}
                cells += row.values()
                for method, baseline in PAIRS[table]:
                    difference = row[method]["value"] - row[baseline]["value"]
                    # The p and the interval disagree in some: they are two tests.
                    p = {"sift": 0.3, "color": 0.0005}.get(descriptor, 0.0005 if abs(difference) > 1 else 0.3)
                    comparison = {"dataset": name, "encoder": row[method]["encoder"] + ("-pyramid" if table == "pyramid" else ""),
                                  "gaussians": gaussians, "descriptor": descriptor,
                                  "method": method, "baseline": baseline, "metric": metric, "difference": difference,
                                  "low": difference - 0.9, "high": difference + 0.8, "p": p}
                    if corrected:
                        comparison |= {"seeds": seeds, "corrected_p": min(1, 21 * p), "verdict": "undecided" if abs(difference) <= 2 else "ahead" if difference > 0 else "behind"}
                    comparisons.append(comparison)
    return {"format": "alcedo results", "format_version": 1, "version": "0.1.0",
            "config": {"lambdas": [10.0, 1e5], "relative_lambdas": [1.0, 10.0], "powers": [1.0, 0.5], "c": [1.0, 10.0, 100.0],
                       "sigmas": [0.3, 0.6], "root_sift": True, "sift_patch": 32, "color_patch": 16, "scales": 7},
            "seeds": list(range(seeds)), "lite": False, "complete": True,
            "datasets": [{"name": name, "title": title, "classes": 20, "train": 2501, "validation": 2510, "test": 4952, "notes": list(notes),
                          "failures": []}],
            "cells": cells, "curves": [], "comparisons": comparisons, "gains": [], "confusions": [], "checks": [],
            "timings": [{"dataset": name, "stage": stage, "seconds": seconds, "cpu_seconds": 1.9 * seconds, "images": 100}
                        for stage, seconds in timings]}
