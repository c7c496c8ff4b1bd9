#!/usr/bin/env python3
"""Adds up what the logs of scripts/fuzz say.

usage: fuzz_summary.py --logs FOLDER [--publish]
"""
import argparse
import pathlib
import re
import sys

import published


def read_log(text):
    """Executions of all runs of a log, and how many of these found something."""
    executed = re.findall(r"^stat::number_of_executed_units:\s*(\d+)", text, re.M)
    return {"executions": sum(map(int, executed)), "found": len(re.findall(r"^SUMMARY:", text, re.M))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", required=True)
    parser.add_argument("--publish", action="store_true")
    arguments = parser.parse_args()
    results = {}
    for log in sorted(pathlib.Path(arguments.logs).glob("*/log")):
        results[log.parent.name] = read_log(log.read_text(encoding="utf-8", errors="replace"))
    for name, result in results.items():
        print(f"{name:32}{result['executions']:14,}{result['found']:6} found")
    print(f"{'all':32}{sum(result['executions'] for result in results.values()):14,}")
    if arguments.publish:
        published.publish("fuzzing", results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
