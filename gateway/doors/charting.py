"""One chart of an answer as a file: the plot asked for, drawn as SVG or PNG, or why there is none."""

from typing import Literal

from gateway.charts.draw import Picture, draw
from gateway.charts.plot import Undrawn
from gateway.record.evidence import Evidence
from gateway.reply import Refusal, ReplyIssue

SECONDS = 30.0
Form = Literal["svg", "png"]


def chart_of(
    found: Evidence, form: Form, *, metric: str = "", dark: bool = False, seconds: float = SECONDS
) -> Picture | Refusal:
    """Return the plot of a metric, of the first where none is named, drawn from the kept rows alone.

    It stands under the rules of the rows: their asker sees it while they are kept and may still be read.
    """
    plots = found.kept.plots
    if not plots:
        return _refusal(found.kept.no_plot or found.kept.no_table, "Ask the question again.")
    chosen = [plot for plot in plots if metric in ("", plot.metric)][:1]
    if not chosen:
        names = ", ".join(plot.metric for plot in plots)
        issue = ReplyIssue(
            code="no_chart",
            message="This answer has no chart of that metric.",
            stage="input",
            path="/metric",
            seen=metric,
            next_step=f"Name one of {names}.",
        )
        return Refusal(issues=(issue,))
    drawn = draw(chosen, form, dark=dark, seconds=seconds)
    if isinstance(drawn, Undrawn):
        return _refusal(drawn.reason, "Read the rows instead, or try again.")
    return drawn[0]


def _refusal(reason: str, next_step: str) -> Refusal:
    issue = ReplyIssue(code="no_chart", message=reason, stage="input", next_step=next_step)
    return Refusal(issues=(issue,))
