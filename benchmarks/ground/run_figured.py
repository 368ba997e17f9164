"""Runs inside figured's own environment: cases on stdin, one verdict with its times per line on stdout."""

import json
import sys
import time

from figured import trace  # type: ignore[import-not-found]


def main() -> None:
    """Judge every draft as the library does by default, and by its stricter settings where asked."""
    options = {"rel_tolerance": 0.005, "ignore_below": 0.0} if "strict" in sys.argv else {}
    for line in sys.stdin:
        case = json.loads(line)
        wall, cpu = time.perf_counter(), time.process_time()
        report = trace(case["draft"], results=[case["rows"], case["declared"]], **options)
        spent = [(time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000]
        sys.stdout.write(json.dumps({"id": case["id"], "pass": bool(report.ok), "ms": spent}) + "\n")


if __name__ == "__main__":
    main()
