"""Question + SQL pairs in the public layouts (Spider, BIRD, JSON or JSONL) -> cases in our own YAML."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evals.cases import Case
from metric_layer.interchange.writing import yaml_text
from metric_layer.issues import Issue

QUESTION = ("question", "utterance", "input")
SQL = ("SQL", "query", "sql", "gold_sql", "target")
ID = ("question_id", "id", "instance_id", "name")
TAGS = ("difficulty", "db_id", "hardness")


def read_pairs(path: Path, database: str = "") -> tuple[Case, ...] | list[Issue]:
    """Return one case per pair, only those of one `db_id` where `database` says so; or every bad entry."""
    entries = _entries(path, path.read_text(encoding="utf-8-sig"))
    if issues := [entry for entry in entries if isinstance(entry, Issue)]:
        return issues
    kept = [
        (at, entry) for at, entry in enumerate(entries) if not database or _of(entry, ("db_id",)) == database
    ]
    issues = [
        _issue(f"{path} entry {at + 1}", "it holds no question with its SQL")
        for at, entry in kept
        if not (_of(entry, QUESTION) and _of(entry, SQL))
    ]
    return issues or tuple(_case(at, entry) for at, entry in kept)


def _entries(path: Path, text: str) -> list[Any]:
    """Return what one JSON text holds, or what its lines hold; an Issue stands for a line that is no JSON."""
    try:
        whole = json.loads(text)
    except ValueError as fault:
        if text.lstrip()[:1] != "{":
            return [_issue(path, f"it is neither JSON nor JSONL ({fault})")]
        lines = enumerate(text.splitlines(), 1)
        return [_line(path, number, line) for number, line in lines if line.strip()]
    return whole if isinstance(whole, list) else [whole]


def _line(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as fault:
        return _issue(f"{path}:{number}", f"the line is no JSON ({fault})")


def write_cases(cases: Iterable[Case]) -> str:
    """Return cases as the YAML that `load_cases` reads."""
    plain = [case.model_dump(by_alias=True, exclude_defaults=True) for case in cases]
    return yaml_text({"cases": plain})


def _case(at: int, entry: Mapping[str, Any]) -> Case:
    """BIRD's `evidence` is part of what a person would have said, so it stands behind the question."""
    question, evidence = _of(entry, QUESTION), str(entry.get("evidence") or "")
    tags = (_of(entry, (name,)) for name in TAGS)
    return Case(
        id=_of(entry, ID) or f"pair {at + 1}",
        question=f"{question} ({evidence})" if evidence else question,
        gold_sql=_of(entry, SQL).partition("\t")[0].strip(),
        tags=tuple(tag for tag in tags if tag),
    )


def _of(entry: object, names: Iterable[str]) -> str:
    if not isinstance(entry, Mapping):
        return ""
    return next((str(entry[name]) for name in names if entry.get(name) not in (None, "")), "")


def _issue(place: object, why: str) -> Issue:
    return Issue(
        code="bad_pairs",
        message=f"The file cannot be read as pairs: {why}.",
        place=str(place),
        next_step="Give a list of objects with a question and its SQL, as JSON or one a line.",
    )
