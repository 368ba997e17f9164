"""What each outcome means in one line, and what to do next: the one source of `explain` and docs/codes.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gateway.reply import DraftOutcome
from traces.records import Outcome, Verdict


class Advice(NamedTuple):
    """What an outcome means, and what helps; `step` is empty where nothing is left to do."""

    says: str
    step: str = ""


OUTCOMES_SAY: Mapping[Outcome, Advice] = MappingProxyType(
    {
        "answered": Advice(
            "The question ran and its figures are in the reply, with a receipt.",
            "To see how a figure came about: cellbound trace why TRACE_ID.",
        ),
        "dry_run": Advice(
            "Every check before the run let the question pass; nothing ran.", "Ask it without the dry run."
        ),
        "no_rows": Advice(
            "The query ran and no row matched; that is an answer, not a zero.",
            "Widen the period or drop a filter.",
        ),
        "abstained": Advice(
            "There is no sure way to answer, so nothing is answered; what is missing is named.",
            "Do what the issue's next step says, or ask for what the layer lists: cellbound metrics list.",
        ),
        "partial": Advice(
            "Only a part of the answer is there; the notes and issues say what is missing.",
            "Ask for the missing part again, or for less at once.",
        ),
        "held": Advice(
            "Nothing is released: a finding waits for somebody entitled to decide; no word in time is a no.",
            "Wait for the decision, then ask again with the hold_id as approval_id; cellbound review list "
            "shows what waits.",
        ),
        "needs_clarification": Advice(
            "The question can be read in several ways, or something is missing; nothing ran.",
            "Choose one of the options under `choices`, or say what the issue's next step asks for.",
        ),
        "invalid_plan": Advice(
            "The plan does not fit the definitions; nothing ran.",
            "Mend what every issue names, all at once, and ask again.",
        ),
        "denied": Advice(
            "A check, a right of the role or a reviewer forbids it; no value was released.",
            "Read the issue: ask for less where it says so, or ask the policy's owner for the right.",
        ),
        "not_released": Advice(
            "No release stage that the caller may use covers this question.",
            "Ask the owner of the definition to promote its class: cellbound release list.",
        ),
        "expired": Advice(
            "Nobody decided the hold in time, which counts as denied.", "Ask again, without the approval_id."
        ),
        "left": Advice("The asker left before the answer was there; the query was stopped.", "Ask again."),
        "failed": Advice(
            "The database or the gateway could not finish; nothing is said about the figure.",
            "See the issue: try again where it says so, or have cellbound doctor look.",
        ),
    }
)

DRAFTS_SAY: Mapping[DraftOutcome, Advice] = MappingProxyType(
    {
        "passed": Advice("Every figure and claim of the draft has its source; the text may be sent."),
        "fixed_message": Advice(
            "The result holds no figure, so a fixed text takes the place of the draft.",
            "Send the fixed text as it stands.",
        ),
        "abstained": Advice(
            "No attempt at the text passed, so none is sent.", "Ask the question anew, or show the table."
        ),
        "held": Advice(
            "A claim of the draft waits for somebody entitled to decide; it is not sent yet.",
            "Wait for the decision, or take the claim out and check the draft again.",
        ),
        "blocked": Advice(
            "Something in the draft has no source in the result; it must not be sent.",
            "Mend each span as its finding says, then check the draft again.",
        ),
        "invalid": Advice("The request for a check is not well formed.", "Mend what the issues name."),
        "result_expired": Advice(
            "The rows that the draft rests on are no longer kept.", "Ask the question again, then write anew."
        ),
    }
)

SQL_SAYS: Mapping[Verdict, Advice] = MappingProxyType(
    {
        "allow": Advice("No check objects."),
        "skipped": Advice("The check had nothing to look at here."),
        "soft": Advice("The text goes back to whoever wrote it.", "Mend what is named and try again."),
        "hold": Advice("It waits for somebody entitled to decide.", "Have it decided, or ask for less."),
        "hard": Advice("It is refused; no judge sees it.", "Write it without what is named."),
    }
)
NOTICES_SAY: Mapping[str, Advice] = MappingProxyType(
    {
        "held": Advice(
            "A question waits for a reviewer, who may decide it under `link` until `expires`.",
            "Decide it there, or: cellbound review show HOLD_ID.",
        ),
        "personal_data_drift": Advice(
            "Columns changed since personal data was last looked for; no tag and no right did.",
            "A data owner looks at what changed: cellbound discover --drift.",
        ),
    }
)
"""What the `event` of a notice to a webhook says."""
