"""What reading and checking one SQL text costs, beside bare sqlglot on the same text.

python benchmarks/check.py [--quick] [--json]

Ours: text rules, parse, resolve, regenerate, parse again, resolve again, and every SQL check. The floor:
sqlglot's own parse, qualify, generate and parse again, with the same schema. Milliseconds, per text the
median of the rounds: `_ms` are of wall time, `_cpu_ms` of CPU. `p95_ms` is over the texts; `ratio` compares
the medians and `ratio_of_sums` all texts together, both in CPU. `lengths` holds one query that grows.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from math import log
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from metric_layer.plan import Dialect  # noqa: E402
from policies.facts import SqlFacts  # noqa: E402
from policies.register import SQL_CHECKS, judge  # noqa: E402
from tests.policies.checks.lending import DIALECTS, POLICY, TABLES, catalogue, reader  # noqa: E402
from tests.policies.checks.test_allowed_sql import DOUBTFUL, FINE, FINE_IN  # noqa: E402

Case = tuple[Dialect, str]
STEPS = (1, 5, 10, 20, 40)
TARGET = 1.6


class Spent(NamedTuple):
    """Milliseconds of wall time and of CPU."""

    wall: float
    cpu: float


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    figures = measured(rounds=5 if chosen.quick else 25)
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else as_text(figures))


def measured(rounds: int) -> dict[str, Any]:
    """Time every text of our own that the floor can read, and one query at growing lengths."""
    schemas = {dialect: _schema(dialect) for dialect in DIALECTS}
    cases = [case for case in _cases() if _floor_reads(case, schemas)]
    both = [_both(case, schemas, rounds) for case in cases]
    ours, floor = ([pair[side] for pair in both] for side in (0, 1))
    lengths = [_grown(step, schemas, rounds) for step in STEPS]
    return {
        "texts": len(cases),
        "ours_ms": median(spent.wall for spent in ours),
        "floor_ms": median(spent.wall for spent in floor),
        "ours_cpu_ms": median(spent.cpu for spent in ours),
        "floor_cpu_ms": median(spent.cpu for spent in floor),
        "ratio": median(spent.cpu for spent in ours) / median(spent.cpu for spent in floor),
        "ratio_of_sums": sum(spent.cpu for spent in ours) / sum(spent.cpu for spent in floor),
        "target_ratio": TARGET,
        "p95_ms": quantiles([spent.wall for spent in ours], n=20)[-1],
        "lengths": lengths,
        "growth": _growth(lengths),
    }


def as_text(figures: Mapping[str, Any]) -> str:
    """Return the figures for people."""
    wall, cpu = ([figures[f"{side}_{kind}"] for side in ("ours", "floor")] for kind in ("ms", "cpu_ms"))
    lines = [
        f"{figures['texts']} texts: ours {wall[0]:.2f} ms (CPU {cpu[0]:.2f}), floor {wall[1]:.2f} ms "
        f"(CPU {cpu[1]:.2f}); p95 {figures['p95_ms']:.2f} ms",
        f"CPU {figures['ratio']:.2f} times the floor at the median, {figures['ratio_of_sums']:.2f} times "
        f"over all texts (target {figures['target_ratio']})",
        *(
            f"  {each['characters']:6} characters: CPU {each['ours_cpu_ms']:6.2f} ms, "
            f"floor {each['floor_cpu_ms']:6.2f} ms"
            for each in figures["lengths"]
        ),
        f"time grows with length to the power {figures['growth']:.2f}",
    ]
    return "\n".join(lines) + "\n"


def _cases() -> list[Case]:
    doubtful = [sql for texts in DOUBTFUL.values() for sql in texts]
    everywhere = [(dialect, sql) for dialect in DIALECTS for sql in (*FINE, *doubtful)]
    return [*everywhere, *((dialect, sql) for dialect, texts in FINE_IN.items() for sql in texts)]


def _schema(dialect: Dialect) -> MappingSchema:
    """Return the same tables as sqlglot wants them."""
    nested: dict[str, Any] = {}
    for name, specs in TABLES.items():
        schema, table = name.split(".")
        columns = dict(spec.rstrip("!").split(":") for spec in specs)
        nested.setdefault(schema, {})[table] = columns
    return MappingSchema(nested, dialect=dialect)


def _floor_reads(case: Case, schemas: Mapping[Dialect, MappingSchema]) -> bool:
    try:
        _floor(case, schemas[case[0]])
    except SqlglotError:
        return False
    return True


def _both(case: Case, schemas: Mapping[Dialect, MappingSchema], rounds: int) -> tuple[Spent, Spent]:
    schema = schemas[case[0]]
    return _in_turn(lambda: _ours(case), lambda: _floor(case, schema), rounds)


def _ours(case: Case) -> None:
    dialect, sql = case
    reading = reader(dialect).read(sql)
    judge(SQL_CHECKS, SqlFacts("free", POLICY, catalogue(dialect), reading, None))


def _floor(case: Case, schema: MappingSchema) -> None:
    dialect, sql = case
    tree = qualify(sqlglot.parse_one(sql, read=dialect), schema=schema, dialect=dialect, db="lend")
    sqlglot.parse_one(tree.sql(dialect), read=dialect)


def _in_turn(one: Callable[[], None], other: Callable[[], None], rounds: int) -> tuple[Spent, Spent]:
    """Time two calls in turn, so that what else the machine does meets both alike."""
    one()
    other()
    pairs = [(_spent(one), _spent(other)) for _ in range(rounds)]
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    return _middle(first), _middle(second)


def _spent(call: Callable[[], None]) -> Spent:
    wall, cpu = time.perf_counter(), time.thread_time()
    call()
    return Spent((time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000)


def _middle(spent: Sequence[Spent]) -> Spent:
    return Spent(median(each.wall for each in spent), median(each.cpu for each in spent))


def _grown(steps: int, schemas: Mapping[Dialect, MappingSchema], rounds: int) -> dict[str, float]:
    """Time a chain of CTEs, each over the one before."""
    first = "s0 AS (SELECT loan_id, member_id, state, fee FROM lend.loans WHERE fee > 1)"
    chain = (
        f"s{i} AS (SELECT loan_id, member_id, UPPER(state) AS state, fee + {i} AS fee FROM s{i - 1} "
        f"WHERE fee > {i} AND state <> 'x{i}')"
        for i in range(1, steps)
    )
    sql = (
        f"WITH {', '.join((first, *chain))} SELECT state, SUM(fee) AS total FROM s{steps - 1} GROUP BY state"
    )
    ours, floor = _both(("postgres", sql), schemas, rounds)
    return {"characters": len(sql), "ours_cpu_ms": ours.cpu, "floor_cpu_ms": floor.cpu}


def _growth(lengths: Sequence[Mapping[str, float]]) -> float:
    """Return the power of the length that time grows with, without the shortest text: 1 is linear."""
    first, last = lengths[1], lengths[-1]
    return log(last["ours_cpu_ms"] / first["ours_cpu_ms"]) / log(last["characters"] / first["characters"])


if __name__ == "__main__":
    main()
