"""What the trace log costs: durable traces a second, beside one fdatasync for each record on the same disk.

python benchmarks/traces.py [--quick] [--json] [--folder DIR]
"""

import importlib
import sys
from pathlib import Path


def main() -> None:
    """Run benchmarks/tracing with this folder out of the way: its traces.py would hide the package."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    importlib.import_module("benchmarks.tracing.measure").main()


if __name__ == "__main__":
    main()
