"""Takes apart what verbs over traces are given: receipts that were kept, and what to replay against."""

from collections.abc import Mapping

from pydantic import ValidationError

from gateway.doors.ask_body import pydantic_errors
from gateway.doors.cli_input import read_json_file
from gateway.doors.json_input import BadInput
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from traces.records import Receipt

AGAINST = ("layer", "policy")


def split_against(given: str) -> tuple[str, str]:
    """Return `K=PATH` as a pair. Raises BadInput for an unknown K."""
    key, _, path = given.partition("=")
    if key not in AGAINST or not path:
        raise BadInput(
            Issue(
                code="bad_against",
                message=f"{given!r} does not say what to replay against.",
                seen=given,
                candidates=near(key, AGAINST),
                next_step="Write layer=DIR or policy=DIR.",
            )
        )
    return key, path


def read_receipt(file: str) -> Receipt:
    """Return the receipt in a file; the file may hold a whole reply. Raises BadInput."""
    found = read_json_file(file)
    if isinstance(found, Mapping) and "receipt" in found:
        found = found["receipt"]
    try:
        return Receipt.model_validate(found)
    except ValidationError as fault:
        seen = ", ".join(str(error["loc"][0]) for error in pydantic_errors(fault) if error["loc"])
        raise BadInput(
            Issue(
                code="bad_receipt",
                message="The file holds no receipt.",
                place=file,
                seen=seen,
                next_step="Save `receipt` of a reply, or the whole reply.",
            )
        ) from fault
