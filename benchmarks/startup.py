"""How long the command takes to start, and how much an installation weighs.

python benchmarks/startup.py [--quick] [--json]

CPU of a process from its start to its end, the median of several, beside Python alone and Python with the
database driver. Sizes are those of the files that installed distributions brought, by extra, with all that
they depend on.
"""

import json
import resource
import subprocess
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from statistics import median
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402

RUN = "import sys; sys.argv = ['cellbound', *{words!r}]; from gateway.doors.cli.main import main; main()"
STARTS = {
    "python": "pass",
    "import duckdb": "import duckdb",
    "import gateway.client": "import gateway.client",
    "import gateway.wiring": "import gateway.wiring",
    "cellbound --version": RUN.format(words=["--version"]),
    "cellbound --help": RUN.format(words=["--help"]),
    "cellbound explain": RUN.format(words=["explain", "join_key"]),
    "cellbound metrics list": RUN.format(
        words=["metrics", "list", "--project", str(ROOT / "examples" / "shop")]
    ),
}
EXTRAS = ("", "postgres", "snowflake", "bigquery", "charts", "evals", "agent", "discovery")
OURS = ("gateway", "metric_layer", "policies", "evals", "traces")
MIB = 1024 * 1024


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    times = 3 if chosen.quick else 9
    figures: dict[str, Any] = {
        "cpu_ms": {
            name: round(median(cpu_ms(code) for _ in range(times)), 1) for name, code in STARTS.items()
        },
        "installed_mb": {extra or "cellbound": size_mb(extra) for extra in EXTRAS},
    }
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for part, rows in figures.items():
        for name, value in rows.items():
            sys.stdout.write(f"{part:>12}  {name:<24} {value}\n")


def cpu_ms(code: str) -> float:
    """Return the CPU of a fresh Python that runs a line."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def size_mb(extra: str) -> float:
    """Return what cellbound weighs, or what an extra adds to it."""
    base = closure("")
    wanted = closure(extra) - base if extra else base
    ours = 0 if extra else sum(weight(file) for name in OURS for file in (ROOT / name).rglob("*"))
    return round((ours + sum(weigh(distribution(name)) for name in wanted if name != "cellbound")) / MIB, 1)


def closure(extra: str) -> set[str]:
    """Return the names of all distributions that an installation with an extra needs."""
    seen: set[tuple[str, str]] = set()
    waiting = [("cellbound", extra), ("cellbound", "")]
    while waiting:
        name, chosen = waiting.pop()
        if (name, chosen) in seen or not installed(name):
            continue
        seen.add((name, chosen))
        for line in distribution(name).requires or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": chosen}):
                waiting.extend((canonicalize_name(needed.name), each) for each in (*needed.extras, ""))
    return {name for name, _ in seen}


def installed(name: str) -> bool:
    """Say whether a distribution is there."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def weigh(found: Distribution) -> int:
    """Return the bytes of a distribution's files."""
    return sum(weight(Path(str(file.locate()))) for file in found.files or ())


def weight(file: Path) -> int:
    """Return the bytes of a file; none of a folder or of compiled leftovers."""
    return file.stat().st_size if file.is_file() and file.suffix != ".pyc" else 0


if __name__ == "__main__":
    main()
