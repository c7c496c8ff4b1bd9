"""docs/results/campaign.json: the counts of the campaigns, one section for each."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "docs" / "results" / "campaign.json"


def publish(section, value):
    results = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    results[section] = value
    FILE.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"wrote {FILE.relative_to(ROOT)}; scripts/docs --update puts it into docs/reliability.md")
