"""What the bounded agent may spend on one question, as data."""

from typing import Annotated, Literal

from pydantic import Field

from metric_layer.record import Record

DAY = 86_400
MOST_BYTES = 10**18


class AgentRules(Record):
    """What the agent may take for one question in words; at a limit it stops, and never guesses.

    `queries` is what one plan may need, `steps` how many queries run in all, revised plans included.
    `retries` counts everything that is tried again: a reply that cannot be read, a rejection, a provider or
    a database that was busy. `calls` and `tokens` are the model's, `bytes` what the queries would read,
    `seconds` the time from the question on. The model sees `metrics` metrics and `tables` tables at most.
    With `draft` at `planned` it words the answers of questions that it planned, at `always` those of intake,
    too; at `never` code words them all and the model sees no row. With `nearby` at `hold`, a plan for a
    question with words that nothing in the layer stands for is held as a nearby question, too.
    """

    queries: Annotated[int, Field(ge=1, le=50)] = 4
    steps: Annotated[int, Field(ge=1, le=100)] = 6
    retries: Annotated[int, Field(ge=0, le=50)] = 3
    calls: Annotated[int, Field(ge=1, le=200)] = 10
    tokens: Annotated[int, Field(ge=100, le=10_000_000)] = 60_000
    bytes: Annotated[int, Field(ge=1, le=MOST_BYTES)] = 1_000_000_000
    seconds: Annotated[float, Field(gt=0, le=DAY)] = 120.0
    metrics: Annotated[int, Field(ge=1, le=100)] = 12
    tables: Annotated[int, Field(ge=1, le=50)] = 6
    draft: Literal["never", "planned", "always"] = "planned"
    nearby: Literal["allow", "hold"] = "allow"
