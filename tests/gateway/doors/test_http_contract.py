"""What the description promises is what the door does: schemathesis calls every route of it."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.service import Gateway
from gateway.settings.file import IdentitySettings, ServerSettings, load_settings
from tests.gateway.doors.fake import TOKEN, FakeGateway

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
WAIT = "GET /v1/holds/{hold_id}"
NOTHING_TO_NEGATE = {
    "GET /health/live": "it takes nothing",
    "GET /health/ready": "it takes nothing",
    "GET /metrics": "it takes nothing that the description names",
}
SHORT = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def app(gateway: Gateway, shop: Path) -> FastAPI:
    listed = load_settings(shop).identity.model_dump()
    tokens = [{"user": "ana", "sha256": sha256(TOKEN.encode()).hexdigest()}]
    identity = IdentitySettings.model_validate({**listed, "tokens": tokens})
    allowed = ("localhost", "testserver")
    return build_http(gateway, Callers(identity), ServerSettings(allowed_hosts=allowed))


def operations_of(app: FastAPI) -> list[APIOperation[Any, Any, Any, Any]]:
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    return [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]


def test_every_route_answers_as_its_description_says_whatever_is_sent(app: FastAPI) -> None:
    operations = operations_of(app)
    assert len(operations) == sum(len(verbs) for verbs in app.openapi()["paths"].values()) >= 19
    for operation in operations:

        @SHORT
        @given(case=operation.as_strategy())
        def conforms(case: Case[Any]) -> None:
            if case.operation.label == WAIT:
                case.query = {}
            case.call_and_validate(headers={"Authorization": f"Bearer {TOKEN}"}, checks=CHECKS)

        conforms()


def test_what_the_description_forbids_is_refused_as_it_says(app: FastAPI) -> None:
    operations = operations_of(app)
    assert {operation.label for operation in operations} >= set(NOTHING_TO_NEGATE)
    for operation in operations:
        if operation.label in NOTHING_TO_NEGATE:
            continue

        @SHORT
        @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
        def refuses(case: Case[Any]) -> None:
            checks = [*CHECKS, negative_data_rejection]
            case.call_and_validate(headers={"Authorization": f"Bearer {TOKEN}"}, checks=checks)

        refuses()


def test_every_example_of_the_description_is_taken_by_its_route(house: FakeGateway, callers: Callers) -> None:
    app = build_http(house, callers, ServerSettings())
    shown = {
        (path, name): example["value"]
        for path, verbs in app.openapi()["paths"].items()
        for verb in verbs.values()
        for name, example in posted(verb).get("examples", {}).items()
    }
    with_body = {path for path, verbs in app.openapi()["paths"].items() if posted(verbs.get("post", {}))}
    assert {path for path, _ in shown} == with_body, "every route with a body shows one"
    answered = {}
    with TestClient(app, base_url="http://127.0.0.1:1", headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        for (path, name), value in shown.items():
            answer = http.post(path.format(hold_id="h1", name="revenue_review"), json=value)
            answered[path, name] = answer.status_code
    unknown = {("/v1/holds/{hold_id}/decisions", "accept"): 404}
    assert answered == {**dict.fromkeys(shown, 200), **unknown}, "this house holds nothing"


def posted(verb: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = verb.get("requestBody", {}).get("content", {}).get("application/json", {})
    return found
