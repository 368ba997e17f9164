"""SQL by a model: through every check, mended while it can be, always held for a person."""

import pytest

from tests.gateway.agent.conftest import FREE, AgentShop
from tests.gateway.agent.plans import NOTHING
from tests.gateway.agent.test_limits import failed_step, limit_of, runs_endlessly
from tests.servers.models import by_purpose, say
from traces.records import Caller


def test_free_sql_is_written_only_where_the_policy_names_the_class_and_waits_for_a_person(
    agent_shop: AgentShop, rita: Caller
) -> None:
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": FREE, "missing": []})}))
    refused = agent_shop.ask()
    assert refused.outcome == "abstained" and agent_shop.endpoint.purposes() == ["plan"]
    assert "continental business" in next(i.seen for i in refused.issues if i.code == "not_in_layer")
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    held = agent_shop.ask()
    assert held.outcome == "held" and held.rows == ()
    findings = {each.check for each in agent_shop.gateway.show_hold(rita, held.hold_id).findings}  # type: ignore[union-attr]
    assert findings == {"release", "model_plan"}, "no judge lets free SQL through"
    agent_shop.gateway.decide_hold(rita, held.hold_id, "accept", "read it")
    calls = len(agent_shop.endpoint.asked)
    told = agent_shop.ask(approval_id=held.hold_id)
    assert told.outcome == "answered" and len(told.rows) == 4
    assert len(agent_shop.endpoint.asked) == calls


def test_sql_goes_back_with_the_check_and_the_reason_until_it_passes(agent_shop: AgentShop) -> None:
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    texts = ["SELECT region FROM", "SELECT nothing FROM customers", "SELECT * FROM products", FREE]
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": [say({"sql": text}) for text in texts]}))
    held = agent_shop.ask()
    assert held.outcome == "held"
    asked = [each for each in agent_shop.endpoint.asked if each.purpose == "sql"]
    codes = [{issue["code"] for issue in each.fields["rejected"]} for each in asked]
    assert codes[0] == set() and "syntax" in codes[1] and "unknown_column" in codes[2]
    assert "select_star" in codes[3]


@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM orders", "SELECT region FROM customers; DROP TABLE orders", "SELECT email FROM customers",
     "SELECT * FROM read_csv('/etc/passwd')", "SELECT salary FROM hr.salaries"],
)  # fmt: skip
def test_what_a_hard_check_refuses_ends_the_question_without_another_try(
    agent_shop: AgentShop, sql: str
) -> None:
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": sql})}))
    reply = agent_shop.ask()
    assert reply.outcome == "denied" and reply.estimate is None
    assert agent_shop.endpoint.purposes() == ["plan", "sql"]


def test_the_schema_that_a_model_sees_has_no_column_that_its_asker_may_not_read(
    agent_shop: AgentShop,
) -> None:
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": "", "missing": ["it"]})}))
    assert agent_shop.ask().outcome == "abstained"
    tables = agent_shop.endpoint.asked[-1].fields["tables"]
    names = {column["name"] for table in tables for column in table["columns"]}
    assert tables and not names & {"email", "phone", "full_name", "unit_cost"}
    assert agent_shop.endpoint.asked[-1].fields["dialect"] == "duckdb"


def test_sql_that_is_written_too_slowly_is_neither_held_nor_run(agent_shop: AgentShop) -> None:
    agent_shop.ask()  # the client library is loaded
    agent_shop.limits(seconds=1)
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    slow = say({"sql": FREE, "missing": []}, after=4.0)
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": slow}))
    reply = agent_shop.ask()
    assert (reply.outcome, limit_of(reply), failed_step(agent_shop, reply)) == ("partial", "seconds", "sql")
    assert reply.hold_id == "" and reply.sql == "" and reply.rows == ()


def test_accepted_sql_of_a_question_is_stopped_at_the_database_when_its_time_is_over(
    agent_shop: AgentShop, rita: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_shop.ask()  # the client library is loaded
    agent_shop.limits(seconds=5)
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": FREE, "missing": []})}))
    held = agent_shop.ask()
    assert held.outcome == "held"
    agent_shop.gateway.decide_hold(rita, held.hold_id, "accept", "read it")
    stopped = runs_endlessly(agent_shop, monkeypatch)
    reply = agent_shop.ask(approval_id=held.hold_id)
    assert (reply.outcome, limit_of(reply), stopped) == ("partial", "seconds", [True])


TWICE = "SELECT MIN(region) AS r, MAX(region) AS r, COUNT(*) AS n FROM customers"


def test_two_columns_of_one_name_are_both_told_and_neither_by_that_name(
    agent_shop: AgentShop, rita: Caller
) -> None:
    agent_shop.policy(release={"governed": "autonomous", "free": "reviewed"})
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": TWICE, "missing": []})}))
    held = agent_shop.ask()
    agent_shop.gateway.decide_hold(rita, held.hold_id, "accept", "read it")
    told = agent_shop.ask(approval_id=held.hold_id)
    assert told.outcome == "answered", told.issues
    assert [column.name for column in told.columns] == ["r_1", "r_2", "n"]
    assert told.rows[0][:2] == ("AMER", "EMEA")
    gateway, ana = agent_shop.gateway, agent_shop.caller
    either = gateway.check_answer(ana, "From {{c:0.r_1}} to {{c:0.r_2}}.", [told.trace_id])
    assert (either.outcome, either.text) == ("passed", "From AMER to EMEA."), either.findings
    neither = gateway.check_answer(ana, "From {{c:0.r}} on.", [told.trace_id])
    assert neither.outcome == "blocked"
    assert any("'r' is not in the result; near: r_1, r_2" in found.message for found in neither.findings)
