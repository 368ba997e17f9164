"""Evaluations: the runs in the project's folder, and each one's families side by side."""

from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.headers import CONTENT_POLICY
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.status import BROKEN, NOT_FOUND
from gateway.reply import ReplyIssue

HERE = f"{ROOT}/evals"
MOST_RUNS = 100


@dataclass(frozen=True, slots=True)
class RunFile:
    """A file of results: its name, when it was written last (UTC), how large it is."""

    name: str
    written: datetime
    size: int


class EvalPages:
    """The list of runs and one page per run."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List the runs, the newest first."""

        def page() -> Response:
            runs = sorted(map(_run_file, self._files()), key=lambda run: run.written, reverse=True)
            left_off = max(len(runs) - MOST_RUNS, 0)
            return self._pages.page("evals.html", visit, here=HERE, runs=runs[:MOST_RUNS], left_off=left_off)

        return await self._desk.call(request, page)

    async def shown(self, request: Request, visit: Visit) -> Response:
        """Show one run; with `whole` in the query the self-contained report."""
        name, whole = str(request.path_params["run"]), "whole" in request.query_params

        def page() -> Response:
            file = next((run for run in self._files() if run.stem == name), None)
            if file is None:
                return self._pages.refusal(visit, "No such run", (_no_run(name),), NOT_FOUND)
            if find_spec("scipy") is None:
                return self._pages.refusal(visit, "This run cannot be read", (_NO_EXTRA,), BROKEN)
            return self._run(visit, file, whole=whole)

        return await self._desk.call(request, page)

    def _run(self, visit: Visit, file: Path, *, whole: bool) -> Response:
        from gateway.doors.console.eval_runs import RunPage, run_page, whole_report

        found = run_page(file)
        if not isinstance(found, RunPage):
            return self._pages.refusal(visit, "This run cannot be read", found, BROKEN)
        if whole:  # it brings a stricter policy and its own style, so ours stays off it
            body = whole_report(file, self._desk.gateway.house.engine.dialect)
            return HTMLResponse(body, headers={CONTENT_POLICY: "frame-ancestors 'none'"})
        return self._pages.page("eval.html", visit, here=HERE, name=file.stem, found=found)

    def _files(self) -> tuple[Path, ...]:
        return tuple(self._desk.runs.glob("*.jsonl")) if self._desk.runs.is_dir() else ()


def _run_file(file: Path) -> RunFile:
    found = file.stat()
    return RunFile(file.stem, datetime.fromtimestamp(found.st_mtime, UTC), found.st_size)


def _no_run(name: str) -> ReplyIssue:
    return ReplyIssue(
        code="no_such_run",
        message="There is no run of that name.",
        stage="input",
        seen=name[:100],
        next_step="Write one with `cellbound eval run --out FILE` into the folder that `[paths] runs` names.",
    )


_NO_EXTRA = ReplyIssue(
    code="extra_missing",
    message="The extra evals is not installed here.",
    stage="house",
    next_step="Install it: pip install 'cellbound[evals]'.",
)
