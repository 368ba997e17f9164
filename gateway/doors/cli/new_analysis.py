"""Puts the file of a new saved analysis into its project; nothing is overwritten."""

from pathlib import Path

from gateway.analyses.view import AcceptedAnalysis
from gateway.doors.json_input import BadInput
from gateway.playbooks.definition import Wanted
from gateway.playbooks.load import read_wanted
from gateway.playbooks.schema import put_schema
from gateway.reply import Refusal, ReplyIssue
from gateway.settings.file import Settings


def put_on_shelf(settings: Settings, found: AcceptedAnalysis) -> AcceptedAnalysis | Refusal:
    """Write the file, with the schema its first line names beside it; return it with its place.

    Raises OSError where the folder cannot be written to.
    """
    folder = settings.at(settings.paths.analyses)
    folder.mkdir(parents=True, exist_ok=True)
    put_schema(folder)
    file = folder / f"{found.name}.yml"
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(found.text)
    except FileExistsError:
        return _taken(file)
    return found.model_copy(update={"file": str(file)})


def wanted_from(file: Path | None) -> Wanted:
    """Return the parameters that a file wants of an accepted statement; none without one. Raises BadInput."""
    found = read_wanted(file) if file is not None else Wanted()
    if isinstance(found, list):
        raise BadInput(*found)
    return found


def _taken(file: Path) -> Refusal:
    issue = ReplyIssue(
        code="file_exists",
        message=f"{file.name} is there already, and nothing is overwritten.",
        stage="input",
        path="/name",
        seen=file.stem,
        next_step="Choose another name, or move that file away.",
    )
    return Refusal(issues=(issue,))
