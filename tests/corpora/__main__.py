"""`python -m tests.corpora KIND CASES.jsonl ... --out VERDICTS.jsonl`: one verdict line per labelled case."""

import argparse
import importlib
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

KINDS = ("sql", "grounding", "intake", "evals")


def main(argv: list[str]) -> int:
    """Run the adapter of one kind over a file of cases."""
    kinds = [kind for kind in KINDS if find_spec(f"tests.corpora.{kind}") is not None]
    parser = argparse.ArgumentParser(prog="python -m tests.corpora")
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--schema", type=Path, help="the policy of the SQL cases")
    parser.add_argument("--vocabulary", type=Path, help="the vocabulary of the intake cases")
    parser.add_argument("--datasets", type=Path, help="named datasets of the eval cases")
    asked = parser.parse_args(argv)
    adapter: Any = importlib.import_module(f"tests.corpora.{asked.kind}")
    cases = [
        json.loads(line) for line in asked.cases.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    given = next(
        (path for path in (asked.schema, asked.vocabulary, asked.datasets) if path is not None), None
    )
    lines = adapter.verdicts(cases) if given is None else adapter.verdicts(cases, given)
    with asked.out.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
