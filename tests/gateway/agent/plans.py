"""Plans that scripted models reply."""

from tests.gateway.agent.conftest import PLAN

NOTHING = {"steps": [], "missing": ["continental business"]}
TOP = {**PLAN, "order": {"by": "net_revenue", "dir": "desc"}, "limit": 2}
MONTHS = {**PLAN, "dimensions": ["region"], "time": {**PLAN["time"], "grain": "month"}}
TWO_STEPS = {
    "steps": [
        {"id": "top", "plan": TOP},
        {"id": "months", "plan": MONTHS, "uses": [
            {"field": "region", "op": "in", "step": "top", "column": "region"}
        ]},
    ]
}  # fmt: skip
