"""Runs inside MetricFlow's own environment: compiles one question many times, prints its times."""

import json
import sys
import time

from metricflow.engine.metricflow_engine import (  # type: ignore[import-not-found]
    MetricFlowEngine,
    MetricFlowQueryRequest,
)
from metricflow.protocols.sql_client import SqlEngine  # type: ignore[import-not-found]
from metricflow.sql.render.duckdb_renderer import DuckDbSqlPlanRenderer  # type: ignore[import-not-found]
from metricflow_semantic_interfaces.parsing.dir_to_model import (  # type: ignore[import-not-found]
    parse_directory_of_yaml_files_to_semantic_manifest,
)
from metricflow_semantics.model.semantic_manifest_lookup import (  # type: ignore[import-not-found]
    SemanticManifestLookup,
)


class Client:
    """All that compiling asks of a database: which one it is, and how its SQL is written."""

    sql_engine_type = SqlEngine.DUCKDB
    sql_plan_renderer = DuckDbSqlPlanRenderer()


def main() -> None:
    """Compile two facts by a shared dimension; another limit each time, so that no cache answers."""
    folder, rounds = sys.argv[1], int(sys.argv[2])
    parsed = parse_directory_of_yaml_files_to_semantic_manifest(folder)
    engine = MetricFlowEngine(SemanticManifestLookup(parsed.semantic_manifest), Client())
    for number in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        request = MetricFlowQueryRequest.create(
            metric_names=["shipping", "gross"], group_by_names=["customer__region"], limit=100 + number
        )
        text = engine.explain(request).sql_statement.sql
        spent = [(time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000]
        sys.stdout.write(json.dumps({"ms": spent, "characters": len(text)}) + "\n")


if __name__ == "__main__":
    main()
