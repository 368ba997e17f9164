"""One recorded question worked through again, and the word that says why it comes out differently."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from gateway import __version__
from gateway.ground.question import words_of
from gateway.house import House
from gateway.kept_plans import KeptPlans
from gateway.replay.artefacts import Artefacts, Gone, Shelf
from gateway.replay.causes import causes_of, smallest
from gateway.replay.data import DataFinding, held_against
from gateway.replay.report import RanAs, Reader, Rerun, report
from gateway.replay.rerun import Probe, ask_again
from gateway.replay.steps import Recorded, Steps, parted, take, unlike_recorded
from gateway.reply import ReplayCause, ReplayReport
from metric_layer.sql import PARSER_VERSION
from policies.entitlement import Entitlements
from traces.custody_records import Impersonated
from traces.errors import Unsealable
from traces.records import AnyRecord, Caller, Close, Pins, Trace
from traces.seal import unseal

MEANING = frozenset(("definition", "calendar"))
UNLIKE = "comes out otherwise, with the artefacts and the version of then; please report it"


class Replayer:
    """Replays recorded questions under one house; pinned sets, mixtures and today's set are made once.

    `askers` gives the users that the project knows, `write` puts a record on disk.
    """

    def __init__(
        self,
        house: House,
        shelf: Shelf,
        *,
        askers: Callable[[], Iterable[Caller]],
        write: Callable[[AnyRecord], object],
    ) -> None:
        self._house = house
        self._shelf = shelf
        self._askers = askers
        self._write = write
        self._schema = next(iter(house.entitlements)).catalogue.default_schema
        self._today = Artefacts(house.layer, house.governed, house.engine.dialect, self._schema)
        self._with_pinned: dict[str, House | None] = {}

    def replay(self, trace: Trace, reader: Reader) -> ReplayReport:
        """Say whether a question comes out as it was recorded, else which change makes the difference."""
        closed = trace.closed
        if closed is None or closed.pins is None:
            return _cannot_tell(trace, "the question never ended")
        if reader.own and trace.untold:
            return _cannot_tell(trace, "in shadow: what it came to is kept from its asker")
        if trace.erased:
            return _cannot_tell(trace, "erased: what was asked and told was destroyed with its key")
        if closed.pins.dialect != self._house.engine.dialect:
            return _cannot_tell(trace, f"other engine: it ran on {closed.pins.dialect}")
        if any(d.check == "key_attestation" and d.verdict == "hard" for d in closed.decisions):
            return _cannot_tell(trace, "a key was found broken then: attest it again, and ask")
        try:
            asked = self._recorded(trace, closed)
            old = self._shelf.pinned(closed.pins.layer, closed.pins.policy, closed.pins.dialect, self._schema)
        except Gone as gone:
            return _cannot_tell(trace, str(gone))
        return self._compared(trace, asked, old, reader)

    def _recorded(self, trace: Trace, closed: Close) -> Recorded:
        """Return the question with its free SQL as it was submitted. Raises Gone."""
        text = ""
        if trace.opened.ask.plan is None:
            try:
                text = unseal(self._house.keys, trace.opened.subject, closed.sealed_submitted)
            except Unsealable as fault:
                raise Gone("erased: the SQL as it was written was destroyed with its key") from fault
            text = text or (closed.query.sql if closed.query else "")
            if not text:
                raise Gone("neither a plan nor SQL was recorded")
        return Recorded(trace.opened, closed, trace.opened.role, text)

    def _compared(self, trace: Trace, asked: Recorded, old: Artefacts, reader: Reader) -> ReplayReport:
        pins = asked.closed.pins
        assert pins is not None, "looked at before"
        now = replace(asked, role=self._role_today(reader)) if reader.own else asked
        before = take(asked, old)
        changed = old.name != self._today.name or now.role != asked.role
        after = take(now, self._today) if changed else before
        causes = list(_own_causes(asked, before, pins))
        parts = smallest(asked, now, self._shelf, old, self._today) if changed else ()
        used = [
            *(before.resolved.used if before.resolved else ()),
            *(after.resolved.used if after.resolved else ()),
        ]
        causes.extend(causes_of(parts, old, self._today, used))
        rerun = self._rerun(trace, now, (before, after), (old, parts), reader)
        causes.extend(rerun.data.causes if rerun.data is not None else ())
        first = parted(before, after)[:1] or (("rows",) if _differs(rerun.data) else ())
        return report(trace, causes, rerun, first[0] if first else "", reader)

    def _role_today(self, reader: Reader) -> str:
        role = self._house.entitlements.of(reader.caller)
        return role.role_name if role else ""

    def _rerun(
        self,
        trace: Trace,
        now: Recorded,
        steps: tuple[Steps, Steps],
        changed: tuple[Artefacts, tuple[str, ...]],
        reader: Reader,
    ) -> Rerun:
        """Run the question again where it ran then and may run today; hold its rows against the record."""
        (before, after), (old, parts) = steps, changed
        if now.closed.shape is None or after.denied or after.reading is None:
            return Rerun()
        who, ran_as = self._runner(trace, reader)
        if who is None:
            words = "other entitlement: nobody with the asker's access ran it"
            return Rerun(data=DataFinding("cannot tell", words))
        again = ask_again(self._house, now, who)
        assert again.closed is not None, "a replay ends"
        if again.closed.shape is None:
            return Rerun(again, _not_run(again.closed), ran_as)
        if not MEANING.isdisjoint(parts):
            return Rerun(again, self._with_old_meaning(now, again, old, before, who), ran_as)
        if "entitlement" in parts:
            return Rerun(again, _same_file(now.closed, again.closed) or _UNTOLD, ran_as)
        probe = self._probe(self._house, after, again, who)
        return Rerun(again, held_against(now.closed, again.closed, probe), ran_as)

    def _with_old_meaning(
        self, now: Recorded, again: Trace, old: Artefacts, before: Steps, who: Caller
    ) -> DataFinding:
        """Hold the rows that the pinned definitions give today against the recorded ones."""
        assert again.closed is not None, "it ran"
        if same := _same_file(now.closed, again.closed):
            return same
        house = self._house_with(old)
        if house is None:
            return _UNTOLD
        then = ask_again(house, now, who)
        if then.closed is None or then.closed.shape is None:
            return DataFinding(
                "cannot tell", "the pinned definitions cannot be asked of the database any more"
            )
        return held_against(now.closed, then.closed, self._probe(house, before, then, who))

    def _house_with(self, old: Artefacts) -> House | None:
        """Return the house with the pinned definitions under today's policy; None where they do not fit."""
        if old.name not in self._with_pinned:
            mixed = self._shelf.mixed(self._today, old, MEANING)
            self._with_pinned[old.name] = (
                None if mixed is None else _house_of(self._house, mixed, self._schema)
            )
        return self._with_pinned[old.name]

    def _probe(self, house: House, steps: Steps, ran: Trace, who: Caller) -> Probe | None:
        role = house.entitlements.of(who)
        query = ran.closed.query if ran.closed else None
        return Probe(house, role, who, steps.resolved, query.sql) if role and query else None

    def _runner(self, trace: Trace, reader: Reader) -> tuple[Caller | None, RanAs]:
        """Return who the SQL runs as: the asker, or the auditor where their access is the same.

        That an auditor took on the asker's access is on disk before anything runs.
        """
        if reader.own:
            return reader.caller, "asker"
        if reader.impersonates and (asker := self._asker(trace)):
            self._write(
                Impersonated(
                    at=self._house.now(),
                    by=self._house.subject(reader.caller),
                    of=trace.trace_id,
                    subject=trace.opened.subject,
                )
            )
            return asker, "asker"
        mine = self._house.entitlements.of(reader.caller)
        theirs = self._today.entitlement(trace.opened.role, self._house.now())
        if mine is not None and theirs is not None and mine.digest == theirs.digest:
            return reader.caller, "auditor"
        return None, ""

    def _asker(self, trace: Trace) -> Caller | None:
        """Return the asker among the users of the project, if their role is still the recorded one."""
        for user in self._askers():
            if self._house.subject(user) == trace.opened.subject:
                role = self._house.entitlements.of(user)
                return user if role and role.role_name == trace.opened.role else None
        return None


_UNTOLD = DataFinding("cannot tell", "other entitlement: what the asker sees has changed with it")


def _own_causes(asked: Recorded, before: Steps, pins: Pins) -> Iterable[ReplayCause]:
    """Yield what of ours makes the pinned artefacts come out differently than they did."""
    versions = (("gateway", pins.gateway, __version__), ("parser", pins.parser, PARSER_VERSION))
    moved = [(pin, old, new) for pin, old, new in versions if old != new]
    unlike = unlike_recorded(asked, before, strictly=not moved)
    if not unlike:
        return
    if not moved:
        yield ReplayCause(pin="nondeterministic", name=f"the step {unlike[0]} {UNLIKE}")
    for pin, old, new in moved:
        if pin == "gateway" or "sql" in unlike or "sql_checks" in unlike:
            yield ReplayCause(pin=pin, name="version", old=old, new=new)


def _house_of(house: House, found: Artefacts, schema: str) -> House:
    """Return a house over the same database with another set."""
    now = house.now()
    return replace(
        house,
        layer=found.layer,
        words=words_of(found.layer),
        governed=found.governed,
        entitlements=Entitlements(found.layer, found.governed, found.dialect, schema, now),
        kept=KeptPlans(),
    )


def _same_file(old: Close, new: Close) -> DataFinding | None:
    """Return that the data is the same byte by byte, where it is."""
    before, after = (close.pins.data if close.pins else None for close in (old, new))
    if before is not None and before.kind == "content_hash" and before == after:
        return DataFinding("same", "the data is the same")
    return None


def _not_run(new: Close) -> DataFinding:
    """Say why a question that ran then gives no rows now, though every pure step lets it."""
    refused = dict.fromkeys(d.check for d in new.decisions if d.verdict in ("hard", "soft", "hold"))
    if new.outcome in ("failed", "partial", "left"):
        why = "; ".join(issue.code for issue in new.issues) or new.outcome
        return DataFinding("cannot tell", f"the database gave no rows ({why})")
    return DataFinding("unknown", f"it is {new.outcome} on today's data: {', '.join(refused)}")


def _differs(data: DataFinding | None) -> bool:
    return data is not None and (data.became in ("late", "restated", "unknown") or bool(data.causes))


def _cannot_tell(trace: Trace, why: str) -> ReplayReport:
    return ReplayReport(trace_id=trace.trace_id, verdict="cannot tell", detail=f"cannot tell: {why}")
