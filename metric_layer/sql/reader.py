"""Read one SQL text against a catalogue: text rules, parse, qualify, regenerate, parse again, resolve."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from sqlglot import exp
from sqlglot._version import __version__
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import ErrorLevel, SqlglotError, UnsupportedError
from sqlglot.tokenizer_core import Token

from metric_layer.sql.catalogue import Catalogue, ReadLimits
from metric_layer.sql.depth import depth_faults
from metric_layer.sql.ledger import MAX_EXPANDED, Ledger, TooManyRelations
from metric_layer.sql.limit import cap_rows
from metric_layer.sql.names import CatalogueIndex, quote_all, respell
from metric_layer.sql.pipes import name_sources, stars_are_ours
from metric_layer.sql.pivot_statement import as_select
from metric_layer.sql.queries import QueryReader
from metric_layer.sql.reading import Fault, OutputRef, Reading
from metric_layer.sql.scope import Relation
from metric_layer.sql.shape import note_kinds
from metric_layer.sql.spelling import mark_names, restore_names
from metric_layer.sql.text import tokenise

__all__ = ["PARSER_VERSION", "Reader", "read"]

PARSER_VERSION = __version__
MAX_NAMES = 3000


class TooManyNames(Exception):
    """A statement names more tables and columns than are followed."""


BROKEN = (
    SqlglotError,
    TooManyNames,
    TooManyRelations,
    RecursionError,
    ValueError,
    TypeError,
    AttributeError,
    KeyError,
    IndexError,
)


class Reader:
    """Reads SQL for one catalogue. Build it once per role; `read` may be called from several threads."""

    def __init__(self, catalogue: Catalogue, limits: ReadLimits) -> None:
        self._catalogue = catalogue
        self._limits = limits
        self._index = CatalogueIndex(catalogue)
        self._dialect = SqlglotDialect.get_or_raise(catalogue.dialect)

    def read(self, sql: str | exp.Expr, now: datetime | None = None) -> Reading:
        """Return everything known about the text. Never raises for any text; what is wrong is in `faults`.

        A tree is taken as written by our compiler: qualified already, and changed only by the row cap.
        It is used up by the call. An open end of a window runs to `now` (else the catalogue's clock).
        """
        clock = now or self._catalogue.now
        if isinstance(sql, exp.Expr):
            return self._regenerated(sql, "", Ledger(clock, spans=False), identify=False)
        tokens, faults = tokenise(sql, self._dialect, self._limits)
        if not tokens:
            return Reading(text=sql, faults=tuple(faults))
        ledger = Ledger(clock, our_stars=stars_are_ours(tokens))
        try:
            tree = self._parse(tokens, sql)
            if self._index.spellings is not None:
                respell(tree, self._index.spellings)
            if ledger.our_stars:
                name_sources(tree)
            names = note_kinds(tree, ledger)
            if len(names) > MAX_NAMES:
                raise TooManyNames
            self._resolve(tree, ledger, qualify=True, closing=True)
            ledger.faults.extend(_unread(names, ledger))
        except BROKEN as error:
            ledger.faults.append(_broken(error))
            return _reading(sql, "", ledger, None, None)
        quote_all(tree, self._catalogue.dialect)
        if ledger.faults or not isinstance(tree, exp.Query):
            return _reading(sql, "", ledger, None, None)
        return self._regenerated(tree, sql, ledger, identify=True)

    def _parse(self, tokens: list[Token], text: str) -> exp.Expr:
        plain = as_select(tokens, self._dialect)
        marked = mark_names(plain, self._catalogue.dialect)
        found = self._dialect.parser().parse(marked, text)
        if len(found) != 1 or found[0] is None:
            raise SqlglotError("the text holds no single statement")
        if marked is not plain:
            restore_names(found[0])
        return found[0]

    def _resolve(self, tree: exp.Expr, ledger: Ledger, *, qualify: bool, closing: bool) -> Relation:
        return QueryReader(self._index, ledger, qualify=qualify, closing=closing).root(tree)

    def _regenerated(self, tree: exp.Expr, text: str, first: Ledger, *, identify: bool) -> Reading:
        """Cap the rows, write the tree, parse that text and read *that* tree.

        It must be a fixed point: the tree that was written, by its hash, or one that is written alike.
        """
        sql = written = ""
        relation: Relation | None = None
        limit: int | None = None
        try:
            limit = cap_rows(tree, self._limits.max_rows, first)
            meant = hash(tree)
            sql = self._write(tree, identify)
            tokens = self._dialect.tokenize(sql)
            if too_deep := list(depth_faults(tokens, self._limits)):
                first.faults.extend(too_deep)
                return _reading(text or sql, "", first, None, None)
            again = self._parse(tokens, sql)
            same = hash(again) == meant
            known = same and identify
            second, relation = self._reread(again, first, closing=not known)
            if known and not _agree(first, second):
                known = False
                second, relation = self._reread(again, first, closing=True)
            written = sql if same else self._write(again, identify)
            if written != sql and not self._same(sql, written):
                first.faults.append(_unstable(sql, written))
        except BROKEN as error:
            first.faults.append(_broken(error))
            return _reading(text or sql, "", first, None, None)
        merged = _merged(first, second, closed=not known)
        found = _reading(text or sql, "" if merged.faults else written, merged, relation, limit)
        return replace(found, tree=again) if same and not merged.faults else found

    def _reread(self, tree: exp.Expr, first: Ledger, *, closing: bool) -> tuple[Ledger, Relation]:
        """Read the tree of the text that may run; every name in it is followed again."""
        ledger = Ledger(first.now, spans=False, our_stars=first.our_stars)
        names = note_kinds(tree, ledger)
        relation = self._resolve(tree, ledger, qualify=False, closing=closing)
        ledger.faults.extend(_unread(names, ledger))
        return ledger, relation

    def _same(self, one: str, other: str) -> bool:
        """Say whether two texts are read as the same tree."""
        trees = [self._parse(self._dialect.tokenize(text), text) for text in (one, other)]
        return trees[0] == trees[1]

    def _write(self, tree: exp.Expr, identify: bool) -> str:
        """Return a tree as text. The tree may be rewritten on the way and is not to be read any more."""
        return self._dialect.generate(
            tree, copy=False, comments=False, identify=identify, unsupported_level=ErrorLevel.RAISE
        )


def read(sql: str | exp.Expr, catalogue: Catalogue, limits: ReadLimits) -> Reading:
    """Read one text. Build a `Reader` instead where several texts are read against one catalogue."""
    return Reader(catalogue, limits).read(sql)


def _reading(text: str, sql: str, ledger: Ledger, relation: Relation | None, limit: int | None) -> Reading:
    outputs = tuple(
        OutputRef(name, tuple(sorted(field.lineage)))
        for name, field in (relation.fields if relation else {}).items()
    )
    return Reading(
        text=text,
        sql=sql,
        faults=tuple(dict.fromkeys(ledger.faults)),
        tables=tuple(instance.frozen() for instance in ledger.instances),
        columns=tuple(ledger.columns),
        stars=tuple(ledger.stars),
        functions=tuple(ledger.functions),
        kinds=tuple(ledger.kinds.values()),
        sizes=tuple(ledger.sizes),
        joins=tuple(ledger.joins),
        crosses=tuple(ledger.crosses),
        fanned=tuple(ledger.fanned),
        scopes=tuple(ledger.scopes),
        outputs=outputs,
        limit=limit,
        components=ledger.components,
        now=ledger.now,
    )


def _agree(first: Ledger, second: Ledger) -> bool:
    """Say whether two walks followed every name to the same place, in the same order."""
    return (
        first.columns == second.columns
        and first.functions == second.functions
        and [i.name for i in first.instances] == [i.name for i in second.instances]
    )


def _merged(first: Ledger, second: Ledger, *, closed: bool) -> Ledger:
    """Return what the checked tree says, with the places of the submitted text and the kinds of both trees.

    Where two trees were resolved, both have to say the same of tables and columns. A second tree that was not
    `closed` is the first one, and its names lead where those of the first do.
    """
    faults = [*first.faults, *second.faults]
    kinds = {**second.kinds, **first.kinds}
    if not closed:
        return replace(first, faults=faults, kinds=kinds)
    if first.instances:
        pairs = (
            ([i.name for i in first.instances if i.known], [i.name for i in second.instances if i.known]),
            (_base_columns(first), _base_columns(second)),
        )
        faults.extend(_unstable(str(one), str(other)) for one, other in pairs if one != other)
    same = _agree(first, second) and len(first.joins) == len(second.joins)
    return replace(first if same else second, faults=faults, kinds=kinds, scopes=second.scopes)


def _base_columns(ledger: Ledger) -> list[tuple[str, str]]:
    return sorted({(column.table, column.column) for column in ledger.columns})


def _unread(names: list[exp.Expr], ledger: Ledger) -> Iterator[Fault]:
    """Yield a fault for every table and column that resolving did not come across: nothing is passed over."""
    for node in names:
        if id(node) not in ledger.read:
            yield Fault(
                "table_allowlist" if isinstance(node, exp.Table) else "unknown_column",
                "unread_name",
                "a name stands where it cannot be followed",
                seen=node.sql(unsupported_level=ErrorLevel.IGNORE)[:120],
                span=ledger.span(node),
                next_step="write the query in a simpler way",
            )


def _broken(error: Exception) -> Fault:
    if isinstance(error, TooManyRelations):
        return Fault(
            "resource_bomb",
            "too_many_relations",
            f"the query reads more than {MAX_EXPANDED} relations, counted at every use of a CTE",
            next_step=f"at most {MAX_EXPANDED} are read",
        )
    if isinstance(error, TooManyNames):
        return Fault(
            "resource_bomb",
            "too_many_names",
            f"the query names tables and columns more than {MAX_NAMES} times",
            next_step=f"at most {MAX_NAMES} names are followed",
        )
    if isinstance(error, UnsupportedError):
        return Fault(
            "parse_differential",
            "unwritable",
            "a part of the text cannot be written so that it means the same to the engine",
            seen=str(error).splitlines()[0][:200],
            retry=True,
            next_step="write the query in a simpler way",
        )
    return Fault(
        "syntax",
        "syntax_error" if isinstance(error, SqlglotError) else "unreadable",
        "the text cannot be read",
        seen=str(error).splitlines()[0][:200] if str(error) else type(error).__name__,
        retry=True,
        next_step="correct the syntax",
    )


def _unstable(sql: str, written: str) -> Fault:
    at = next(
        (i for i, (a, b) in enumerate(zip(sql, written, strict=False)) if a != b), min(len(sql), len(written))
    )
    return Fault(
        "parse_differential",
        "unstable_text",
        "the text written from this query reads back differently",
        seen=sql[max(0, at - 20) : at + 40],
        next_step="write the query in a simpler way",
    )
