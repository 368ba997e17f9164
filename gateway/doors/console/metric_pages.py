"""The catalogue: every metric a person may ask, what it means, who owns it, and a question to try."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.status import NOT_FOUND
from gateway.reply import MetricCard, Refusal
from metric_layer.definitions import TIME_TYPES

HERE = f"{ROOT}/metrics"
MOST = 200


class MetricPages:
    """The list with its search, and one card per metric."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List the metrics that match a search; to a script only the list itself."""
        search = request.query_params.get("search", "")[:MOST]

        def page() -> Response:
            found = self._desk.gateway.list_metrics(visit.caller, search, MOST)
            part = "metric_rows.html" if request.headers.get("hx-request") else "metrics.html"
            return self._pages.page(part, visit, here=HERE, found=found, search=search)

        return await self._desk.call(request, page)

    async def card(self, request: Request, visit: Visit) -> Response:
        """Show one metric with its dimensions and a question that asks for it."""
        name = str(request.path_params["name"])

        def page() -> Response:
            card = self._desk.gateway.describe_metric(visit.caller, name)
            if isinstance(card, Refusal):
                return self._pages.refusal(visit, "No such metric", card.issues, NOT_FOUND)
            question = example_question(card)
            return self._pages.page(
                "metric.html",
                visit,
                here=HERE,
                card=card,
                question=question,
                try_it=f"{ROOT}/ask?{urlencode({'question': question})}",
            )

        return await self._desk.call(request, page)


def example_question(card: MetricCard) -> str:
    """Return a question in words that asks for a metric by one of its dimensions."""
    by = next((d.label for d in card.dimensions if d.type not in TIME_TYPES), "")
    return f"{card.label} by {by} last month" if by else f"{card.label} last month"
