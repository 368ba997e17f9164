"""Every function is on the engine's list of pure functions, and none makes up more than the limits allow."""

from collections.abc import Iterator

from metric_layer.sql.reading import FunctionCall, Size
from policies.facts import Finding, SqlFacts
from policies.faults import faults_of
from policies.lists import SqlLists, sql_lists

IDENTITY = (
    "current",
    "session",
    "user",
    "version",
    "getvariable",
    "getenv",
    "set_config",
    "inet_",
    "pg_backend",
)
FILES = (
    "read",
    "parquet",
    "file",
    "csv",
    "glob",
    "scan",
    "stage",
    "presigned",
    "lo_",
    "pg_ls",
    "sniff",
    "directory",
    "url",
)
PARAMETERS = frozenset({"Parameter", "SessionParameter", "Placeholder"})
NAMED = frozenset({"Anonymous", "AnonymousAggFunc"})
CHARACTERS = 1000
POWER = 1000
COMPARISONS = 100


def check_function_allowlist(facts: SqlFacts) -> Iterator[Finding]:
    """Every function only computes a value from its arguments, and is called without a schema."""
    yield from faults_of(facts, "function_allowlist")
    for call in _unlisted(facts):
        if not _is_session(call.name) and not _is_file(call.name):
            yield _refusal(call, f"the function {call.name} is not on the list of pure functions", retry=True)
    lists, met = sql_lists(facts.catalogue.dialect), {call.name for call in facts.reading.functions}
    for kind in facts.reading.kinds:
        if kind.called and kind.name not in met and kind.name not in lists.typed and kind.name not in NAMED:
            yield Finding(
                "hard",
                f"the function {kind.name} is not on the list",
                seen=kind.name,
                span=kind.span,
                next_step="Write it with a function of the list.",
                retry=True,
            )


def check_session_state(facts: SqlFacts) -> Iterator[Finding]:
    """Nothing reads or sets who is asking, or settings, variables and parameters of the session."""
    yield from faults_of(facts, "session_state")
    for call in _unlisted(facts):
        if _is_session(call.name):
            yield _refusal(call, f"{call.name} tells about the session", retry=False)
    for kind in facts.reading.kinds:
        if kind.name in PARAMETERS:
            yield Finding(
                "hard",
                "parameters and session variables are not read",
                seen=kind.name,
                span=kind.span,
                next_step="Write the value itself.",
            )


def check_file_access(facts: SqlFacts) -> Iterator[Finding]:
    """Nothing reads a file, a stage or the network."""
    for call in _unlisted(facts):
        if _is_file(call.name) and not _is_session(call.name):
            yield _refusal(call, f"{call.name} reads files", retry=False)


def check_resource_bomb(facts: SqlFacts) -> Iterator[Finding]:
    """What a query makes up by itself has a small literal bound: rows, steps, characters, powers."""
    yield from faults_of(facts, "resource_bomb")
    limits = {
        "rows": facts.policy.text.generated_rows,
        "steps": facts.policy.text.recursion_steps,
        "characters": CHARACTERS,
        "power": POWER,
        "comparisons": COMPARISONS,
    }
    for size in facts.reading.sizes:
        if size.amount is None or size.amount > limits[size.kind]:
            yield _too_big(size, limits[size.kind])


def _unlisted(facts: SqlFacts) -> Iterator[FunctionCall]:
    lists = sql_lists(
        facts.catalogue.dialect, tuple(facts.policy.functions_extra.get(facts.catalogue.dialect, ()))
    )
    seen: set[str] = set()
    for call in facts.reading.functions:
        if not _is_listed(call, lists) and call.name not in seen:
            seen.add(call.name)
            yield call


def _is_listed(call: FunctionCall, lists: SqlLists) -> bool:
    return call.name in lists.typed if call.typed else call.name.lower() in lists.named


def _is_session(name: str) -> bool:
    return name.lower().startswith(IDENTITY)


def _is_file(name: str) -> bool:
    return any(part in name.lower() for part in FILES)


def _too_big(size: Size, limit: int) -> Finding:
    seen = "no literal number" if size.amount is None else str(size.amount)
    return Finding(
        "hard",
        f"{size.name} makes up {size.kind} without a small bound",
        seen=seen,
        threshold=str(limit),
        span=size.span,
        next_step=f"bound it with a number up to {limit}",
    )


def _refusal(call: FunctionCall, reason: str, *, retry: bool) -> Finding:
    return Finding(
        "hard",
        reason,
        seen=call.name,
        place="from" if call.in_from else "expression",
        span=call.span,
        next_step="use a listed function, or have it reviewed for the policy's functions_extra"
        if retry
        else "leave it out",
        retry=retry,
    )
