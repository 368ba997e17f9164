"""An engine's fault in the two forms that leave the house: an issue of a trace, an issue of a reply."""

from gateway.engines.base import EngineError
from gateway.reply import ReplyIssue
from metric_layer.issues import Issue


def traced(fault: EngineError) -> Issue:
    """Return a fault as a trace keeps it."""
    return Issue(code=fault.code, message=str(fault), next_step=fault.next_step)


def replied(fault: EngineError) -> ReplyIssue:
    """Return a fault as a reply carries it: with whether trying again may help."""
    return ReplyIssue(
        code=fault.code,
        message=str(fault),
        stage="engine",
        next_step=fault.next_step,
        retry=fault.retryable,
    )
