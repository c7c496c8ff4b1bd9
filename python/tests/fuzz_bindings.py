#!/usr/bin/env python3
"""Calls the package with random arguments. A call must give numbers, or one clear exception.

usage: fuzz_bindings.py [--calls N] [--seconds S] [--seed SEED] [--log FILE] [--verbose] [--replay SEED:NUMBER]

Call NUMBER of a seed is always the same. Calls run in a process of their own, whose death is a find, too. --log adds a
line of counts to a file.
"""

import argparse
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

import numpy as np

ALLOWED = (ValueError, TypeError, OSError, MemoryError, OverflowError, IndexError, KeyError)
NEVER = (UnicodeError,)  # of ValueError: half of a name reached the compiled half
SECONDS_OF_A_CALL = 60


def numbers_of(result, depth=0):
    """All arrays and floats in what a call gave."""
    import alcedo

    if isinstance(result, (float, np.floating)):
        yield np.asarray(result)
    elif isinstance(result, np.ndarray):
        yield result
    elif isinstance(result, dict):
        for value in result.values():
            yield from numbers_of(value, depth + 1)
    elif isinstance(result, (list, tuple)):
        for value in result:
            yield from numbers_of(value, depth + 1)
    elif isinstance(result, alcedo.Encodings):
        yield from numbers_of((result.to_dense(), result.mean_squared_norm))
    elif isinstance(result, alcedo.Descriptors):
        yield from numbers_of((result.values, result.patches, result.positions))
    elif isinstance(result, alcedo.SolveReport):
        yield from numbers_of((result.lambda_, result.lambda_relative, result.residual))
    else:
        for part in getattr(result, "_parts", ()):  # words
            yield from numbers_of(getattr(result, part))


def judge(seed, number):
    """(name of the call, "results" or "refused" or what is wrong)."""
    import fuzz_calls
    from fuzz_values import Values

    values = Values(np.random.default_rng([seed, number]))
    name = values.one_of(list(fuzz_calls.CALLS))
    call, arguments, keywords = fuzz_calls.CALLS[name](values)
    given = [(a, a.tobytes()) for a in (*arguments, *keywords.values()) if type(a) is np.ndarray and a.size < 10**5]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's, of infinities and NaN
            result = call(*arguments, **keywords)
            for array in numbers_of(result):
                if array.dtype.kind in "fc" and not np.isfinite(array).all():
                    return name, f"a result has {'NaN' if np.isnan(array).any() else 'infinity'}"
    except ALLOWED as error:
        if isinstance(error, NEVER):
            return name, "".join(traceback.format_exception(error))
        return name, "refused"
    except BaseException as error:  # also SystemExit
        return name, "".join(traceback.format_exception(error))
    for array, before in given:
        if array.tobytes() != before:
            return name, "an argument was changed"
    return name, "results"


def work(seed, first, last, seconds):
    """In the child: says before every call which it is, and after it how it went."""
    end = time.monotonic() + seconds
    for number in range(first, last):
        print(f"begin {number}", flush=True)
        faulthandler.dump_traceback_later(SECONDS_OF_A_CALL, exit=True)
        name, outcome = judge(seed, number)
        faulthandler.cancel_dump_traceback_later()
        print(f"end {json.dumps([name, outcome])}", flush=True)
        if time.monotonic() > end:
            return


def limit_memory():
    """4 GiB of addresses, so that what is too large is a MemoryError; AddressSanitizer needs terabytes of them."""
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def run(seed, calls, seconds, verbose):
    """(counts by name, finds)."""
    counts, finds, number, end = {}, [], 0, time.monotonic() + seconds
    while number < calls and time.monotonic() < end:
        # A file: a pipe that nobody reads until the end would fill up, and stop the child.
        said = tempfile.TemporaryFile("w+", errors="replace")
        child = subprocess.Popen([sys.executable, __file__, "--work", f"{seed}:{number}:{calls}:{end - time.monotonic()}"],
                                 stdout=subprocess.PIPE, stderr=None if verbose else said, text=True)
        open_call = None
        for line in child.stdout:
            word, _, rest = line.partition(" ")
            if word == "begin":
                open_call = int(rest)
            elif word == "end":
                name, outcome = json.loads(rest)
                count = counts.setdefault(name, {"results": 0, "refused": 0, "found": 0})
                count[outcome if outcome in count else "found"] += 1
                if outcome not in ("results", "refused"):
                    finds.append((open_call, name, outcome))
                    print(f"found in {name}: {outcome}\nreplay: {__file__} --replay {seed}:{open_call}", flush=True)
                number, open_call = open_call + 1, None
        code = child.wait()
        said.seek(0)
        errors = said.read()
        if open_call is not None and "AddressSanitizer: out-of-memory" in errors:
            # Its operator new cannot throw, as that of a plain module does: MemoryError.
            counts.setdefault("out of memory", {"results": 0, "refused": 0, "found": 0})["refused"] += 1
            number = open_call + 1
        elif open_call is not None:
            finds.append((open_call, "?", "the process died"))
            counts.setdefault("died", {"results": 0, "refused": 0, "found": 0})["found"] += 1
            print(f"the process died with {code}: {errors[-6000:]}\nreplay: {__file__} --replay {seed}:{open_call}", flush=True)
            number = open_call + 1
        elif code != 0:
            raise SystemExit(f"the fuzzer itself failed: {errors}")
    return counts, finds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--replay")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        limit_memory()
        seed, first, last, seconds = options.work.split(":")
        work(int(seed), int(first), int(last), float(seconds))
        return 0
    if options.replay:
        limit_memory()
        faulthandler.enable()
        print(*judge(*map(int, options.replay.split(":"))), sep=": ")
        return 0
    counts, finds = run(options.seed, options.calls, options.seconds, options.verbose)
    for name, count in sorted(counts.items()):
        print(f"{name:24}" + "".join(f"{count[key]:10,} {key}" for key in ("results", "refused", "found")))
    print(f"{sum(sum(count.values()) for count in counts.values()):,} calls, {len(finds)} finds")
    if options.log:
        with open(options.log, "a") as log:
            log.write(json.dumps(counts) + "\n")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
