"""How strict the policy of a new project starts: for analysts, over a small database, or for everybody."""

import re
from typing import Literal

Profile = Literal["analysts", "small", "full"]

LOOSER = 4
_LINES = re.compile(r"\{warn: (?P<warn>\d+), hard: (?P<hard>\d+)\}")
_BUDGET = re.compile(r"^budget:$", re.MULTILINE)
_GOVERNED = re.compile(r"^  governed: \w+$", re.MULTILINE)
_ANALYST = re.compile(r"^    may: \[ask, check_sql\]$", re.MULTILINE)
_REVIEWER = re.compile(r"^(?P<may>    may: \[[^]]*\breview\b[^]]*)\]$", re.MULTILINE)
_OWNER = re.compile(r"^owner: (?P<owner>.+)$", re.MULTILINE)
_SMALL = """\
budget:
  # Few and small tables: the time limit bounds the worst query, so an unknown estimate holds nothing up.
  unknown: hard_caps"""
_ANALYSTS = """
# An analyst reads every query before anyone acts on it: they decide what is held of their own, on record.
findings:
  budget: {own_allowed: true}
  full_scan: {own_allowed: true}
  join_growth: {own_allowed: true}
  join_key: {own_allowed: true}
  release: {own_allowed: true}
"""
_FULL = """
# Shadow first: answers are recorded beside the analysts', and told to nobody.
# `cellbound release` moves a class on.
# A class whose answers analysts stop agreeing with goes back by itself.
ladder:
  demote:
    - {measure: disagreed, above: 0.1, last: 50, least: 10, to: shadow, owner: OWNER}
    - {measure: corrected, above: 0.05, last: 50, least: 10, to: shadow, owner: OWNER}

# The rows of every join are counted beside the question, each time.
evidence:
  guard: always
"""


def suited(policy: str, profile: Profile, *, demo: bool) -> str:
    """Return the policy of a template as a profile has it; a demo shows its reviewers at work as they are.

    `analysts`: they see the SQL and decide what is held of their own, free SQL among it. `small` loosens the
    budget. `full`: every class starts in shadow, with rules by which it goes back there.
    """
    match profile:
        case "analysts" if demo:
            return policy
        case "analysts":
            reviewing = _ANALYST.sub("    may: [ask, check_sql, review]", policy)
            return f"{_GOVERNED.sub(_with_free('autonomous', 'reviewed'), reviewing)}{_ANALYSTS}"
        case "small":
            return _BUDGET.sub(_SMALL, _LINES.sub(_loosen, policy))
        case "full":
            owned = _REVIEWER.sub(r"\g<may>, release]", policy)
            owner = _OWNER.search(policy)
            rules = _FULL.replace("OWNER", owner["owner"] if owner else "policy-owner")
            return f"{_GOVERNED.sub(_with_free('shadow', 'shadow'), owned)}{rules}"


def _with_free(governed: str, free: str) -> str:
    return f"  governed: {governed}\n  free: {free}"


def _loosen(lines: re.Match[str]) -> str:
    return f"{{warn: {int(lines['warn']) * LOOSER}, hard: {int(lines['hard']) * LOOSER}}}"
