"""Turns values into pages: one set of templates, every value escaped, the same frame around each."""

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment
from starlette.responses import HTMLResponse

from gateway.doors.console.desk import Visit
from gateway.doors.console.navigation import places_for
from gateway.doors.evidence_page import templates
from gateway.doors.status import DoorStatus
from gateway.reply import ReplyIssue
from policies.checks.budget import size

ROOM = Path(__file__).resolve().parent
STATIC = ROOM / "static"
SCRIPT = "htmx-4.0.1.min.js"
# A digest is told from another one by its beginning.
_DIGEST = re.compile(r"\b([0-9a-f]{16})[0-9a-f]{24,}\b")


def _lasted(seconds: float) -> str:
    """Return a span of time in its largest fitting unit: 12 s, 3.5 min, 2.0 h."""
    for unit, size_ in (("h", 3600), ("min", 60)):
        if seconds >= size_:
            return f"{seconds / size_:.1f} {unit}"
    return f"{seconds:.0f} s"


@cache
def _environment() -> Environment:
    """Return the templates of the console: the package's own, so all consoles of a process share them."""
    found = templates(ROOM / "pages")
    found.globals.update(script=SCRIPT)
    found.filters.update(
        words=lambda name: str(name).replace("_", " "),
        opening=lambda text: text[:1].upper() + text[1:].replace("_", " "),
        brief=lambda text: _DIGEST.sub("\\1\N{HORIZONTAL ELLIPSIS}", text),
        minute=lambda at: at.strftime("%Y-%m-%d %H:%M"),
        count=lambda n: f"{n:,}",
        lasted=_lasted,
        whole=lambda value, unit: "not known" if value is None else size(unit, round(value)),
    )
    return found


class Pages:
    """The pages of the console. Rendering blocks: large pages are made on a worker thread."""

    def __init__(self) -> None:
        self._environment = _environment()

    def page(
        self, template: str, visit: Visit | None, *, here: str = "", status: int = 200, **values: object
    ) -> HTMLResponse:
        """Return a page as a response. `here` is the place in the navigation that it belongs to."""
        shown = self._environment.get_template(template).render(
            **values,
            visit=visit,
            here=here,
            places=places_for(visit) if visit else (),
        )
        return HTMLResponse(shown.encode("utf-8", "replace"), status)

    def refusal(
        self, visit: Visit | None, title: str, issues: tuple[ReplyIssue, ...], status: DoorStatus | int
    ) -> HTMLResponse:
        """Return a page that says why there is nothing else to show."""
        code = status if isinstance(status, int) else status.http
        return self.page("refusal.html", visit, status=code, title=title, issues=issues)
