"""kill -9 at any moment: no answer that was acknowledged is without its trace."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.service import Gateway
from traces.chain import Damage

ASKER = """
import sys
from pathlib import Path
from gateway.wiring import open_gateway
from traces.records import Caller
gateway = open_gateway(Path(sys.argv[1]))
ana = Caller(user="ana", roles=("analyst",), tenant="shop")
july = {"from": "2026-07-01", "to": "2026-07-31"}
plan = {"metrics": ["order_count"], "dimensions": ["region"], "time": july}
while True:
    reply = gateway.ask(ana, plan)
    sys.stdout.write(f"{reply.outcome} {reply.trace_id}\\n")
    sys.stdout.flush()
"""
KILLS = int(os.environ.get("CELLBOUND_KILLS", "6"))


@pytest.mark.faults
@pytest.mark.slow
def test_no_acknowledged_answer_is_without_its_trace_after_kill_9(
    shop: Path, open_shop: Callable[[], Gateway]
) -> None:
    acknowledged: list[str] = []
    draw = random.Random(9)
    for _ in range(KILLS):
        child = subprocess.Popen([sys.executable, "-c", ASKER, str(shop)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        acknowledged.extend(child.stdout.readline() for _ in range(draw.randint(1, 30)))
        child.send_signal(signal.SIGKILL)
        rest, _ = child.communicate()
        acknowledged.extend(line for line in rest.splitlines(keepends=True) if line.endswith("\n"))
    gateway = open_shop()
    assert len(acknowledged) >= KILLS
    for line in acknowledged:
        outcome, trace_id = line.split()
        trace = gateway.traces.read(trace_id)
        assert trace is not None and trace.closed is not None
        assert trace.closed.outcome == outcome == "answered"
    assert not [verdict for verdict in gateway.traces.verify() if isinstance(verdict, Damage)]
