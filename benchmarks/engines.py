"""What a guarded query costs beside the bare driver running the same SQL, engine by engine.

python benchmarks/engines.py [--quick] [--json]

TPC-H-derived tables (scale factor 1; 0.1 with --quick) and three queries. `sf_ratio` is a guarded run over
the bare driver with as much memory and as many threads, `sf_priced_ratio` a price and a run of a text that is
new (DuckDB: `sf_again_ratio` of one asked before), all the median over turns of each turn's ratio;
`..._cpu_ratio` is that in CPU, the database's too, which a busy machine changes less. PostgreSQL:
`extra_round_trips` of a price and a run beyond the bare query, `slow_link` with 5 ms each way, `cancel_ms`
until the backend is idle. DuckDB: `worker_adds_ms` by rows of the result, `first_ms` with the start of a
worker, `extract_s` for a role's extract of all rows, `cancel_ms` until the asker hears, `cancel_deaf_ms`
where the process has to be killed.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from benchmarks.peers import Unavailable  # noqa: E402
from benchmarks.tpch import on_duckdb, on_postgres  # noqa: E402
from tests.servers.postgres import NoServer  # noqa: E402

Measure = Callable[[float, int], dict[str, Any]]

ENGINES: Mapping[str, Measure] = {
    "duckdb": on_duckdb.measure,
    "postgres": on_postgres.measure,
}


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    factor, rounds = (0.1, 9) if chosen.quick else (1.0, 15)
    figures = measured(ENGINES, factor, rounds)
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else as_text(figures))


def measured(engines: Mapping[str, Measure], factor: float, rounds: int) -> dict[str, dict[str, Any]]:
    """Return the figures of each engine, or why there are none."""
    figures = {}
    for name, measure in engines.items():
        try:
            figures[name] = measure(factor, rounds)
        except (Unavailable, NoServer) as fault:
            figures[name] = {"unavailable": str(fault)}
    return figures


def as_text(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the figures as lines a person reads."""
    lines = []
    for engine, found in figures.items():
        lines.append(engine)
        for name, value in found.items():
            inner = value if isinstance(value, dict) else {"": value}
            lines.extend(f"  {name:>18} {key:>6} {_shown(each)}" for key, each in inner.items())
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    return ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value)


if __name__ == "__main__":
    main()
