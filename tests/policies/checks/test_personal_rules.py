"""Personal data under the rules deny, mask and aggregate: where a column may stand."""

import pytest

from metric_layer.plan import Dialect
from metric_layer.sql.catalogue import PersonalUse
from tests.policies.checks.lending import DIALECTS, judged

SHOWN = "SELECT branch, mail FROM lend.members"
DERIVED = "WITH a AS (SELECT UPPER(mail) AS who FROM lend.members) SELECT who AS person FROM a"
PRESENT = "SELECT branch, COUNT(mail) AS n FROM lend.members GROUP BY branch"
COUNTED = "SELECT branch, COUNT(DISTINCT mail) AS n FROM lend.members GROUP BY branch"
MISUSED = (
    "SELECT branch FROM lend.members WHERE mail = 'a'",
    "SELECT branch FROM lend.members ORDER BY mail",
    "SELECT mail, COUNT(*) FROM lend.members GROUP BY mail",
    "SELECT l.loan_id FROM lend.loans l JOIN lend.members m ON l.state = m.mail",
    "SELECT x.who FROM (SELECT mail AS who FROM lend.members) x WHERE x.who = 'a'",
    "SELECT MAX(mail) FROM lend.members",
    "SELECT mail AS who, COUNT(*) AS n FROM lend.members GROUP BY who",
    "SELECT mail, COUNT(*) AS n FROM lend.members GROUP BY 1",
    "SELECT mail FROM lend.members ORDER BY 1",
    "SELECT mail FROM lend.members UNION ALL SELECT branch FROM lend.members ORDER BY 1",
    "SELECT branch FROM lend.members GROUP BY branch HAVING COUNT(mail) > 1 AND MIN(mail) = 'a'",
    "SELECT COUNT(CASE WHEN mail = 'a' THEN 1 END) AS n FROM lend.members",
    "SELECT COUNT(*) AS n FROM lend.members GROUP BY branch, mail",
    "SELECT ROW_NUMBER() OVER (ORDER BY mail) AS n FROM lend.members",
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("sql", "rule", "allowed"),
    [
        (SHOWN, "deny", False),
        (SHOWN, "mask", True),
        (SHOWN, "aggregate", False),
        (DERIVED, "mask", True),
        (DERIVED, "aggregate", False),
        (COUNTED, "deny", False),
        (PRESENT, "mask", True),
        (PRESENT, "aggregate", True),
        (COUNTED, "mask", False),
        (COUNTED, "aggregate", True),
        *((sql, rule, False) for sql in MISUSED for rule in ("mask", "aggregate")),
    ],
)
def test_a_personal_column_stands_only_where_its_rule_allows(
    sql: str, rule: PersonalUse, allowed: bool, dialect: Dialect
) -> None:
    found = judged(sql, dialect, rule)
    assert ("pii_column" in found.checks) is not allowed


def test_a_star_under_a_mask_rule_is_only_doubtful() -> None:
    assert judged("SELECT * FROM members", "duckdb", "mask").verdict == "soft"
