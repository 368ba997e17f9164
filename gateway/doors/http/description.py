"""The OpenAPI description: FastAPI's own, with the schema of problems that its routes refer to."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.openapi.models import Schema
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.http.described import SCHEMAS
from gateway.doors.http.problem import Problem
from gateway.doors.http.straight import straight_to


class DescribedApp(FastAPI):
    """A FastAPI application whose description holds the schema of a problem.

    A POST to one of the `straight` paths goes past FastAPI, to what answers it.
    """

    straight: Mapping[str, ASGIApp] = {}
    _straight_to: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in self.straight:
            await super().__call__(scope, receive, send)
            return
        if self._straight_to is None:
            self._straight_to = straight_to(self, self.straight)
        await self._straight_to(scope, receive, send)

    def openapi(self) -> dict[str, Any]:
        """Return the description; it is built once."""
        if self.openapi_schema is None:
            components = super().openapi()["components"]
            components["schemas"] = dict(sorted({**_problem(), **components["schemas"]}.items()))
        return super().openapi()


def _problem() -> dict[str, Any]:
    """Return the schemas of a problem and of its parts by name, with keys in FastAPI's order."""
    shape = Problem.model_json_schema(mode="serialization", ref_template=SCHEMAS + "{model}")
    named = {**shape.pop("$defs"), Problem.__name__: shape}
    return {
        name: jsonable_encoder(Schema(**part), by_alias=True, exclude_none=True)
        for name, part in named.items()
    }
