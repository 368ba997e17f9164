"""Runs inside azem's own environment: compiles one question many times, prints its times."""

import json
import sys
import time

from azem.compiler import compile_query  # type: ignore[import-not-found]
from azem.model.loader import SemanticModel  # type: ignore[import-not-found]


def main() -> None:
    """Compile two facts by a shared dimension; another limit each time, so that no cache answers."""
    path, rounds = sys.argv[1], int(sys.argv[2])
    model = SemanticModel.from_file(path)
    for number in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        request = {
            "metrics": ["shipping", "gross"],
            "dimensions": ["customers.region"],
            "limit": 100 + number,
        }
        text = compile_query(model, request, "postgres")
        spent = [(time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000]
        sys.stdout.write(json.dumps({"ms": spent, "characters": len(text)}) + "\n")


if __name__ == "__main__":
    main()
