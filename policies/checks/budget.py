"""Checks on the price: the database's estimate against the warning line and the hard line."""

from collections.abc import Iterable

from policies.facts import CostFacts, Finding
from policies.policy import Budget, Lines

UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
NARROWER = "Ask a shorter window, fewer dimensions or a narrower filter."


def check_budget(facts: CostFacts) -> Iterable[Finding]:
    """Hold above the warning line, deny above the hard line, never pass an unknown estimate silently."""
    budget, estimate = _budget(facts), facts.estimate
    if estimate.bound == "unknown":
        yield _unknown(budget)
        return
    measures = (
        ("bytes", estimate.bytes, budget.bytes),
        ("rows", estimate.rows, budget.rows),
        ("cost", None if estimate.cost is None else int(estimate.cost), budget.cost),
    )
    for name, seen, lines in measures:
        if lines is None:
            continue
        if seen is None:
            yield Finding("skipped", f"the engine gives no estimate in {name}", threshold=_lines(name, lines))
        else:
            yield _against(name, seen, lines)


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
                next_step="Filter on its time column.",
            )


def check_join_growth(facts: CostFacts) -> Iterable[Finding]:
    """Hold a join whose estimated output is many times its larger input: the mark of repeated rows."""
    budget = _budget(facts)
    for join in facts.estimate.joins:
        if join.growth > budget.join_growth and join.rows > budget.join_rows:
            yield Finding(
                "hold",
                f"a {join.kind} multiplies its rows {join.growth:.0f} times",
                seen=size("rows", join.rows),
                threshold=f"{budget.join_growth:g} times and {size('rows', budget.join_rows)}",
            )


def size(measure: str, value: int) -> str:
    """Return a number of bytes, rows or cost units as people read it."""
    if measure != "bytes":
        return f"{value:,} {measure}"
    amount, unit = float(value), 0
    while amount >= 1000 and unit < len(UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {UNITS[unit]}" if unit else f"{value} B"


def _budget(facts: CostFacts) -> Budget:
    return facts.role.budget or facts.policy.budget


def _against(measure: str, seen: int, lines: Lines) -> Finding:
    shown, threshold = size(measure, seen), _lines(measure, lines)
    if seen > lines.hard:
        reason = f"the query would read {shown}, above the hard line"
        return Finding("hard", reason, seen=shown, threshold=threshold, next_step=NARROWER, retry=True)
    if seen > lines.warn:
        reason = f"the query would read {shown}, above the warning line"
        return Finding("hold", reason, seen=shown, threshold=threshold, next_step=NARROWER)
    return Finding("allow", f"within the budget of {measure}", seen=shown, threshold=threshold)


def _lines(measure: str, lines: Lines) -> str:
    return f"warn {size(measure, lines.warn)}, hard {size(measure, lines.hard)}"


def _unknown(budget: Budget) -> Finding:
    if budget.unknown == "hard_caps":
        return Finding(
            "allow", "the engine cannot estimate; the query runs under its hard caps", seen="unknown"
        )
    return Finding(
        "hold", "the engine cannot estimate what this would read", seen="unknown", next_step=NARROWER
    )
