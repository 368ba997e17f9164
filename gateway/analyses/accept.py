"""An accepted query becomes a saved analysis: its file, pinned to the SQL that was accepted."""

from collections.abc import Sequence

from pydantic import ValidationError

from gateway.analyses.call import NewAnalysis
from gateway.analyses.view import AcceptedAnalysis
from gateway.playbooks.acceptance import PURPOSE, acceptance_of
from gateway.playbooks.definition import Analysis, Step
from gateway.playbooks.schema import FIRST_LINE
from gateway.reply import Refusal, ReplyIssue
from gateway.reviews.desk import Desk
from gateway.reviews.refusals import not_reviewer
from gateway.reviews.view import HoldView
from metric_layer.interchange.writing import yaml_text

ACCEPTED = ("accepted", "used")
STEP = "result"


def take_in(desk: Desk, hold_id: str, about: NewAnalysis) -> AcceptedAnalysis | Refusal:
    """Return the file of an analysis over the SQL of a hold that was accepted. Nothing runs.

    Refusals: unknown_hold, not_reviewer, not_accepted (nobody accepted it, or no SQL of its own is in it),
    and what is wrong with the name or the texts.
    """
    found = desk.show(hold_id)
    if isinstance(found, Refusal):
        return found
    house, role = desk.house, desk.house.entitlements.of(desk.caller)
    if role is None or "review" not in role.role.may:
        return not_reviewer(role.role_name if role else "")
    ruling = next((each for each in found.rulings if each.verdict == "accept"), None)
    if found.status not in ACCEPTED or ruling is None or found.usual_class != "free" or not found.sql:
        return _not_accepted(found)
    key = house.keys.commitment(PURPOSE)
    pin = acceptance_of(found.sql, key, hold=hold_id, by=ruling.by, at=ruling.at.isoformat())
    try:
        analysis = Analysis(
            name=about.name,
            version=about.version,
            owner=about.owner,
            description=about.description,
            steps=(Step(id=STEP, sql=found.sql, accepted=pin),),
        )
    except ValidationError as fault:
        return Refusal(issues=tuple(_wrong(error["loc"], error["msg"]) for error in fault.errors()))
    text = FIRST_LINE + yaml_text(analysis.model_dump(mode="json", exclude_defaults=True))
    return AcceptedAnalysis(name=about.name, hold_id=hold_id, sha256=pin.sha256, text=text)


def _not_accepted(found: HoldView) -> Refusal:
    seen = found.status if found.usual_class == "free" and found.sql else "no SQL of its own"
    issue = ReplyIssue(
        code="not_accepted",
        message="Only SQL that was held and accepted can become a saved analysis.",
        stage="input",
        path="/hold_id",
        seen=seen,
        next_step="Have it accepted with `cellbound review decide HOLD accept`; a plan needs no acceptance.",
    )
    return Refusal(issues=(issue,))


def _wrong(where: Sequence[object], message: str) -> ReplyIssue:
    return ReplyIssue(
        code="wrong_value",
        message=f"{message}.",
        stage="input",
        path="/" + "/".join(map(str, where)),
        next_step="Names are small letters, digits and _; owner and description say something.",
    )
