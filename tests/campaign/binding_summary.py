#!/usr/bin/env python3
"""Adds up the counts that scripts/fuzz-python logged, one line of JSON for each run.

usage: binding_summary.py --log FILE [--publish]
"""
import argparse
import json
import pathlib
import sys

import published


def add_up(text):
    total = {}
    for line in text.splitlines():
        for name, counts in json.loads(line).items():
            sums = total.setdefault(name, dict.fromkeys(counts, 0))
            for key, count in counts.items():
                sums[key] += count
    return dict(sorted(total.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", required=True)
    parser.add_argument("--publish", action="store_true")
    arguments = parser.parse_args()
    results = add_up(pathlib.Path(arguments.log).read_text(encoding="utf-8"))
    print(f"{sum(sum(counts.values()) for counts in results.values()):,} calls in all runs")
    if arguments.publish:
        published.publish("bindings", results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
