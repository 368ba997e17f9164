"""Governed SQL says what its plan says: tables, keys, filters, days, groups, measures, outputs and order."""

from collections.abc import Iterator, Mapping

from metric_layer.resolved import ResolvedPlan
from metric_layer.sql.term import Term
from metric_layer.sql.terms import Terms, terms_of
from policies.facts import Finding, SqlFacts
from policies.leaf_terms import Named, named_by
from policies.plan_terms import terms_of_plan

Parts = dict[str, dict[Term, None]]


def check_conformity(facts: SqlFacts) -> Iterator[Finding]:
    """The SQL of a plan reads what the plan names, restricts, groups and measures, and nothing else."""
    plan, catalogue = facts.resolved, facts.catalogue
    if facts.origin != "plan" or plan is None:
        yield Finding("skipped", "free SQL has no plan to conform to")
        return
    if not facts.reading.sql:
        return
    named = named_by(catalogue)
    said = terms_of(facts.reading, catalogue.dialect, tuple(table.name for table in catalogue.tables))
    meant = terms_of_plan(plan, named)
    if not _same(said, meant):
        yield from _differences(said, meant, _times(plan, named))


def _same(said: Terms, meant: Terms) -> bool:
    limited = meant.limit is None or (said.limit is not None and said.limit <= meant.limit)
    rest = (meant.outputs, meant.groups, meant.having, meant.order)
    return limited and (said.outputs, said.groups, said.having, said.order) == rest


def _times(plan: ResolvedPlan, named: Named) -> frozenset[str]:
    """Return the columns that the plan counts time by."""
    times = (leaf.time for leaf in plan.leaves if leaf.time is not None)
    return frozenset(f"{named.table(time.dataset)}.{time.column}" for time in times)


def _differences(said: Terms, meant: Terms, times: frozenset[str]) -> Iterator[Finding]:
    """Tell what is in one and not in the other, or else which outputs are put together in another way."""
    findings = [*_listed(said, meant), *_parted(_parts(said), _parts(meant), times)]
    if not findings:
        odd = [
            name
            for (name, term), (_, other) in zip(said.outputs, meant.outputs, strict=True)
            if term != other
        ]
        what = ", ".join(odd) or "the filter on figures, the order or the limit"
        findings.append(_finding("meaning", f"the SQL makes {what} in another way than the plan says"))
    yield from findings


def _listed(said: Terms, meant: Terms) -> Iterator[Finding]:
    names = ({name for name, _ in said.outputs}, {name for name, _ in meant.outputs})
    tables = tuple(set(_tables((*terms.outputs, *terms.groups))) for terms in (said, meant))
    for what, (found, asked) in (("outputs", names), ("tables", tables)):
        if found != asked:
            odd = ", ".join(sorted(found ^ asked))
            yield _finding(what, f"the {what} of the SQL are not those of the plan: {odd}")
    if len(said.groups) != len(meant.groups):
        yield _finding("grouping", f"{len(said.groups)} group columns instead of {len(meant.groups)}")


def _parted(said: Parts, meant: Parts, times: frozenset[str]) -> Iterator[Finding]:
    for what in meant:
        more = [term for term in said[what] if term not in meant[what]]
        less = [term for term in meant[what] if term not in said[what]]
        for terms, words in (
            (less, "the plan {} {} and the SQL does not"),
            (more, "the SQL {} {} and the plan does not"),
        ):
            for about in dict.fromkeys(_about(term) for term in terms):
                window = what == "filter" and set(about.split(", ")) <= times
                yield _finding("window" if window else what, words.format(_VERBS[what], about))


_VERBS: Mapping[str, str] = {
    "join": "joins",
    "filter": "restricts",
    "grouping": "groups by",
    "measure": "measures",
}


def _parts(terms: Terms) -> Parts:
    """Return the joins, conditions, groupings and aggregates that a statement is made of."""
    found: Parts = {what: {} for what in _VERBS}
    waiting: list[Term] = [term for _, term in terms.outputs]
    while waiting:
        term = waiting.pop()
        if isinstance(term, str) or not term:
            continue
        if term[0] == "rows":
            _, _, joins, where, groups, *_ = term
            for what, part in (("join", joins), ("filter", where), ("grouping", groups)):
                found[what].update(dict.fromkeys(part))
        elif term[0] == "agg":
            found["measure"][term[:-1]] = None
        waiting.extend(term)
    return found


def _tables(term: Term) -> Iterator[str]:
    """Yield the tables that a term reads."""
    if isinstance(term, str) or not term:
        return
    if term[0] == "table":
        yield str(term[1])
    elif term[0] == "joined":
        yield str(term[2])
    for part in term:
        yield from _tables(part)


def _about(term: Term) -> str:
    """Return the columns that a part is about, or the aggregate it is."""
    if term[0] == "agg":
        return f"{term[1]} over {', '.join(sorted(set(_columns(term)))) or 'rows'}"
    if term[0] == "joined":
        return f"{term[2]} on {', '.join(sorted(set(_columns(term))))}"
    return ", ".join(sorted(set(_columns(term)))) or str(term)[:80]


def _columns(term: Term) -> Iterator[str]:
    """Yield the columns of a term, without the keys that lead to them."""
    if isinstance(term, str) or not term:
        return
    if term[0] == "column":
        path = term[1]
        yield f"{path[2] if path[0] == 'joined' else path[1]}.{term[2]}"
        return
    for part in term:
        yield from _columns(part)


def _finding(place: str, reason: str) -> Finding:
    return Finding("hard", reason, place=place, next_step="report this: the compiler and the plan disagree")
