"""The verbs behind every door, apart from asking: lists, cards, traces, SQL checks, readiness."""

from gateway.asking import AskOptions
from gateway.record.ledger import verification
from gateway.reply import MetricCard, Refusal, SqlReport
from gateway.service import Gateway
from traces.records import Caller

Plan = dict[str, object]


def test_a_list_holds_what_the_role_may_ask_and_says_what_was_left_off(
    gateway: Gateway, ana: Caller, emil: Caller
) -> None:
    everything, few = gateway.list_metrics(ana), gateway.list_metrics(ana, limit=3)
    assert len(few.metrics) == 3 and few.left_off == len(everything.metrics) - 3
    own = {metric.name for metric in gateway.list_metrics(emil).metrics}
    assert own < {metric.name for metric in everything.metrics}
    assert "shipping_fees" not in own


def test_a_search_finds_synonyms_dimensions_and_near_names(gateway: Gateway, ana: Caller) -> None:
    def found(search: str) -> set[str]:
        return {metric.name for metric in gateway.list_metrics(ana, search).metrics}

    assert "net_revenue" in found("net sales")
    assert "ticket_count" in found("priority") and "order_count" not in found("priority")
    assert "net_revenue" in found("net revenu")


def test_a_card_carries_a_plan_that_works(gateway: Gateway, ana: Caller) -> None:
    for line in gateway.list_metrics(ana).metrics:
        card = gateway.describe_metric(ana, line.name)
        assert isinstance(card, MetricCard)
        assert card.owner and card.version and card.formula
        reply = gateway.ask(ana, dict(card.example), options=AskOptions(dry_run=True))
        assert reply.outcome in ("dry_run", "denied"), (line.name, reply.issues)


def test_every_grain_on_a_card_can_be_asked(gateway: Gateway, ana: Caller) -> None:
    hours = set[bool]()
    for line in gateway.list_metrics(ana).metrics:
        card = gateway.describe_metric(ana, line.name)
        assert isinstance(card, MetricCard)
        hours.add("hour" in card.grains)
        for grain in card.grains if card.time_field else ():
            time = {"field": card.time_field, "from": "2026-07-01", "to": "2026-07-31", "grain": grain}
            asked = {"metrics": [line.name], "time": time}
            reply = gateway.ask(ana, asked, options=AskOptions(dry_run=True))
            assert "grain_too_fine" not in {each.code for each in reply.issues}, (line.name, grain)
    assert hours == {True, False}, "some metrics are counted by moments, some by dates"


def test_a_hidden_metric_has_no_card_and_is_no_candidate(gateway: Gateway, emil: Caller) -> None:
    hidden, absent = (
        gateway.describe_metric(emil, "shipping_fees"),
        gateway.describe_metric(emil, "shipping_feez"),
    )
    assert isinstance(hidden, Refusal) and isinstance(absent, Refusal)
    assert hidden.issues[0].code == absent.issues[0].code == "unknown_metric"
    assert "shipping_fees" not in absent.issues[0].candidates


def test_a_trace_opens_for_its_asker_and_an_auditor_only(
    gateway: Gateway, ana: Caller, emil: Caller, rita: Caller, revenue: Plan
) -> None:
    reply = gateway.ask(ana, revenue)
    own, audited = gateway.get_trace(ana, reply.trace_id), gateway.get_trace(rita, reply.trace_id)
    assert own is not None and own.outcome == "answered" and own.answer == reply.answer
    assert audited is not None and audited.outcome == "answered" and "sealed" in audited.answer
    assert gateway.get_trace(emil, reply.trace_id) is None
    stranger = Caller(user="rita", roles=("reviewer",), tenant="elsewhere")
    assert gateway.get_trace(stranger, reply.trace_id) is None


def test_no_sealed_text_is_shown_in_a_trace(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    view = gateway.get_trace(ana, gateway.ask(ana, revenue).trace_id)
    assert view is not None
    assert not [key for record in view.records for key in record if key.startswith("sealed_")]


def test_a_list_of_traces_holds_ones_own_and_an_auditor_sees_all(
    gateway: Gateway, ana: Caller, emil: Caller, rita: Caller, revenue: Plan
) -> None:
    asked = [gateway.ask(who, revenue).trace_id for who in (ana, emil)]
    assert [line.trace_id for line in gateway.list_traces(ana)] == [asked[0]]
    assert {line.trace_id for line in gateway.list_traces(rita)} == set(asked)


def test_an_auditor_of_another_tenant_sees_no_trace_in_the_list(
    gateway: Gateway, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    asked = gateway.ask(ana, revenue).trace_id
    elsewhere = rita.model_copy(update={"tenant": "elsewhere"})
    own = gateway.ask(elsewhere, revenue).trace_id
    assert [line.trace_id for line in gateway.list_traces(elsewhere, limit=1)] == [own]
    assert asked in {line.trace_id for line in gateway.list_traces(rita)}
    assert not gateway.list_traces(rita.model_copy(update={"tenant": ""}))


def test_traces_verify_and_a_receipt_proves_its_record(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    receipt = gateway.ask(ana, revenue).receipt
    assert receipt is not None
    sound = verification(gateway.traces.verify([receipt]))
    assert sound.ok and sound.records >= 2
    forged = verification(gateway.traces.verify([receipt.model_copy(update={"hash": "0" * 64})]))
    assert not forged.ok and forged.damage


def test_sql_is_judged_and_never_sent(gateway: Gateway, ana: Caller) -> None:
    good = gateway.check_sql(ana, "SELECT region, COUNT(*) AS n FROM customers GROUP BY region")
    assert isinstance(good, SqlReport) and good.verdict == "allow" and good.regenerated
    bad = gateway.check_sql(ana, "SELECT email FROM customers")
    assert isinstance(bad, SqlReport) and bad.verdict == "hard"
    assert {d.check for d in bad.decisions if d.verdict == "hard"} >= {"pii_column"}


def test_ready_says_what_is_there(gateway: Gateway) -> None:
    ready = gateway.ready()
    assert ready.ready and {finding.name for finding in ready.findings} == {
        "definitions",
        "database",
        "engine",
        "traces",
        "state",
    }
