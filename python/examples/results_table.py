"""The results of ``alcedo reproduce`` as a pandas table.

usage: results_table.py [RESULTS.json]      without one: Oxford Flowers, as in docs/results
"""
import json
import pathlib
import sys

import pandas

DEFAULT = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "results" / "flowers102.json"
results = json.loads(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else DEFAULT).read_text())

cells = pandas.DataFrame(results["cells"])
cells["encoder"] = cells["encoder"].str.upper() + cells["gaussians"].map(lambda g: f"-{g}" if g else "")
cells["interval"] = (cells["high"] - cells["low"]) / 2
order = list(dict.fromkeys(cells["method"]))
print(f"{results['datasets'][0]['title']}, {cells['metric'].iloc[0]}, per cent")
print(cells.pivot_table(index=["encoder", "descriptor"], columns="method", values="value", sort=False)[order].round(1))
gains = cells.pivot_table(index=["encoder", "descriptor"], columns="method", values="value", sort=False)
print(f"\nGMP over sum: {(gains['gmp'] - gains['sum']).mean():+.1f} points on average, "
      f"intervals of the cells ±{cells['interval'].mean():.1f}")
