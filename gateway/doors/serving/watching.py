"""Hears of every question that has ended, and counts it, logs it, and hands it on as spans."""

import logging
from collections.abc import Sequence

from gateway.doors.counters import Counters
from gateway.record.recorder import Watch
from traces.records import Close, Open

QUIET = frozenset(("allow", "skipped"))
log = logging.getLogger("cellbound.questions")


def all_of(watches: Sequence[Watch]) -> Watch:
    """Return one that tells each of them."""

    def watch(opened: Open, closed: Close) -> None:
        for each in watches:
            each(opened, closed)

    return watch


def counting(counters: Counters) -> Watch:
    """Return what counts questions, findings, budgets and times."""

    def watch(opened: Open, closed: Close) -> None:
        counters.add("cellbound_questions_total", (("outcome", closed.outcome), ("origin", opened.origin)))
        for each in closed.decisions:
            if each.verdict not in QUIET:
                fired = (("check", each.check), ("verdict", each.verdict))
                counters.add("cellbound_check_firings_total", fired)
        _count_budget(counters, closed)
        spent = (closed.mono_us - opened.mono_us) / 1e6
        counters.took("cellbound_question_seconds", (("outcome", closed.outcome),), max(spent, 0.0))
        for step, micro in closed.steps_us.items():
            counters.took("cellbound_step_seconds", (("step", step),), micro / 1e6)

    return watch


def _count_budget(counters: Counters, closed: Close) -> None:
    for kind, found in (("estimated", closed.estimate), ("read", closed.actual)):
        if found is None:
            continue
        for what in ("bytes", "rows"):
            amount = getattr(found, what)
            if amount:
                counters.add(f"cellbound_budget_{what}_total", (("kind", kind),), int(amount))


def logging_each(opened: Open, closed: Close) -> None:
    """Log one line for each question: what it came to and how long it took, and no value of anybody's."""
    fired = sorted({each.check for each in closed.decisions if each.verdict not in QUIET})
    fields = {
        "trace_id": opened.trace_id,
        "outcome": closed.outcome,
        "client": opened.client,
        "origin": opened.origin,
        "ms": round((closed.mono_us - opened.mono_us) / 1000, 1),
        "checks": fired,
    }
    log.info("question %s", closed.outcome, extra={"fields": fields})
