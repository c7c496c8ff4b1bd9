"""GMP as a layer: forward and backward pass of alcedo.torch against what people write in PyTorch today.

usage: python_torch_bench.py [--batch B] [--tokens N] [--channels D] [--dtype TYPE] [--device DEVICE] [--threads T]
                             [--lambda L] [--absolute] [--repeats R] [--json FILE]

All run in this process on the same tokens, in turns, and the best of the repeats counts: processor time with one thread
on the CPU, time otherwise. Peak memory is what both passes need beyond the tokens: the growth of the resident set on
the CPU, that of PyTorch's allocator on a GPU. Errors are relative, in the Frobenius norm, against
torch.linalg.solve in float64. The compiled half of alcedo is not needed, only python/alcedo.
"""

import argparse
import ctypes
import json
import pathlib
import re
import sys
import time
import types

import torch

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "alcedo"

try:
    import alcedo.torch
except ImportError:  # not built, or not on the path: the layer stands on PyTorch alone, and so does this stand-in
    sys.modules["alcedo"] = types.ModuleType("alcedo")
    sys.modules["alcedo"].__path__ = [str(PACKAGE)]
    import alcedo.torch


def penalty(tokens, lambda_, absolute):
    """lambda as B x 1 x 1, as a line of a layer would compute it."""
    if absolute:
        return lambda_
    return lambda_ * tokens.square().sum((1, 2)).reshape(-1, 1, 1) / tokens.shape[1]


def kernel(tokens, lambda_, absolute):
    identity = torch.eye(tokens.shape[1], dtype=tokens.dtype, device=tokens.device)
    return tokens @ tokens.mT + penalty(tokens, lambda_, absolute) * identity


def ones_like_tokens(tokens):
    return tokens.new_ones(tokens.shape[0], tokens.shape[1], 1)


def solve_dual(tokens, lambda_, absolute):
    weights = torch.linalg.solve(kernel(tokens, lambda_, absolute), ones_like_tokens(tokens))
    return (tokens.mT @ weights).squeeze(2)


def solve_primal(tokens, lambda_, absolute):
    identity = torch.eye(tokens.shape[2], dtype=tokens.dtype, device=tokens.device)
    return torch.linalg.solve(tokens.mT @ tokens + penalty(tokens, lambda_, absolute) * identity, tokens.sum(1))


def cholesky_dual(tokens, lambda_, absolute):
    factor = torch.linalg.cholesky(kernel(tokens, lambda_, absolute))
    return (tokens.mT @ torch.cholesky_solve(ones_like_tokens(tokens), factor)).squeeze(2)


def deep_gmp(tokens, lambda_, absolute):
    """The layer that is copied between repositories: the inverse of the whole N x N matrix."""
    weights = torch.inverse(kernel(tokens, lambda_, absolute)) @ ones_like_tokens(tokens)
    return (weights.mT @ tokens).squeeze(1)


def alcedo_gmp(tokens, lambda_, absolute):
    return alcedo.torch.gmp(tokens, lambda_, relative=not absolute)


OURS = "alcedo.torch.gmp"
METHODS = {OURS: alcedo_gmp, "torch.linalg.solve, N x N": solve_dual, "torch.linalg.solve, D x D": solve_primal,
           "torch cholesky_solve, N x N": cholesky_dual, "deep GMP (N x N inverse)": deep_gmp}


def status(field):
    """A line of /proc/self/status, in MiB."""
    found = re.search(rf"^{field}:\s+(\d+) kB", pathlib.Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found.group(1)) / 1024


def peak_mib(call, device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        call()
        return (torch.cuda.max_memory_allocated(device) - before) / 2 ** 20
    ctypes.CDLL(None).malloc_trim(0)
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak starts from here
    before = status("VmRSS")
    call()
    return status("VmHWM") - before


def clock(device, threads):
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.thread_time() if device.type == "cpu" and threads == 1 else time.perf_counter()


def error(got, want):
    return float((got.double() - want).norm() / want.norm())


def measure(options):
    """For each method: seconds of the forward pass and of both, MiB, and the errors of phi and of the gradient."""
    torch.set_num_threads(options.threads)
    device, dtype = torch.device(options.device), getattr(torch, options.dtype)
    generator = torch.Generator().manual_seed(0)
    # Non-negative and with a common direction, as after a ReLU.
    exact = torch.randn(options.batch, options.tokens, options.channels, generator=generator).relu()
    upstream = torch.randn(options.batch, options.channels, generator=generator)
    tokens, upstream = exact.to(device, dtype).requires_grad_(), upstream.to(device, dtype)
    lambda_ = options.lambda_ * (float(exact.square().sum(2).mean()) if options.absolute else 1)

    def passes(method):
        begin = clock(device, options.threads)
        phi = method(tokens, lambda_, options.absolute)
        middle = clock(device, options.threads)
        slope, = torch.autograd.grad(phi, tokens, upstream)
        return middle - begin, clock(device, options.threads) - begin, phi.detach(), slope

    truth = tokens.detach().double().requires_grad_()
    solved = (solve_dual if options.tokens < options.channels else solve_primal)(truth, lambda_, options.absolute)
    slope, = torch.autograd.grad(solved, truth, upstream.double())
    result = {}
    for name, method in METHODS.items():  # also warms up
        _, _, got_phi, got_slope = passes(method)
        result[name] = {"forward": float("inf"), "both": float("inf"), "error_of_phi": error(got_phi, solved.detach()),
                        "error_of_gradient": error(got_slope, slope)}
    del got_phi, got_slope, solved, slope, truth, exact
    for _ in range(options.repeats):
        for name, method in METHODS.items():
            forward, both, _, _ = passes(method)
            result[name]["forward"] = min(result[name]["forward"], forward)
            result[name]["both"] = min(result[name]["both"], both)
    if device.type == "cpu":
        ctypes.CDLL(None).mallopt(-3, 1 << 16)  # M_MMAP_THRESHOLD: what is freed goes back to the system immediately
    for name, method in METHODS.items():
        result[name]["mib"] = min(peak_mib(lambda: passes(method), device) for _ in range(3))
    return result


def rows_for_table(options, result):
    """As bench/harness.cc has them. The goals are those against torch.linalg.solve."""
    kernel_name = f"torch/{options.batch} x {options.tokens} x {options.channels}, both passes"
    ours, rows = result[OURS], []
    for name, peer in result.items():
        if name == OURS:
            continue
        for unit, key, factor, goal in (("ms", "both", 1e3, 3), ("MB", "mib", 2 ** 20 / 1e6, 1)):
            ratio = peer[key] / ours[key]
            has_goal = "linalg.solve" in name
            errors = f"errors of the gradient: {ours['error_of_gradient']:.0e}, {peer['error_of_gradient']:.0e}"
            rows.append({"kernel": kernel_name, "ours_ms": ours[key] * factor, "peer": name,
                         "peer_ms": peer[key] * factor, "ratio": ratio, "goal": f">= {goal}" if has_goal else "",
                         "reached": not has_goal or ratio >= goal, "unit": unit,
                         "note": errors if unit == "ms" else ""})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=196)
    parser.add_argument("--channels", type=int, default=384)
    parser.add_argument("--dtype", choices=["float32", "float64"], default="float32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--lambda", type=float, default=1.0, dest="lambda_")
    parser.add_argument("--absolute", action="store_true", help="one lambda for all bags, not one for each")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", help="write the rows of scripts/bench there; - prints them, and nothing else")
    options = parser.parse_args()
    result = measure(options)
    if options.json:
        text = json.dumps(rows_for_table(options, result), indent=2) + "\n"
        if options.json == "-":
            print(text, end="")
            return
        pathlib.Path(options.json).write_text(text)
    cuda = options.device.startswith("cuda")
    machine = torch.cuda.get_device_name(options.device) if cuda else f"{options.threads} thread(s)"
    print(f"{options.batch} x {options.tokens} x {options.channels} {options.dtype}, lambda {options.lambda_:g} "
          f"{'absolute' if options.absolute else 'relative'}, {options.device}, {machine}, "
          f"torch {torch.__version__}")
    print(f"{'':28}{'forward':>11}{'+ backward':>12}{'ratio':>7}{'peak':>10}{'ratio':>7}{'error of phi':>14}"
          f"{'of gradient':>13}")
    ours = result[OURS]
    for name, row in result.items():
        print(f"{name:28}{1e3 * row['forward']:>8.2f} ms{1e3 * row['both']:>9.2f} ms{row['both'] / ours['both']:>7.2f}"
              f"{row['mib']:>6.0f} MiB{row['mib'] / ours['mib']:>7.2f}{row['error_of_phi']:>14.0e}"
              f"{row['error_of_gradient']:>13.0e}")


main()
