"""The OpenAPI description: FastAPI's own, with the schema of problems that its routes refer to."""

from typing import Any

from fastapi import FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.openapi.models import Schema

from gateway.doors.http.described import SCHEMAS
from gateway.doors.http.problem import Problem


class DescribedApp(FastAPI):
    """A FastAPI application whose description holds the schema of a problem."""

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
