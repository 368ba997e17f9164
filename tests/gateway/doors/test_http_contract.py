"""What the description promises is what the door does: schemathesis calls every route of it."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.service import Gateway
from gateway.settings.file import IdentitySettings, ServerSettings, load_settings
from tests.gateway.doors.fake import TOKEN

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
WAIT = "GET /v1/holds/{hold_id}"


@pytest.fixture
def app(gateway: Gateway, shop: Path) -> FastAPI:
    listed = load_settings(shop).identity.model_dump()
    tokens = [{"user": "ana", "sha256": sha256(TOKEN.encode()).hexdigest()}]
    identity = IdentitySettings.model_validate({**listed, "tokens": tokens})
    allowed = ("localhost", "testserver")
    return build_http(gateway, Callers(identity), ServerSettings(allowed_hosts=allowed))


def test_every_route_answers_as_its_description_says_whatever_is_sent(app: FastAPI) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == sum(len(verbs) for verbs in app.openapi()["paths"].values()) >= 19
    for operation in operations:

        @settings(
            max_examples=6,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def conforms(case: Case[Any]) -> None:
            if case.operation.label == WAIT:
                case.query = {}
            case.call_and_validate(headers={"Authorization": f"Bearer {TOKEN}"}, checks=CHECKS)

        conforms()
