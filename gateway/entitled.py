"""Says whether an asker may still see what a trace told them: only under the access it was told with."""

from gateway.house import House
from traces.records import Caller, Trace

CHANGED = "Your access has changed since you asked"


def still_entitled(house: House, caller: Caller, trace: Trace) -> bool:
    """Say whether the role now in force sees exactly what the role saw that the question ran under.

    It is about rows, texts and cited values of the caller's own questions. An auditor reads by another right.
    """
    role, closed = house.entitlements.of(caller), trace.closed
    pins = closed.pins if closed else None
    return role is not None and pins is not None and pins.entitlement == role.digest
