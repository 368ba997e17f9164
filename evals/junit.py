"""A run as JUnit XML: a case that could not be scored is an error, and nothing fails."""

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from evals.figures import figures_of
from evals.results import RunLine

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, however they are written."""


def as_junit(lines: Sequence[RunLine], suite: str) -> bytes:
    """Return one test case per question, its figures as properties; undefined figures are left out."""
    errors = {id(line): why for line in lines for why in [unscored(line)] if why}
    root = ElementTree.Element(
        "testsuite", name=_clean(suite), tests=str(len(lines)), failures="0", errors=str(len(errors))
    )
    for line in lines:
        run = line.run
        name = f"{run.case_id} [{run.phrasing}.{line.repeat}]" if run.phrasing or line.repeat else run.case_id
        case = ElementTree.SubElement(
            root,
            "testcase",
            classname=_clean(line.subject),
            name=_clean(name),
            time=f"{run.latency_s:.3f}",
        )
        properties = ElementTree.SubElement(case, "properties")
        for key, value in _properties(line):
            ElementTree.SubElement(properties, "property", name=key, value=value)
        if id(line) in errors:
            ElementTree.SubElement(case, "error", message=errors[id(line)])
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def unscored(line: RunLine) -> str:
    """Say why a question could not be scored; empty where it was."""
    run = line.run
    if run.other_identity:
        return "the gold query needs another identity"
    if run.answer.stale:
        return "the owner's number is about other data"
    if run.scores is not None and run.scores.ceilings.gold_failed:
        return "the gold query failed"
    return ""


def _properties(line: RunLine) -> Iterator[tuple[str, str]]:
    for family, name, value in figures_of(line.run):
        if value is not None:
            yield _clean(f"{family} {name}"), f"{value:.6g}"
    yield "given", line.run.answer.given
    if line.run.answer.fault:
        yield "fault", line.run.answer.fault


def _clean(text: str) -> str:
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
