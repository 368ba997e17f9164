"""Unsealing, erasing, holds and retention: each needs a right and a reason, and stands on record."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.custody.reports import (
    Erasure,
    HoldOnSubject,
    NamedTraces,
    Retirement,
    Rotation,
    TraceErasure,
)
from gateway.custody.rights import Person
from gateway.record.ledger import verification
from gateway.reply import Refusal, TraceView
from gateway.service import Gateway
from traces.custody_records import Erased, LegalHold, Unsealed, UnsealedBatch
from traces.errors import KeysUnusable
from traces.keys import pseudonym
from traces.records import AnyRecord, Caller

CLEO = Caller(user="cleo", roles=("custodian",), tenant="shop")
PLAN: dict[str, object] = {
    "metrics": ["net_revenue"],
    "dimensions": ["region"],
    "filters": [{"field": "region", "op": "in", "values": ["EMEA", "APAC"]}],
    "time": {"from": "2026-07-01", "to": "2026-09-30"},
}
WHY = "request 17 of Elvira Canary"


@pytest.fixture
def house(open_house: Callable[[], Gateway]) -> Gateway:
    return open_house()


def records(gateway: Gateway, kind: type[AnyRecord]) -> list[AnyRecord]:
    return [record for record in gateway.traces.records() if isinstance(record, kind)]


def test_an_auditor_sees_headers_and_steps_and_no_value(house: Gateway, ana: Caller, rita: Caller) -> None:
    asked = house.ask(ana, PLAN)
    view, page = house.get_trace(rita, asked.trace_id), house.evidence(rita, asked.trace_id)
    assert view is not None and page is not None
    said = view.model_dump_json() + page.model_dump_json()
    assert "EMEA" not in said and not [c for c in asked.citations if c.value in said or c.text in said]
    assert "net_revenue" in said and "2026-07-01" in said and "date_filter" in said
    own = house.get_trace(ana, asked.trace_id)
    assert own is not None and own.answer == asked.answer and "EMEA" in own.model_dump_json()


def test_unsealing_is_on_record_before_anything_is_shown(
    house: Gateway, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = house.ask_question(ana, "net revenue last month by region")
    shown = house.custody.unseal(CLEO, asked.trace_id, WHY)
    assert isinstance(shown, TraceView)
    assert shown.question == "net revenue last month by region" and shown.answer == asked.answer
    (record,) = records(house, Unsealed)
    assert isinstance(record, Unsealed)
    assert (record.of, record.by) == (asked.trace_id, house.house.subject(CLEO))
    assert WHY not in record.model_dump_json() and record.sealed_reason

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(house.traces.inner, "append", full)
    with pytest.raises(OSError, match="No space"):
        house.custody.unseal(CLEO, asked.trace_id, WHY)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001])
def test_nobody_unseals_without_the_right_or_a_reason(
    house: Gateway, ana: Caller, rita: Caller, emil: Caller, reason: str
) -> None:
    trace = house.ask(ana, PLAN).trace_id
    bare, unentitled = house.custody.unseal(CLEO, trace, reason), house.custody.unseal(rita, trace, reason)
    assert isinstance(bare, Refusal) and [i.code for i in bare.issues] == ["reason_missing"]
    assert isinstance(unentitled, Refusal)
    assert [i.code for i in unentitled.issues] == ["right_missing", "reason_missing"]
    assert not records(house, Unsealed)
    stranger = CLEO.model_copy(update={"tenant": "elsewhere"})
    assert house.custody.unseal(stranger, trace, WHY) is None
    assert house.custody.unseal(emil, trace, WHY) is None, "nor that it is there"


def test_after_an_erasure_nothing_of_a_person_opens_and_the_chain_verifies(
    house: Gateway, shop: Path, ana: Caller, emil: Caller
) -> None:
    options = AskOptions(conversation="c1")
    asked = house.ask_question(ana, "net revenue last month by region", options)
    planned, other = house.ask(ana, PLAN, options), house.ask(emil, PLAN)
    house.check_answer(ana, "Net revenue was 99.12 in EMEA.", [planned.trace_id])
    keys, subject = house.house.keys, house.house.subject(ana)
    ids = keys.ids_of(subject)
    report = house.custody.erase(CLEO, Person(user="ana"), WHY)
    assert isinstance(report, Erasure) and (report.subject, report.keys) == (subject, len(ids))
    assert report.purged["results"] >= 2 and report.purged["state"] >= 1
    (record,) = records(house, Erased)
    assert isinstance(record, Erased) and (record.subject, record.key_ids) == (subject, ids)
    assert all(keys.was_destroyed(each) for each in ids)
    for trace_id in (asked.trace_id, planned.trace_id):
        trace, view = house.traces.read(trace_id), house.get_trace(ana, trace_id)
        assert trace is not None and trace.erased
        assert view is not None and "EMEA" not in view.model_dump_json() and view.answer == "(erased)"
    assert house.results.get(planned.trace_id, subject) is None
    follow_up = house.ask_question(ana, "and by month?", options)
    assert follow_up.outcome != "answered"
    untouched = house.traces.read(other.trace_id)
    assert untouched is not None and not untouched.erased
    assert verification(house.traces.verify()).ok
    again = house.check_answer(ana, planned.answer, [planned.trace_id])
    assert again.outcome == "result_expired"


def test_a_person_is_erased_by_pseudonym_too_and_may_ask_again(house: Gateway, ana: Caller) -> None:
    house.ask(ana, PLAN)
    subject = pseudonym(house.house.keys, "ana", "shop")
    assert isinstance(house.custody.erase(CLEO, Person(pseudonym=subject), WHY), Erasure)
    after = house.ask(ana, PLAN)
    trace = house.traces.read(after.trace_id)
    assert after.outcome == "answered" and trace is not None and not trace.erased
    for nobody in (Person(), Person(user="ana", pseudonym=subject)):
        refused = house.custody.erase(CLEO, nobody, WHY)
        assert isinstance(refused, Refusal) and refused.issues[0].code == "no_subject"


def test_nobody_erases_or_holds_a_person_of_another_tenant(house: Gateway, ana: Caller) -> None:
    trace_id = house.ask(ana, PLAN).trace_id
    theirs, nobody = house.house.subject(ana), "u_" + "0" * 32
    stranger = CLEO.model_copy(update={"tenant": "elsewhere"})
    for act in (house.custody.erase, house.custody.hold):
        refused = [act(stranger, Person(pseudonym=each), WHY) for each in (theirs, nobody)]
        told = [each.issues[0] for each in refused if isinstance(each, Refusal)]
        assert [each.code for each in told] == ["unknown_subject"] * 2
        assert told[0].message == told[1].message and told[0].next_step == told[1].next_step
    assert not records(house, Erased) and not records(house, LegalHold)
    house.custody.hold(CLEO, Person(pseudonym=theirs), WHY)
    for again in (
        house.custody.hold(stranger, Person(pseudonym=theirs), WHY, release=True),
        house.custody.erase(stranger, Person(pseudonym=theirs), WHY),
    ):
        assert isinstance(again, Refusal) and again.issues[0].code == "unknown_subject", "nor that it is held"
    assert theirs in house.house.keys.held()
    house.custody.hold(CLEO, Person(pseudonym=theirs), WHY, release=True)
    theirs_too = house.custody.erase(stranger, Person(user="ana"), WHY)
    assert isinstance(theirs_too, Refusal) and theirs_too.issues[0].code == "unknown_subject"
    house.ask(ana.model_copy(update={"tenant": "elsewhere"}), PLAN)
    assert isinstance(house.custody.erase(stranger, Person(user="ana"), WHY), Erasure), "an ana of their own"
    kept = house.traces.read(trace_id)
    assert kept is not None and not kept.erased


def test_a_mistyped_user_is_neither_erased_nor_held_and_the_near_name_is_offered(
    house: Gateway, ana: Caller, emil: Caller
) -> None:
    house.ask(emil, PLAN)
    for refused in (
        house.custody.erase(CLEO, Person(user="emli"), WHY),
        house.custody.hold(CLEO, Person(user="emli"), WHY),
        house.custody.hold(CLEO, Person(user="emli"), WHY, release=True),
    ):
        assert isinstance(refused, Refusal)
        (issue,) = refused.issues
        assert issue.code == "unknown_subject" and issue.candidates[0] == "emil"
        assert issue.path == "/subject" and issue.seen == "emli" and issue.next_step == "Did you mean emil?"
    assert not records(house, Erased) and not records(house, LegalHold)
    untold = house.custody.erase(ana, Person(user="emli"), WHY)
    assert isinstance(untold, Refusal) and not untold.issues[0].candidates, "no names without the right"


def test_who_is_listed_no_more_can_still_be_held_and_erased(house: Gateway, ana: Caller) -> None:
    left = ana.model_copy(update={"user": "ida"})
    assert isinstance(house.custody.erase(CLEO, Person(user="ida"), WHY), Refusal)
    house.ask(left, PLAN)
    put = house.custody.hold(CLEO, Person(user="ida"), WHY)
    assert isinstance(put, HoldOnSubject) and put.subject == house.house.subject(left)
    assert isinstance(house.custody.hold(CLEO, Person(user="ida"), WHY, release=True), HoldOnSubject)
    done = house.custody.erase(CLEO, Person(user="ida"), WHY)
    assert isinstance(done, Erasure) and done.keys
    assert isinstance(house.custody.erase(CLEO, Person(user="olga"), WHY), Erasure), "listed, never asked"


def test_a_legal_hold_blocks_erasure_until_it_is_lifted(house: Gateway, ana: Caller, rita: Caller) -> None:
    trace = house.ask(ana, PLAN).trace_id
    assert isinstance(house.custody.hold(rita, Person(user="ana"), WHY), Refusal)
    put = house.custody.hold(CLEO, Person(user="ana"), WHY)
    assert isinstance(put, HoldOnSubject) and put.held and put.changed
    refused = house.custody.erase(CLEO, Person(user="ana"), WHY)
    assert isinstance(refused, Refusal) and refused.issues[0].code == "subject_held"
    with pytest.raises(KeysUnusable, match="legal hold"):
        house.house.keys.destroy_subject(put.subject)
    kept = house.traces.read(trace)
    assert kept is not None and not kept.erased and not records(house, Erased)
    lifted = house.custody.hold(CLEO, Person(user="ana"), WHY, release=True)
    assert isinstance(lifted, HoldOnSubject) and not lifted.held and lifted.changed
    assert [r.released for r in records(house, LegalHold) if isinstance(r, LegalHold)] == [False, True]
    assert isinstance(house.custody.erase(CLEO, Person(user="ana"), WHY), Erasure)


def test_retention_deletes_whole_old_segments_and_the_log_still_verifies(
    open_house: Callable[[], Gateway], shop: Path, ana: Caller, clock: list[datetime]
) -> None:
    house = open_house()
    asked = []
    for _ in range(4):
        asked.append(house.ask(ana, PLAN).trace_id)
        clock[0] += timedelta(days=1)
    names = sorted(file.name for file in (shop / "var" / "traces").glob("*.jsonl"))
    dry = house.custody.retire(CLEO, 2, WHY, dry_run=True)
    assert isinstance(dry, Retirement) and dry.deleted and dry.dry_run
    assert sorted(file.name for file in (shop / "var" / "traces").glob("*.jsonl")) == names
    done = house.custody.retire(CLEO, 2, WHY)
    assert isinstance(done, Retirement) and done.deleted == dry.deleted
    left = sorted(file.name for file in (shop / "var" / "traces").glob("*.jsonl"))
    assert left and not set(done.deleted) & set(left)
    assert house.traces.read(asked[0]) is None and house.traces.read(asked[-1]) is not None
    assert verification(house.traces.verify()).ok
    house.close()
    assert verification(open_house().traces.verify()).ok


def test_retention_spares_a_segment_of_somebody_under_a_legal_hold(
    house: Gateway, ana: Caller, emil: Caller, clock: list[datetime]
) -> None:
    for caller in (emil, ana, emil):
        house.ask(caller, PLAN)
        clock[0] += timedelta(days=1)
    house.custody.hold(CLEO, Person(user="ana"), WHY)
    clock[0] += timedelta(days=30)
    house.ask(emil, PLAN)
    done = house.custody.retire(CLEO, 7, WHY)
    assert isinstance(done, Retirement) and len(done.deleted) == 1
    assert "legal hold" in done.kept[0].why
    assert verification(house.traces.verify()).ok


def test_a_question_that_is_still_open_keeps_its_segment(
    house: Gateway, ana: Caller, clock: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unplugged(Exception):
        pass

    def unplugged(*_: object, **__: object) -> None:
        raise Unplugged

    with monkeypatch.context() as patched:
        patched.setattr("gateway.record.journal.Journal.close", unplugged)
        with pytest.raises(Unplugged):
            house.ask(ana, PLAN)
    for _ in range(2):
        clock[0] += timedelta(days=20)
        house.ask(ana, PLAN)
    done = house.custody.retire(CLEO, 7, WHY)
    assert isinstance(done, Retirement) and not done.deleted
    assert "still open" in done.kept[0].why


def test_rotated_keys_leave_everything_readable_and_verified(
    open_house: Callable[[], Gateway], ana: Caller
) -> None:
    house = open_house()
    before = house.ask(ana, PLAN).trace_id
    signer = house.house.keys.signing_key().id
    done = house.custody.rotate(CLEO, ("chain", "signing", "subjects"), WHY)
    assert isinstance(done, Rotation) and len(done.key_ids) == 2 and done.next_step
    house.close()
    again = open_house()
    after = again.ask(ana, PLAN).trace_id
    keys = again.house.keys
    assert keys.signing_key().id == done.key_ids[1] != signer and signer in keys.verifier_keys()
    assert verification(again.traces.verify()).ok
    for trace_id in (before, after):
        trace = again.traces.read(trace_id)
        assert trace is not None and not trace.erased and trace.opened.ask.plan is not None
        assert trace.opened.ask.plan.filters[0].values == ("EMEA", "APAC")
    receipts = [r for r in map(again.traces.receipt, (before, after)) if r]
    assert len({receipt.log for receipt in receipts}) == 2
    assert verification(again.traces.verify(receipts)).ok


def test_somebody_named_in_the_words_of_others_is_found_and_erased_with_those_words(
    house: Gateway, shop: Path, ana: Caller, emil: Caller
) -> None:
    asked = house.ask(ana, PLAN)
    house.check_answer(ana, "Elvira  CANARY bought for 99.12 in EMEA.", [asked.trace_id])
    other = house.ask(emil, PLAN)
    found = house.custody.naming(CLEO, "elvira canary", "her request")
    assert isinstance(found, NamedTraces) and found.read == 2
    assert [each.trace_id for each in found.traces] == [asked.trace_id]
    (batch,) = records(house, UnsealedBatch)
    assert isinstance(batch, UnsealedBatch) and batch.traces == 2
    house.house.keys.rotate_subjects()
    later = house.ask(ana, PLAN)
    dry = house.custody.erase_trace(CLEO, asked.trace_id, "her request", dry_run=True)
    assert isinstance(dry, TraceErasure) and (dry.keys, dry.traces, dry.dry_run) == (1, 1, True)
    assert not records(house, Erased)
    done = house.custody.erase_trace(CLEO, asked.trace_id, "her request")
    assert isinstance(done, TraceErasure) and done.subjects == (house.house.subject(ana),)
    (record,) = records(house, Erased)
    assert isinstance(record, Erased) and record.of == asked.trace_id and len(record.key_ids) == 1
    erased = {
        each.trace_id: each.erased
        for each in map(house.traces.read, (asked.trace_id, later.trace_id, other.trace_id))
        if each
    }
    assert erased == {asked.trace_id: True, later.trace_id: False, other.trace_id: False}
    assert verification(house.traces.verify()).ok
    again = house.custody.naming(CLEO, "elvira canary", "to see that it is done")
    assert isinstance(again, NamedTraces) and (again.traces, again.closed) == ((), 1)
    assert house.ask(ana, PLAN).outcome == "answered"


def test_words_under_a_key_that_is_destroyed_go_together_and_the_number_is_told_before(
    house: Gateway, ana: Caller
) -> None:
    first, second = house.ask(ana, PLAN), house.ask(ana, PLAN)
    dry = house.custody.erase_trace(CLEO, first.trace_id, WHY, dry_run=True)
    assert isinstance(dry, TraceErasure) and dry.traces == 2
    assert isinstance(house.custody.erase_trace(CLEO, first.trace_id, WHY), TraceErasure)
    gone = house.traces.read(second.trace_id)
    assert gone is not None and gone.erased


def test_neither_search_nor_erasure_of_a_trace_goes_without_right_reason_or_past_a_hold(
    house: Gateway, ana: Caller, rita: Caller
) -> None:
    trace_id = house.ask(ana, PLAN).trace_id
    short = house.custody.naming(CLEO, " e ", WHY)
    assert isinstance(short, Refusal) and short.issues[0].code == "text_too_short"
    for act in (house.custody.naming, house.custody.erase_trace):
        no = act(rita, trace_id, "")
        assert isinstance(no, Refusal)
        assert [each.code for each in no.issues] == ["right_missing", "reason_missing"]
    stranger = CLEO.model_copy(update={"tenant": "elsewhere"})
    assert house.custody.erase_trace(stranger, trace_id, WHY) is None
    theirs = house.custody.naming(stranger, "EMEA", WHY)
    assert isinstance(theirs, NamedTraces) and theirs.read == 0
    house.custody.hold(CLEO, Person(user="ana"), WHY)
    held = house.custody.erase_trace(CLEO, trace_id, WHY)
    assert isinstance(held, Refusal) and held.issues[0].code == "subject_held"
    kept = house.traces.read(trace_id)
    assert kept is not None and not kept.erased
