"""What changed in the house since a question was held: an accept of it could not be used any more."""

from gateway.holds.records import Held, keyed
from gateway.house import House
from gateway.stages.settlement import PURPOSE, house_parts


def stale_parts(house: House, held: Held) -> tuple[str, ...]:
    """Return the names of the parts of a hold's binding that are not today's: definitions, policy, role."""
    role = next((each for each in house.entitlements if each.role_name == held.hold.role), None)
    today = keyed(house.keys.commitment(PURPOSE), house_parts(house, role))
    then = held.hold.parts
    return tuple(name for name, hashed in today.items() if name in then and then[name] != hashed)
