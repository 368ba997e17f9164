"""Imported definitions -> YAML files of a project that the layer's own rules accept, or nothing."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from metric_layer.arithmetic import FormulaFault, names_in, parse_formula
from metric_layer.definitions import (
    Conversion,
    Cumulative,
    Derived,
    Document,
    Filtered,
    Metric,
    PeriodOverPeriod,
    Ratio,
)
from metric_layer.draft import DraftReader
from metric_layer.interchange.gathered import SHAPES, SINGLES, UNOWNED, Gathered
from metric_layer.interchange.ossie_write import definition, singles_of
from metric_layer.interchange.reading import ForeignUnreadable
from metric_layer.interchange.writing import yaml_text
from metric_layer.issues import Issue
from metric_layer.load import LayerInvalid, load_layer
from metric_layer.schema import FOLDER
from metric_layer.source import yaml_files

SCHEMA_FILE = "definitions.schema.json"
FIRST_LINE = f"# yaml-language-server: $schema={SCHEMA_FILE}\n"
FILE_CHARACTERS = 200_000
Item = tuple[str, dict[str, object]]


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to write: its name, its text, and which definition begins at which line."""

    name: str
    text: str
    lines: tuple[tuple[int, str, str], ...]

    def at(self, line: int) -> tuple[str, str] | None:
        """Return (section, name) of the definition that a line belongs to."""
        found = [(section, name) for first, section, name in self.lines if first <= line]
        return found[-1] if found else None


def settle(gathered: Gathered, owner: str, *, certify: bool) -> None:
    """Give metrics their owner and status.

    It is certified only if it has an owner, `certify` is asked for and its file does not call it a draft.
    """
    for metric in gathered.document().metrics:
        place = gathered.place("metrics", metric.name)
        known = metric.owner if metric.owner != UNOWNED else owner
        stated = metric.status if metric.name in gathered.stated else "certified"
        status = stated if stated != "certified" or (certify and known) else "draft"
        if not known:
            gathered.losses.add("no_owner", metric.name, place)
        elif status == "draft" and stated == "certified" and metric.name in gathered.stated:
            gathered.losses.add("not_certified", metric.name, place)
        changed = {"owner": known or UNOWNED, "status": status}
        gathered.replace("metrics", metric.name, metric.model_copy(update=changed))
    _keep_drafts_apart(gathered)


def _keep_drafts_apart(gathered: Gathered) -> None:
    """A certified metric does not rest on a draft: it stays one too."""
    metrics = {metric.name: metric for metric in gathered.document().metrics}
    drafts = {name for name, metric in metrics.items() if metric.status == "draft"}
    for name, part in _resting_on(drafts, gathered.document()).items():
        if metrics[name].status == "certified":
            gathered.losses.add("rests_on_draft", name, gathered.place("metrics", name), seen=part)
            gathered.replace("metrics", name, metrics[name].model_copy(update={"status": "draft"}))


def fit(gathered: Gathered, folder: Path, prefix: str) -> tuple[NewFile, ...]:
    """Return the files to write beside those of a folder, without the definitions that break a rule.

    Each of those is reported. Raises ForeignUnreadable when a file of one of the names is there, LayerInvalid
    when the folder's own files break rules.
    """
    while True:
        files = tuple(_files(gathered.document(), prefix))
        _refuse_taken(files, folder)
        issues = _issues(files, folder)
        if not issues:
            return files
        by_name = {file.name: file for file in files}
        broken: dict[tuple[str, str], Issue] = {}
        for issue in issues:
            path, line, _ = issue.place.rsplit(":", 2)
            file = by_name.get(Path(path).name)
            found = file.at(int(line)) if file else None
            if found is None:
                raise LayerInvalid(issues)
            broken.setdefault(found, issue)
        resting = _resting_on({name for section, name in broken if section == "metrics"}, gathered.document())
        for (section, name), issue in broken.items():
            place = gathered.place(section, name)
            gathered.losses.add("breaks_rule", name, place, seen=issue.seen, why=issue.message.rstrip("."))
            gathered.drop(section, name)
        for name, part in resting.items():
            gathered.losses.add("rests_on_refused", name, gathered.place("metrics", name), seen=part)
            gathered.drop("metrics", name)


def leave_out_taken(gathered: Gathered, folder: Path) -> None:
    """Report and drop what would take a name that the folder's own files give already."""
    reader = DraftReader()
    present = reader.read_folder(folder).document() if folder.is_dir() else Document()
    asked = ("metrics", "dimensions", "clocks")
    taken = {
        section: {
            item.name
            for other in (asked if section in asked else (section,))
            for item in getattr(present, other)
        }
        for section in SHAPES
    }
    found = gathered.document()
    for section in SHAPES:
        for item in getattr(found, section):
            if item.name in taken[section]:
                gathered.losses.add("name_taken", item.name, gathered.place(section, item.name))
                gathered.drop(section, item.name)
    for name in SINGLES:
        if name in gathered.singles and getattr(present, name) is not None:
            gathered.losses.add("name_taken", name, gathered.place(name, name))
            del gathered.singles[name]


def write(files: tuple[NewFile, ...], folder: Path) -> tuple[str, ...]:
    """Write new files into a folder, and the schema that editors check them with; nothing is overwritten."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    if files and not (folder / SCHEMA_FILE).exists():
        put_schema(folder)
    for file in files:
        with (folder / file.name).open("x", encoding="utf-8") as stream:
            stream.write(file.text)
        written.append(file.name)
    return tuple(written)


def put_schema(folder: Path) -> None:
    """Put the schema of definitions into a folder of definitions, where their first line names it."""
    shutil.copyfile(FOLDER / "definitions.json", folder / SCHEMA_FILE)


def _refuse_taken(files: tuple[NewFile, ...], folder: Path) -> None:
    taken = [file.name for file in files if (folder / file.name).exists()]
    if taken:
        raise ForeignUnreadable(
            Issue(
                code="file_exists",
                message=f"{taken[0]} is there already, and nothing is overwritten.",
                place=str(folder / taken[0]),
                seen=", ".join(taken),
                next_step="Move it away, or name another folder with --to.",
            )
        )


def _resting_on(broken: set[str], document: Document) -> dict[str, str]:
    """Return the metrics that are made of broken ones, however far away, each with such a part."""
    users: dict[str, list[str]] = {}
    for metric in document.metrics:
        for part in _parts(metric):
            users.setdefault(part, []).append(metric.name)
    found: dict[str, str] = {}
    waiting = sorted(broken)
    while waiting:
        part = waiting.pop()
        fresh = [name for name in users.get(part, ()) if name not in found and name not in broken]
        found.update(dict.fromkeys(fresh, part))
        waiting += fresh
    return found


def _parts(metric: Metric) -> Iterator[str]:
    match metric:
        case Ratio():
            yield from (metric.numerator, metric.denominator)
        case Conversion():
            yield from (metric.base, metric.conversion)
        case Filtered() | Cumulative() | PeriodOverPeriod():
            yield metric.metric
        case Derived():
            with suppress(FormulaFault):
                yield from names_in(parse_formula(metric.expression))


def _issues(files: tuple[NewFile, ...], folder: Path) -> tuple[Issue, ...]:
    """Return what the rules say of a folder with the new files in it."""
    with TemporaryDirectory() as place:
        trial = Path(place) / "metrics"
        trial.mkdir()
        for path in yaml_files(folder) if folder.is_dir() else ():
            copy = trial / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        for file in files:
            (trial / file.name).write_text(file.text, encoding="utf-8")
        try:
            load_layer(trial)
        except LayerInvalid as fault:
            return fault.issues
    return ()


def _files(document: Document, prefix: str) -> Iterator[NewFile]:
    """Yield the files: tables and joins, what to group by, and metrics; long ones in several parts."""
    singles = singles_of(document)
    parts: Mapping[str, tuple[str, ...]] = {
        "datasets": ("datasets", "relationships"),
        "dimensions": ("dimensions", "hierarchies", "clocks"),
        "metrics": ("metrics",),
    }
    for name, sections in parts.items():
        items = [(section, item) for section in sections for item in getattr(document, section)]
        extra = singles if name == "dimensions" else {}
        if not items and not extra:
            continue
        for number, chunk in enumerate(_chunks([(section, definition(item)) for section, item in items]), 1):
            suffix = f"_{number}" if number > 1 else ""
            yield _file(f"{prefix}_{name}{suffix}.yml", chunk, extra if number == 1 else {})


def _file(name: str, items: list[Item], extra: Mapping[str, object]) -> NewFile:
    text = FIRST_LINE + (f"\n{yaml_text(extra)}" if extra else "")
    lines: list[tuple[int, str, str]] = []
    for section in SHAPES:
        found = [item for where, item in items if where == section]
        if found:
            text += f"\n{section}:\n"
        for item in found:
            lines.append((text.count("\n") + 1, section, str(item["name"])))
            text += _written(item)
    return NewFile(name, text, tuple(lines))


def _written(item: Mapping[str, object]) -> str:
    """Return one item of a section as it stands in its list."""
    return yaml_text({"items": (item,)}).split("\n", 1)[1]


def _chunks(items: list[Item]) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    size = 0
    for section, item in items:
        length = len(_written(item))
        if chunk and size + length > FILE_CHARACTERS:
            yield chunk
            chunk, size = [], 0
        chunk.append((section, item))
        size += length
    yield chunk
