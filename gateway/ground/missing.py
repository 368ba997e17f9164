"""What kept a draft from leaving, for the last word to its asker: by kind, with nothing of the rows told."""

from collections.abc import Mapping, Sequence

from traces.grounding import SpanFinding

KINDS: Mapping[str, str] = {
    "no_source": "no source in the result for",
    "precision": "not what the figure rounds to:",
    "sign": "the sign is the other way round for",
    "unit": "not in the unit of the figure:",
    "wrong_cell": "not the figure of the row and column named:",
    "undeclared_derivation": "no derivation declared for",
    "null_as_value": "no data to tell of:",
    "window": "not the period that ran, or one without data:",
    "filter": "not what the question was filtered to:",
    "metric_name": "not a metric of this answer:",
    "unknown_label": "not a name of the result:",
    "cut_result": "the result was cut, so nobody knows",
    "claim": "not settled by the rows:",
    "residual": "cannot be read in one way:",
    "bad_slot": "no such cell or derivation:",
    "bad_declaration": "cannot be computed as declared:",
}
SHOWN = 5


def missing(findings: Sequence[SpanFinding]) -> str:
    """Return one line that names what is missing, kind by kind as it appears; empty for nothing."""
    groups: dict[str, dict[str, None]] = {}
    for finding in findings:
        if finding.code in KINDS:
            groups.setdefault(finding.code, {})[" ".join(finding.text.split())] = None
    return "; ".join(f"{KINDS[code]} {_listed(list(texts))}" for code, texts in groups.items())


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(f"{text!r}" for text in texts[:SHOWN])
    return shown + (f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else "")
