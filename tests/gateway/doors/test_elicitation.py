"""A question back as a form of the client, with the SDK's own client, in both protocol eras."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisReply
from gateway.asking import NO_DOOR, NO_OPTIONS, AskOptions, Door
from gateway.cancellation import Cancellation
from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp import elicitation
from gateway.doors.mcp.server import build_mcp
from gateway.doors.workers import Workers
from gateway.reply import Refusal, Reply, ReplyIssue
from metric_layer.issues import Option
from tests.gateway.doors.fake import FakeGateway
from traces.records import Caller

pytestmark = pytest.mark.anyio
MODES = ("auto", "legacy")


def open_term(term: str, *names: str) -> ReplyIssue:
    options = tuple(Option(name=name, description=f"What {name} means.") for name in names)
    return ReplyIssue(
        code="ambiguous_metric", message=f"{term!r} is open.", stage="input", term=term, options=options
    )


@dataclass
class AskingBack(FakeGateway):
    """Asks back about each of its terms in turn until every one of them is chosen."""

    open: Sequence[ReplyIssue] = ()
    seen: list[dict[str, str]] = field(default_factory=list)

    def ask_question(
        self,
        caller: Caller,
        question: str,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        self.seen.append(dict(options.choices))
        missing = [issue for issue in self.open if issue.term not in options.choices]
        if missing:
            return Reply(outcome="needs_clarification", trace_id="t0", issues=(missing[0],))
        return self.reply

    def run_analysis(
        self, caller: Caller, call: AnalysisCall, *, cancellation: Cancellation | None = None
    ) -> AnalysisReply | Refusal:
        self.called.append(call)
        missing = [issue for issue in self.open if issue.term not in call.options.choices]
        if missing:
            return AnalysisReply(outcome="needs_clarification", issues=(missing[0],))
        return self.analysis_reply


@dataclass
class Person:
    """Answers forms: takes the option at a place of each list, or does something else."""

    action: str = "accept"
    place: int = 1
    forms: list[ElicitRequestFormParams] = field(default_factory=list)

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.forms.append(params)
        Draft202012Validator.check_schema(params.requested_schema)
        if self.action != "accept":
            return ElicitResult.model_validate({"action": self.action})
        chosen = {
            name: field["oneOf"][self.place]["const"]
            for name, field in params.requested_schema["properties"].items()
        }
        return ElicitResult(action="accept", content=chosen)


@asynccontextmanager
async def connected(
    house: FakeGateway, callers: Callers, mode: str, person: Person | None
) -> AsyncIterator[Client]:
    workers = Workers(2, 2)
    server = build_mcp(house, callers.for_stdio, workers, Counters())
    async with Client(server, mode=mode, elicitation_callback=person) as client:
        yield client
    await asyncio.to_thread(workers.close)


async def asked(client: Client, **beside: Any) -> dict[str, Any]:
    result = await client.call_tool("ask_question", {"question": "revenue last month", **beside})
    return dict(result.structured_content or {})


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_shows_forms_gets_the_question_back_as_one(callers: Callers, mode: str) -> None:
    house = AskingBack(open=[open_term("revenue", "net_revenue", "gross_revenue")])
    person = Person()
    async with connected(house, callers, mode, person) as client:
        found = await asked(client)
    assert found["outcome"] == "answered"
    assert house.seen == [{}, {"revenue": "gross_revenue"}]
    (form,) = person.forms
    (field_shown,) = form.requested_schema["properties"].values()
    assert [each["const"] for each in field_shown["oneOf"]] == ["net_revenue", "gross_revenue"]


@pytest.mark.parametrize("mode", MODES)
async def test_what_was_chosen_before_stays_chosen_in_the_next_form(callers: Callers, mode: str) -> None:
    house = AskingBack(open=[open_term("revenue", "net", "gross"), open_term("express", "a:x", "b:x")])
    async with connected(house, callers, mode, Person(place=0)) as client:
        found = await asked(client, choices={"north": "region:North"})
    assert found["outcome"] == "answered"
    assert house.seen[-1] == {"north": "region:North", "revenue": "net", "express": "a:x"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_who_declines_the_form_gets_the_question_as_it_is(
    callers: Callers, mode: str, action: str
) -> None:
    house = AskingBack(open=[open_term("revenue", "net", "gross")])
    person = Person(action=action)
    async with connected(house, callers, mode, person) as client:
        found = await asked(client)
    assert found["outcome"] == "needs_clarification"
    assert found["issues"][0]["options"][0]["name"] == "net"
    assert len(person.forms) == 1


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_without_forms_gets_the_structured_question(callers: Callers, mode: str) -> None:
    house = AskingBack(open=[open_term("revenue", "net", "gross")])
    async with connected(house, callers, mode, None) as client:
        found = await asked(client)
    assert found["outcome"] == "needs_clarification"
    assert len(house.seen) == 1


@pytest.mark.parametrize("mode", MODES)
async def test_a_question_without_options_is_no_form(callers: Callers, mode: str) -> None:
    house = AskingBack(open=[open_term("time window")])
    person = Person()
    async with connected(house, callers, mode, person) as client:
        found = await asked(client)
    assert (found["outcome"], person.forms) == ("needs_clarification", [])


@pytest.mark.parametrize("mode", MODES)
async def test_an_approval_is_never_asked_for_in_a_form(callers: Callers, mode: str) -> None:
    house = AskingBack(reply=Reply(outcome="held", trace_id="t1", hold_id="h1"))
    person = Person()
    async with connected(house, callers, mode, person) as client:
        found = await asked(client)
    assert (found["outcome"], person.forms) == ("held", [])


@pytest.mark.parametrize("mode", MODES)
async def test_a_house_that_never_stops_asking_back_is_asked_three_times(callers: Callers, mode: str) -> None:
    house = AskingBack(open=[open_term(f"term {n}", "a", "b") for n in range(9)])
    person = Person()
    async with connected(house, callers, mode, person) as client:
        found = await asked(client)
    assert (found["outcome"], len(person.forms)) == ("needs_clarification", 3)


@pytest.mark.parametrize("mode", MODES)
async def test_a_saved_analysis_asks_back_in_a_form_too(callers: Callers, mode: str) -> None:
    house = AskingBack(open=[open_term("revenue", "net", "gross")])
    async with connected(house, callers, mode, Person(place=0)) as client:
        found = await client.call_tool("run_saved_analysis", {"name": "review", "choices": {"north": "N"}})
    assert (found.structured_content or {})["outcome"] == "answered"
    assert [dict(call.options.choices) for call in house.called] == [
        {"north": "N"},
        {"north": "N", "revenue": "net"},
    ]


async def test_a_client_that_never_shows_its_form_gets_the_structured_question(
    callers: Callers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        await asyncio.sleep(3_600)
        return ElicitResult(action="cancel")

    monkeypatch.setattr(elicitation, "LONGEST_LOOK", 0.05)
    house = AskingBack(open=[open_term("revenue", "net", "gross")])
    workers = Workers(2, 2)
    server = build_mcp(house, callers.for_stdio, workers, Counters())
    async with asyncio.timeout(30), Client(server, mode="legacy", elicitation_callback=never) as client:
        found = await asked(client)
    await asyncio.to_thread(workers.close)
    assert found["outcome"] == "needs_clarification"
    assert found["issues"][0]["options"][0]["name"] == "net"
