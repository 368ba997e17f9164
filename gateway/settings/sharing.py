"""What one of several processes may use of what a project may use together."""

from math import ceil

from gateway.settings.file import EngineSettings, ServerSettings, Settings


def part_of(settings: Settings, processes: int) -> Settings:
    """Return the settings of one of so many processes: the database and the queue see no more than of one.

    Each part is rounded up, so each process can work; `server.workers` is per process already.
    """
    if processes == 1:
        return settings
    return settings.model_copy(
        update={
            "engine": _engine(settings.engine, processes),
            "server": _server(settings.server, processes),
        }
    )


def _engine(engine: EngineSettings, processes: int) -> EngineSettings:
    duckdb = engine.duckdb.model_copy(
        update={
            "workers": ceil(engine.duckdb.workers / processes),
            "waiting": ceil(engine.duckdb.waiting / processes),
        }
    )
    return engine.model_copy(
        update={
            "duckdb": duckdb,
            "connections": ceil(engine.connections / processes),
            "waiting": ceil(engine.waiting / processes),
        }
    )


def _server(server: ServerSettings, processes: int) -> ServerSettings:
    return server.model_copy(update={"queue": ceil(server.queue / processes)})
