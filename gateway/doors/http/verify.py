"""The route over the log itself: whether every record is whole, and the receipts somebody kept are met."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.http.described import body, documented, schema_of
from gateway.doors.http.problem import problem
from gateway.doors.http.reads import Reads
from gateway.doors.http.request import Asking, json_body, versioned
from gateway.doors.verify_face import VerifyFace
from gateway.reply import Verification
from metric_layer.record import Record
from traces.records import Receipt

MOST_RECEIPTS = 10_000
RECEIPT = {
    "trace_id": "01a22fa364480a60a43cf3525158b8bb",
    "log": "gateway-17-0840402c",
    "seq": 2,
    "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
}


class ReceiptsBody(Record):
    """Receipts to hold against the log, as answers brought them."""

    receipts: Annotated[tuple[Receipt, ...], Field(max_length=MOST_RECEIPTS)] = ()


class VerifyRoute:
    """The route over the log of one house, as a method."""

    def __init__(self, face: VerifyFace, reads: Reads) -> None:
        self._face = face
        self._reads = reads

    async def verify_traces(self, request: Request, caller: Asking) -> Response:
        """Check every record byte for byte, and against receipts; it takes the right `verify`.

        Damage is a finding, not a fault: the status is 200 and `ok` is false. No word of a question is told.
        """
        try:
            given = ReceiptsBody.model_validate(await json_body(request))
        except ValidationError as fault:
            return problem(422, argument_issues(pydantic_errors(fault)))
        return await self._reads.told(request, partial(self._face.verify_traces, caller, given.receipts))


def build_verify_route(face: VerifyFace, reads: Reads) -> APIRouter:
    """Return the route over the log of one house."""
    router = versioned()
    router.add_api_route(
        "/traces/verify",
        VerifyRoute(face, reads).verify_traces,
        methods=["POST"],
        operation_id="verify_traces",
        openapi_extra=body(schema_of(ReceiptsBody), receipt={"receipts": [RECEIPT]}),
        responses=documented(Verification),
    )
    return router
