"""The settings of `serve`: where it listens, and how much of everything it takes."""

from typing import Annotated, Literal

from pydantic import Field

from metric_layer.record import Record


class ServerSettings(Record):
    """Where `serve` listens, which names it answers to, and how much it takes at once.

    `console` serves the pages for people at /console. `reload_seconds` is how often `serve` and `mcp` look
    for changed definitions and policies; 0 is never. `processes` share the port, `workers` is how many
    questions each of them has at work, `queue` how many wait there, each for `queue_seconds` at most. With
    a `stretch`, a question is refused at once that would take more than so many times as long as one that
    has the server for itself, its wait included; 0 is no such bound.

    A socket has deadlines: `header_seconds` for the head of a request, `body_seconds` for its body,
    `idle_seconds` between two requests, `write_seconds` for a caller who does not read. A process holds
    `connections` at most; a head has `header_bytes` at most, a body `body_bytes`. Once it is told to end,
    what runs may go on for `grace_seconds`. /metrics answers nobody (`off`), who sends the token of the
    variable CELLBOUND_METRICS_TOKEN (`token`), or everybody who reaches the port (`open`). `log` is how
    it tells what happens on stderr: `text`, or `json`, one object a line, without a value of anybody's.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8321
    allowed_hosts: tuple[str, ...] = ("127.0.0.1:*", "localhost:*")
    allowed_origins: tuple[str, ...] = ()
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    workers: Annotated[int, Field(ge=1, le=64)] = 8
    queue: Annotated[int, Field(ge=0, le=10_000)] = 64
    queue_seconds: Annotated[float, Field(gt=0, le=600)] = 10.0
    stretch: Annotated[float, Field(ge=0, le=1000)] = 0.0
    user_workers: Annotated[int, Field(ge=0, le=64)] = 0
    tenant_workers: Annotated[int, Field(ge=0, le=64)] = 0
    user_per_minute: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    tenant_per_minute: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    connections: Annotated[int, Field(ge=1, le=100_000)] = 2_000
    header_bytes: Annotated[int, Field(ge=1024, le=1_048_576)] = 32_768
    body_bytes: Annotated[int, Field(ge=1024, le=67_108_864)] = 1_048_576
    header_seconds: Annotated[float, Field(gt=0, le=600)] = 10.0
    body_seconds: Annotated[float, Field(gt=0, le=600)] = 20.0
    idle_seconds: Annotated[float, Field(gt=0, le=3600)] = 30.0
    write_seconds: Annotated[float, Field(gt=0, le=600)] = 20.0
    grace_seconds: Annotated[float, Field(gt=0, le=600)] = 15.0
    console: bool = True
    metrics: Literal["off", "token", "open"] = "open"
    log: Literal["text", "json"] = "text"
    reload_seconds: Annotated[float, Field(ge=0, le=3600)] = 2.0
