"""A report on labelled SQL as JUnit XML, which every build server shows."""

import re
from xml.etree import ElementTree

from policies.labelled import CaseResult, LabelReport

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, however they are written."""


def as_junit(report: LabelReport, suite: str) -> bytes:
    """Return one test case per text, its role as the class; a failure says what was wanted and what came."""
    root = ElementTree.Element(
        "testsuite", name=_clean(suite), tests=str(report.cases), failures=str(report.failed)
    )
    for result in report.results:
        case = ElementTree.SubElement(root, "testcase", classname=_clean(result.role), name=_clean(result.id))
        if not result.passed:
            failure = ElementTree.SubElement(case, "failure", message=_clean(difference(result)))
            failure.text = _clean("\n".join(result.findings))
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def difference(result: CaseResult) -> str:
    """Return in one line what a case should have got and what it got."""
    wanted, got = (
        f"{verdict} by {', '.join(checks)}" if checks else verdict
        for verdict, checks in ((result.wanted, result.wanted_checks), (result.verdict, result.checks))
    )
    return f"wanted {wanted}, got {got}"


def _clean(text: str) -> str:
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
