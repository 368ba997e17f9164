"""An accepted query becomes a saved analysis: its file, pinned to the SQL that was accepted."""

from pydantic import ValidationError

from gateway.analyses.call import NewAnalysis
from gateway.analyses.parametrise import with_parameters
from gateway.analyses.view import AcceptedAnalysis
from gateway.playbooks.acceptance import PURPOSE, acceptance_of
from gateway.playbooks.definition import Analysis, Step
from gateway.playbooks.parameters import Asking
from gateway.playbooks.schema import FIRST_LINE
from gateway.reply import Refusal, ReplyIssue, issue_of
from gateway.reviews.desk import Desk
from gateway.reviews.refusals import not_reviewer, undecidable
from gateway.reviews.view import HoldView, RulingView
from metric_layer.interchange.writing import yaml_text
from metric_layer.validate import Problem, pointer_text, problems_of

ACCEPTED = ("accepted", "used")
STEP = "result"


def take_in(desk: Desk, hold_id: str, about: NewAnalysis) -> AcceptedAnalysis | Refusal:
    """Return the file of an analysis over the SQL of a hold that was accepted. Nothing runs.

    Refusals: unknown_hold, right_missing, not_accepted (nobody accepted it, or no SQL of its own is in it),
    own_question (parameters are for somebody else to accept), needs_two_people (and for more than one, where
    the hold or the policy in force wants two), and what is wrong with the name, the texts or the parameters.
    """
    found = desk.show(hold_id)
    if isinstance(found, Refusal):
        return found
    role = desk.house.entitlements.of(desk.caller)
    if role is None or "review" not in role.role.may:
        return not_reviewer(role.role_name if role else "")
    ruling = next((each for each in found.rulings if each.verdict == "accept"), None)
    if found.status not in ACCEPTED or ruling is None or found.usual_class != "free" or not found.sql:
        return _not_accepted(found)
    if about.wanted.parameters and found.own:
        return undecidable("own_question", hold_id, "who asked a question does not accept its parameters")
    shared = _for_two(desk, found) if about.wanted.parameters else ()
    if shared:
        return _needs_two(shared)
    return _pinned(desk, found, ruling, about)


def _pinned(
    desk: Desk, found: HoldView, ruling: RulingView, about: NewAnalysis
) -> AcceptedAnalysis | Refusal:
    """Return the file. Parameters are accepted by who takes the statement in, now; else its ruling counts."""
    house, wanted = desk.house, about.wanted
    key = house.keys.commitment(PURPOSE)
    try:
        analysis = Analysis(
            name=about.name,
            version=about.version,
            owner=about.owner,
            description=about.description,
            parameters=wanted.parameters,
            steps=(Step(id=STEP, sql=found.sql),),
            example=wanted.example,
        )
    except ValidationError as fault:
        given = {key: getattr(about, key) for key in ("name", "version", "owner", "description")}
        return Refusal(issues=tuple(_wrong(problem) for problem in problems_of(fault, given, Analysis)))
    sql, by, at = found.sql, ruling.by, ruling.at
    if wanted.parameters:
        asking = Asking(house.layer, house.now().date(), dialect=house.engine.dialect)
        text = with_parameters(analysis, sql, asking, key)
        if not isinstance(text, str):
            return Refusal(issues=tuple(issue_of(issue, "input") for issue in text))
        sql, by, at = text, house.subject(desk.caller), house.now()
    pin = acceptance_of(sql, key, hold=found.hold_id, by=by, at=at.isoformat(), parameters=wanted.parameters)
    analysis = analysis.model_copy(update={"steps": (Step(id=STEP, sql=sql, accepted=pin),)})
    file = FIRST_LINE + yaml_text(analysis.model_dump(mode="json", exclude_defaults=True))
    return AcceptedAnalysis(name=about.name, hold_id=found.hold_id, sha256=pin.sha256, sql=sql, text=file)


def _for_two(desk: Desk, found: HoldView) -> tuple[str, ...]:
    """Return the checks whose findings two people accept: when the question was held, or by now."""
    policy = desk.house.governed.policy
    checks = (
        each.check for each in found.findings if each.needed > 1 or policy.rule_of(each.check).two_person
    )
    return tuple(dict.fromkeys(checks))


def _needs_two(checks: tuple[str, ...]) -> Refusal:
    issue = ReplyIssue(
        code="needs_two_people",
        message="Two people accept this statement; nobody widens it with parameters alone.",
        stage="input",
        path="/parameters",
        seen=", ".join(checks),
        next_step="Take it in as it stands, without parameters, or save the question as a plan.",
    )
    return Refusal(issues=(issue,))


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


def _wrong(problem: Problem) -> ReplyIssue:
    return ReplyIssue(
        code="wrong_value",
        message=problem.message,
        stage="input",
        path=pointer_text(problem.pointer),
        seen=problem.seen,
        next_step="Names are small letters, digits and _; owner and description say something.",
    )
