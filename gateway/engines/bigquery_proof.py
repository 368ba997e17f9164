"""What `probe` and `inspect` ask as a user: writes, columns, row rules, masks, limits. Executes no write."""

from collections.abc import Iterator
from dataclasses import dataclass

from gateway.engines.base import EngineError, Promise, Relation, RoleScope
from gateway.engines.bigquery_mask_keys import held_keys
from gateway.engines.bigquery_names import full_name, part, quoted
from gateway.engines.bigquery_session import Call, Session
from gateway.engines.bigquery_target import Target
from gateway.engines.each_member import Said, clock_said, promises_as
from gateway.engines.setup import REVIEWED
from metric_layer.compile import IS_TOKEN
from metric_layer.relation import relation_parts
from policies.mask import MASK

READ = "bigquery.tables.getData"
WRITES = (
    "bigquery.tables.updateData",
    "bigquery.tables.update",
    "bigquery.tables.delete",
    "bigquery.tables.setIamPolicy",
    "bigquery.tables.setCategory",
    "bigquery.rowAccessPolicies.create",
    "bigquery.rowAccessPolicies.update",
    "bigquery.rowAccessPolicies.delete",
    "bigquery.rowAccessPolicies.setIamPolicy",
    "bigquery.rowAccessPolicies.overrideTimeTravelRestrictions",
)
REFUSED = ("bad_sql", "statement_refused")


@dataclass(frozen=True, slots=True)
class Proof:
    """An asker's open session, and what it may be asked."""

    session: Session
    call: Call
    target: Target

    def full(self, name: str) -> str:
        """Return a relation's name as the service names it."""
        return full_name(name, self.target.project, self.target.dataset)

    def takes(self, sql: str) -> bool:
        """Say whether the asker may run a statement: pricing it tells, and runs nothing."""
        try:
            self.session.price(self.call, sql)
        except EngineError as error:
            if error.code in REFUSED:
                return False
            raise
        return True

    def figure(self, sql: str) -> int:
        """Return the one number of a statement of our own."""
        return int(self.session.ask(self.call, sql, 1).all()[0][0])


def write_faults(proof: Proof, scope: RoleScope) -> Iterator[str]:
    """Yield what the user may do that reading does not need: by permission, and by the price of a write."""
    if proof.takes("CREATE TABLE cellbound_never_made (one INT64)"):
        yield f"may create tables in {proof.target.dataset}"
    for relation in scope.relations:
        held = proof.session.permitted(proof.call, proof.full(relation.name), WRITES)
        if held:
            yield f"has {', '.join(sorted(held))} on {relation.name}"
        if proof.takes(f"DELETE FROM {quoted(relation.name)} WHERE TRUE"):
            yield f"may delete rows of {relation.name}"


def find_relation_faults(proof: Proof, relation: Relation) -> Iterator[str]:
    """Yield what is wrong with a relation as the user sees it; no row is returned.

    Raises EngineError when the relation cannot be read.
    """
    name = quoted(relation.name)
    table = proof.session.table(proof.call, proof.full(relation.name))
    if table is None:
        yield "cannot be looked at: the user misses bigquery.tables.get"
        return
    stored = {field.name.lower(): field.name for field in table.schema}
    wanted = {column.lower() for column in relation.columns}
    more = [c for c in set(stored) - wanted if proof.takes(f"SELECT {part(c)} FROM {name}")]
    if more := sorted(column for column in more if not _is_hidden(proof, relation.name, column)):
        yield f"shows columns that the role may not see: {', '.join(more)}"
    if less := sorted(_missing(proof, name, wanted, set(stored))):
        yield f"does not show columns that the role may see: {', '.join(less)}"
        return
    if relation.probe and (broken := proof.figure(relation.probe)):
        yield f"{broken} rows break the row rule"
    select = relation.select.replace("{source}.", "")
    if MASK in select:
        seen = ", ".join(part(column) for column in relation.columns)
        unmasked = f"SELECT {seen} FROM {name} EXCEPT DISTINCT {select}"
        if proof.figure(f"SELECT count(*) FROM (SELECT 1 FROM ({unmasked}) AS unmasked LIMIT 1) AS one"):
            yield "shows values that the role's rules mask"
    if IS_TOKEN in select and proof.takes(f"SELECT held.key FROM {held_keys(proof.target)} AS held"):
        yield "lets the user read the keys of its hashes"


def inspect_asker(proof: Proof, user: str, scope: RoleScope) -> tuple[Promise, ...]:
    """Try every limit as an asker. No write is executed and no row is returned.

    Raises EngineError when the asker cannot be acted for at all.
    """
    job = proof.session.price(proof.call, "SELECT 1")
    most = f"{proof.target.most_billed:,} bytes"
    said: tuple[Said, ...] = (
        ("identity", f"asks as {proof.target.principal_of(proof.session.who)}", ()),
        ("cannot write", "no permission to, and the price of a write is refused", write_faults(proof, scope)),
        ("reads nothing else", f"{len(scope.relations)} relations and no other", _reads(proof, scope)),
        ("limits", f"each query is billed for {most} at most and has a time limit", ()),
        ("compute pool", _pool(job.reservation_id), ()),
        clock_said(lambda: proof.session.price(proof.call, "SELECT 1").created),
    )
    return promises_as(user, said)


def _missing(proof: Proof, name: str, wanted: set[str], stored: set[str]) -> Iterator[str]:
    """Yield the columns that cannot be read; one statement says that all can."""
    every = ", ".join(part(column) for column in sorted(wanted))
    if wanted <= stored and (not wanted or proof.takes(f"SELECT {every} FROM {name}")):
        return
    yield from (c for c in wanted if c not in stored or not proof.takes(f"SELECT {part(c)} FROM {name}"))


def _is_hidden(proof: Proof, name: str, column: str) -> bool:
    """Say whether a reviewed view, which cannot leave a column out for one role, gives NULL in every row."""
    if relation_parts(name)[-2:-1] != (REVIEWED,):
        return False
    values = f"count(*) > 0 AND count({part(column)}) = 0"
    return bool(proof.figure(f"SELECT IF({values}, 1, 0) FROM {quoted(name)}"))


def _reads(proof: Proof, scope: RoleScope) -> Iterator[str]:
    listed = {proof.full(relation.name).lower() for relation in scope.relations}
    for name in proof.session.table_names(proof.call):
        if name.lower() not in listed and proof.session.permitted(proof.call, name, (READ,)):
            yield f"may read {name}, which the role does not list"


def _pool(reservation: str | None) -> str:
    return f"reservation {reservation}" if reservation else "on demand: bounded by the bytes of each query"
