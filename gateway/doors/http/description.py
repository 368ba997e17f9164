"""The OpenAPI description: FastAPI's own, with problems under their real media type."""

from typing import Any

from fastapi import FastAPI

from gateway.doors.http.problem import MEDIA_TYPE, Problem

REFERENCE = f"#/components/schemas/{Problem.__name__}"


class DescribedApp(FastAPI):
    """A FastAPI application whose description says application/problem+json where a problem is sent."""

    def openapi(self) -> dict[str, Any]:
        """Return the description; it is built once."""
        if self.openapi_schema is None:
            for path in super().openapi()["paths"].values():
                for operation in path.values():
                    for response in operation["responses"].values():
                        _retype(response)
        return super().openapi()


def _retype(response: dict[str, Any]) -> None:
    content = response.get("content", {})
    if content.get("application/json", {}).get("schema", {}).get("$ref") == REFERENCE:
        content[MEDIA_TYPE] = content.pop("application/json")
