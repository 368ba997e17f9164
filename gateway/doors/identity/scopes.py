"""What a token may be used for: one scope per route and tool. A role's rights hold besides."""

from collections.abc import Iterable, Mapping

METRICS = "metrics:read"
ASK = "questions:ask"
TRACES = "traces:read"
HOLDS = "holds:read"
DECIDE = "holds:decide"
SCOPES: tuple[str, ...] = (METRICS, ASK, TRACES, HOLDS, DECIDE)
EVERY = frozenset(SCOPES)
EVALUATE = "questions:evaluate"
"""What is asked with it is an evaluation's. Only a token that names it has it, and it opens nothing."""
NAMED: tuple[str, ...] = (*SCOPES, EVALUATE)
"""Every scope that a token can be given by its name."""

ROUTES: Mapping[tuple[str, str], str] = {
    ("GET", "metrics"): METRICS,
    ("GET", "catalog"): METRICS,
    ("POST", "questions"): ASK,
    ("GET", "questions"): ASK,
    ("POST", "answers"): ASK,
    ("POST", "sql"): ASK,
    ("GET", "analyses"): METRICS,
    ("POST", "analyses"): ASK,
    ("GET", "results"): ASK,
    ("GET", "traces"): TRACES,
    ("POST", "traces"): TRACES,
    ("GET", "holds"): HOLDS,
    ("POST", "holds"): DECIDE,
    ("GET", "calibration"): HOLDS,
}
"""The scope of a method on the first part of a path below /v1."""

TOOLS: Mapping[str, str] = {
    "list_metrics": METRICS,
    "describe_metric": METRICS,
    "search_catalog": METRICS,
    "ask_metric": ASK,
    "ask_question": ASK,
    "dry_run_plan": ASK,
    "check_answer": ASK,
    "run_saved_analysis": ASK,
    "await_decision": ASK,
    "get_trace": TRACES,
}
PROMPTS: Mapping[str, str] = {"find_metrics": METRICS, "explain_figure": TRACES}
"""The scope of what a prompt leads to; any other leads to a question."""
RESOURCES: Mapping[str, str] = {"trace": TRACES, "data": ASK}
"""The scope of a resource by the scheme of its URI."""


def known_scopes(named: Iterable[str]) -> frozenset[str]:
    """Return those of the names that are scopes of this gateway."""
    return frozenset(NAMED).intersection(named)


def scopes_for_route(method: str, path: str) -> frozenset[str]:
    """Return what a request below /v1 takes; one that nobody thought of takes every scope."""
    room = path.removeprefix("/v1").strip("/").partition("/")[0]
    found = ROUTES.get(("GET" if method in ("GET", "HEAD") else method, room))
    return frozenset((found,)) if found else EVERY


def scopes_for_tool(name: str) -> frozenset[str]:
    """Return what a tool takes: a saved analysis published under its own name is a question."""
    return frozenset((TOOLS.get(name, ASK),))


def scopes_for_prompt(name: str) -> frozenset[str]:
    """Return what the tools that a prompt leads to take."""
    return frozenset((PROMPTS.get(name, ASK),))


def scopes_for_resource(uri: str) -> frozenset[str]:
    """Return what reading a resource takes; of an unknown kind every scope."""
    found = RESOURCES.get(uri.partition("://")[0])
    return frozenset((found,)) if found else EVERY
