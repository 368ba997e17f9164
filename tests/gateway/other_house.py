"""A gateway over another house, on the stores of one that is open."""

from gateway.house import House
from gateway.operation.beside import Beside
from gateway.replay.artefacts import keep
from gateway.service import Gateway


def over(gateway: Gateway, house: House) -> Gateway:
    """Return a gateway that asks under this house; what its traces pin is kept, as at a reload."""
    assert gateway.pins is not None
    keep(gateway.pins, house.layer, house.governed)
    stores = gateway.traces, gateway.results, gateway.state, gateway.attestations
    return Gateway(house, *stores, Beside(pins=gateway.pins))
