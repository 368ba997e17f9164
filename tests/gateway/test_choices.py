"""Readings of open terms: a team's members see them and take them back, and nobody else does."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway.choices import ChoiceLine, ChoiceList
from gateway.chosen import definition_of, team_of
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.team_choice import Choice
from traces.records import Caller

TEAM = "sales-analytics"
AT = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)


def choose(gateway: Gateway, by: Caller, term: str, option: str) -> None:
    layer = gateway.house.layer
    definition, version = definition_of(layer, option)
    gateway.state.record_choice(
        Choice(
            team=team_of(by, gateway.house.subject(by)),
            term=term,
            option=option,
            definition=definition,
            version=version,
            by=gateway.house.subject(by),
            at=AT,
        )
    )


def lines(found: ChoiceList | Refusal) -> dict[str, ChoiceLine]:
    assert isinstance(found, ChoiceList), found
    return {line.term: line for line in found.choices}


def code(found: ChoiceList | Refusal) -> str:
    assert isinstance(found, Refusal), found
    return found.issues[0].code


def test_a_team_sees_what_it_chose_with_version_and_by_whom(
    gateway: Gateway, ana: Caller, emil: Caller
) -> None:
    choose(gateway, ana, "sales", "net_revenue")
    mine, theirs = lines(gateway.list_choices(ana))["sales"], lines(gateway.list_choices(emil, TEAM))["sales"]
    assert (mine.option, mine.version, mine.team, mine.by, mine.in_force) == (
        "net_revenue",
        3,
        TEAM,
        "you",
        True,
    )
    assert mine.at == "2026-11-02T09:30:00+00:00"
    assert theirs.by == gateway.house.subject(ana), "a pseudonym, no name"


def test_nobody_sees_or_revokes_the_readings_of_another_team(
    gateway: Gateway, ana: Caller, rita: Caller
) -> None:
    choose(gateway, ana, "sales", "net_revenue")
    assert lines(gateway.list_choices(rita)) == {}
    assert code(gateway.list_choices(rita, TEAM)) == "not_in_team"
    assert code(gateway.revoke_choice(rita, "sales", TEAM)) == "not_in_team"
    assert code(gateway.revoke_choice(rita, "sales")) == "unknown_choice"
    assert "sales" in lines(gateway.list_choices(ana))


def test_a_revoked_reading_is_gone_for_the_whole_team(gateway: Gateway, ana: Caller, emil: Caller) -> None:
    choose(gateway, ana, "sales", "net_revenue")
    choose(gateway, ana, "orders", "order_count")
    found = gateway.revoke_choice(emil, "sales")
    assert isinstance(found, ChoiceList) and found.revoked == "sales"
    assert set(lines(found)) == set(lines(gateway.list_choices(ana))) == {"orders"}


def test_a_term_that_was_never_read_is_met_with_its_near_name(gateway: Gateway, ana: Caller) -> None:
    choose(gateway, ana, "turnover", "net_revenue")
    found = gateway.revoke_choice(ana, "turnovr")
    assert isinstance(found, Refusal)
    assert (found.issues[0].code, found.issues[0].candidates) == ("unknown_choice", ("turnover",))


def test_a_reading_whose_definition_changed_is_shown_as_not_in_force(gateway: Gateway, ana: Caller) -> None:
    team = team_of(ana, gateway.house.subject(ana))
    gateway.state.record_choice(Choice(team, "sales", "net_revenue", "an older digest", 2, "somebody", AT))
    line = lines(gateway.list_choices(ana))["sales"]
    assert (line.version, line.in_force) == (2, False)


def test_a_reading_that_names_what_a_role_may_not_see_is_not_shown(
    gateway: Gateway, ana: Caller, emil: Caller
) -> None:
    choose(gateway, ana, "fees", "shipping_fees")
    choose(gateway, ana, "kind of ticket", "ticket_priority")
    assert set(lines(gateway.list_choices(ana))) == {"fees", "kind of ticket"}
    assert lines(gateway.list_choices(emil)) == {}
    assert code(gateway.revoke_choice(emil, "fees")) == "unknown_choice"


@pytest.mark.parametrize("term", ["sales", "orders"])
def test_who_has_no_team_keeps_readings_alone(gateway: Gateway, ana: Caller, term: str) -> None:
    alone = ana.model_copy(update={"teams": ()})
    choose(gateway, alone, term, "order_count")
    assert lines(gateway.list_choices(alone))[term].team == ""
    stranger = alone.model_copy(update={"user": "zoe"})
    assert lines(gateway.list_choices(stranger)) == {}
    found = gateway.revoke_choice(alone, term)
    assert isinstance(found, ChoiceList) and not found.choices


WAYS = ("order_customer", "line_order+order_customer")


def test_ways_clocks_and_grains_are_shown_only_to_who_could_be_offered_them(
    gateway: Gateway, ana: Caller
) -> None:
    lead = ana.model_copy(update={"user": "lea", "roles": ("support_lead",)})
    for option in WAYS:
        choose(gateway, ana, "region", option)
        assert lines(gateway.list_choices(ana))["region"].option == option
        assert lines(gateway.list_choices(lead)) == {}
        assert code(gateway.revoke_choice(lead, "region")) == "unknown_choice"
    choose(gateway, ana, "region", "ticket_customer")
    choose(gateway, ana, "grain", "month")
    choose(gateway, ana, "time", "order_date")
    choose(gateway, ana, "product", "ticket_customer")
    choose(gateway, ana, "gone", "a_metric_of_old")
    assert set(lines(gateway.list_choices(lead))) == {"region", "grain"}
    assert set(lines(gateway.list_choices(ana))) == {"region", "grain", "time", "product"}


def test_a_clock_is_shown_to_who_sees_all_its_fields(
    shop: Path, open_shop: Callable[[], Gateway], ana: Caller
) -> None:
    clock = "clocks:\n  - {name: opened_or_signed, label: C, fields: [ticket_opened, customer_since]}\n"
    (shop / "metrics" / "clocks.yml").write_text(clock, encoding="utf-8")
    gateway = open_shop()
    choose(gateway, ana, "time", "opened_or_signed")
    assert set(lines(gateway.list_choices(ana))) == {"time"}
    lead = ana.model_copy(update={"user": "lea", "roles": ("support_lead",)})
    assert set(lines(gateway.list_choices(lead))) == {"time"}
    emea = ana.model_copy(update={"user": "emil", "roles": ("emea_analyst",)})
    assert lines(gateway.list_choices(emea)) == {}
