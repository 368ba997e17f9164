"""Why an act of custody is refused, where right and reason were there."""

from gateway.reply import Refusal, ReplyIssue

LEAST_TEXT = 3


def held(subject: str) -> Refusal:
    """Say that a legal hold stands on somebody."""
    return Refusal(
        issues=(
            ReplyIssue(
                code="subject_held",
                message="A legal hold stands on this person: nothing of theirs may be erased.",
                stage="input",
                path="/subject",
                seen=subject,
                next_step="Release it first with `cellbound trace hold --release`, if you may.",
            ),
        )
    )


def too_short(text: str) -> Refusal:
    """Say that a text is too short to look for."""
    return Refusal(
        issues=(
            ReplyIssue(
                code="text_too_short",
                message=f"A text to look for has at least {LEAST_TEXT} characters.",
                stage="input",
                path="/text",
                seen=f"{len(text.strip())} characters",
                next_step="Give the whole name.",
            ),
        )
    )


def not_here() -> Refusal:
    """Say that there is no login that may delete."""
    return Refusal(
        issues=(
            ReplyIssue(
                code="retention_elsewhere",
                message="These traces lie in a database that the gateway may only add to.",
                stage="input",
                next_step="Set [traces] retention to the login that `cellbound setup sql --traces` makes.",
            ),
        )
    )


def one_of() -> Refusal:
    """Say that an erasure is of a person or of a trace, and a dry run of a trace only."""
    return Refusal(
        issues=(
            ReplyIssue(
                code="no_subject",
                message="Name one person or one trace; only what a trace would take along can be tried.",
                stage="input",
                path="/subject",
                next_step="Use --subject USER or --pseudonym alone, or --trace ID with or without --dry-run.",
            ),
        )
    )
