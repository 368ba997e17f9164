"""Checks on the price: the database's estimate against the warning line and the hard line."""

from collections.abc import Iterable, Iterator, Sequence

from policies.facts import CostFacts, Finding
from policies.policy import MOST_COUNTED, Budget, Lines, Measures

UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
NARROWER = "Ask a shorter window, fewer dimensions or a narrower filter."


def check_budget(facts: CostFacts) -> Iterable[Finding]:
    """Hold above the warning line, deny above the hard line, never pass an unknown estimate silently."""
    if facts.estimate.bound == "unknown":
        yield _unknown(facts.budget, "what this would read")
        return
    for lines in (facts.budget, facts.policy.class_lines(facts.release_class)):
        yield from _judged(facts, tuple(_measured(facts, lines)))


def check_day_budget(facts: CostFacts) -> Iterable[Finding]:
    """Hold or deny a question that takes all of its asker's day over a line."""
    for name, seen, lines in _measured(facts, facts.budget.day):
        threshold = _lines(name, lines)
        if facts.day is None:
            yield Finding("skipped", "no day is counted here", threshold=threshold)
        elif seen is None or facts.estimate.bound == "unknown":
            reason = f"the engine cannot estimate in {name}, so the day's budget cannot be kept"
            yield Finding("hold", reason, seen="unknown", threshold=threshold, next_step=NARROWER)
        else:
            total = seen + getattr(facts.day, name)
            yield _against(name, total, lines, "with this query the day's reading would be {}")


def check_full_scan(facts: CostFacts) -> Iterable[Finding]:
    """Hold a full scan of a table that is marked large."""
    large = {table.name.lower(): table.name for table in facts.catalogue.tables if table.time_column}
    for scan in facts.estimate.scans:
        bare = scan.relation.lower()
        name = next((shown for key, shown in large.items() if bare == key or bare.endswith("." + key)), None)
        if name and scan.full:
            yield Finding(
                "hold",
                f"{name} would be read whole",
                seen=size("rows", scan.rows or 0),
                place=name,
                amount=scan.rows,
                next_step="Filter on its time column.",
            )


def check_join_growth(facts: CostFacts) -> Iterable[Finding]:
    """Hold a join whose estimated output is many times its larger input: the mark of repeated rows."""
    budget = facts.budget
    for join in facts.estimate.joins:
        if join.growth > budget.join_growth and join.rows > budget.join_rows:
            yield Finding(
                "hold",
                f"a {join.kind} multiplies its rows {join.growth:.0f} times",
                seen=size("rows", join.rows),
                threshold=f"{budget.join_growth:g} times and {size('rows', budget.join_rows)}",
                amount=join.rows,
                next_step="Ask with fewer dimensions or a shorter window, or let a reviewer decide.",
            )


def whole(cost: float) -> int:
    """Return a measure as a whole number; one without end, or that is no number, as more than any line."""
    return int(cost) if cost <= MOST_COUNTED else MOST_COUNTED + 1


def size(measure: str, value: int) -> str:
    """Return a number of bytes, rows or cost units as people read it."""
    if measure != "bytes":
        return f"{value:,} {measure}"
    amount, unit = float(value), 0
    while amount >= 1000 and unit < len(UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {UNITS[unit]}" if unit else f"{value} B"


def _judged(facts: CostFacts, measured: Sequence[tuple[str, int | None, Lines]]) -> Iterator[Finding]:
    """Yield what each line finds; lines of which none can be held against the estimate judge nothing."""
    if measured and all(seen is None for _, seen, _ in measured):
        yield _unknown(facts.budget, f"in {' or '.join(name for name, _, _ in measured)}")
        return
    for name, seen, lines in measured:
        if seen is None:
            yield Finding("skipped", f"the engine gives no estimate in {name}", threshold=_lines(name, lines))
        else:
            yield _against(name, seen, lines, "the query would read {}")


def _measured(facts: CostFacts, lines: Measures) -> Iterator[tuple[str, int | None, Lines]]:
    """Yield each measure that has lines, with what the engine says of it."""
    estimate = facts.estimate
    for name, seen, found in (
        ("bytes", estimate.bytes, lines.bytes),
        ("rows", estimate.rows, lines.rows),
        ("cost", None if estimate.cost is None else whole(estimate.cost), lines.cost),
    ):
        if found is not None:
            yield name, seen, found


def _against(measure: str, seen: int, lines: Lines, said: str) -> Finding:
    shown, threshold = size(measure, seen), _lines(measure, lines)
    if seen > lines.hard:
        reason = f"{said.format(shown)}, above the hard line"
        return Finding("hard", reason, seen=shown, threshold=threshold, next_step=NARROWER, retry=True)
    if seen > lines.warn:
        reason = f"{said.format(shown)}, above the warning line"
        return Finding(
            "hold", reason, seen=shown, threshold=threshold, place=measure, next_step=NARROWER, amount=seen
        )
    return Finding("allow", f"within the budget of {measure}", seen=shown, threshold=threshold)


def _lines(measure: str, lines: Lines) -> str:
    return f"warn {size(measure, lines.warn)}, hard {size(measure, lines.hard)}"


def _unknown(budget: Budget, what: str) -> Finding:
    reason = f"the engine cannot estimate {what}"
    if budget.unknown == "hard_caps":
        return Finding("allow", f"{reason}; the query runs under its hard caps", seen="unknown")
    return Finding("hold", reason, seen="unknown", next_step=NARROWER)
