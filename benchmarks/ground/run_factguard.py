"""Runs inside factguard's own environment: cases on stdin, one verdict with its times per line on stdout."""

import json
import sys
import time

from factguard import check  # type: ignore[import-not-found]


def main() -> None:
    """Judge every draft as the library does by default; declared values are further facts of its source."""
    for line in sys.stdin:
        case = json.loads(line)
        wall, cpu = time.perf_counter(), time.process_time()
        report = check(case["draft"], {"rows": case["rows"], "declared": case["declared"]})
        spent = [(time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000]
        sys.stdout.write(json.dumps({"id": case["id"], "pass": bool(report.ok), "ms": spent}) + "\n")


if __name__ == "__main__":
    main()
