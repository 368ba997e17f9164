"""What a client has already: entity tags, and 304 for whoever has the newest."""

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

KEPT = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
"""Kept by the asker's own client alone, and asked about each time: access may have changed."""
NOT_MODIFIED = 304


def tag_of(request: Request, stamp: str) -> str:
    """Return the entity tag of what stands at the address of a request while `stamp` is as it is."""
    parts = (stamp, request.url.path, request.url.query)
    return f'W/"{sha256(chr(0).join(parts).encode()).hexdigest()[:32]}"'


def has(request: Request, tag: str) -> bool:
    """Say whether If-None-Match names the tag; the comparison is weak (RFC 9110)."""
    named = (each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(","))
    return tag.removeprefix("W/") in named


def same(tag: str) -> Response:
    """Return the answer to a client that has it already."""
    return Response(status_code=NOT_MODIFIED, headers={**KEPT, "ETag": tag})


def tagged(response: Response, tag: str) -> Response:
    """Return a response with its tag; what is no success has none."""
    if response.status_code == 200:
        response.headers.update({**KEPT, "ETag": tag})
    return response
