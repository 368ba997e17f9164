"""The findings of a draft as a reply and a trace carry them: the first ones, and how many more there are."""

from traces.grounding import Grounding, SpanFinding

MOST = 50
"""How many findings are told one by one; nobody mends more at once."""


def listed(grounding: Grounding) -> Grounding:
    """Return a grounding with at most MOST findings by place, and one more that counts the rest in words.

    What blocks a draft goes before what is only held, so that the verdict is the same as over all of them.
    """
    findings = grounding.findings
    if len(findings) <= MOST + 1:
        return grounding
    ranked = sorted(range(len(findings)), key=lambda at: not _blocks(findings[at]))
    first = sorted(ranked[:MOST])
    left = [findings[at] for at in ranked[MOST:]]
    more = f"{left[0].message}; {len(left) - 1:,} more findings are not listed"
    counted = left[0].model_copy(update={"message": more})
    return grounding.model_copy(update={"findings": (*(findings[at] for at in first), counted)})


def _blocks(finding: SpanFinding) -> bool:
    return finding.code != "claim" or bool(finding.expected)
