"""Every exception of the house, drawn once.

A refusal is a record, never one of these. An exception means that the house itself is broken.

    Exception
    ├── HouseError                 what a door turns into exit 1 or HTTP 5xx, with code and next step
    │   ├── SettingsInvalid        cellbound.toml is missing or wrong
    │   ├── IdentityRefused        nobody is asking, or somebody nobody knows
    │   ├── NotProved              serve without proof that the row rules hold
    │   ├── Busy                   the queue is full
    │   ├── ScaffoldRefused        a project cannot be made there (gateway.scaffold.project)
    │   ├── FlightsMissing         the extra `flights` is not installed (gateway.demo.flights_data)
    │   ├── StoreUnusable          a store of results or state cannot be used (gateway.stores.rows)
    │   └── ResultUnreadable       a stored result is not what was stored (gateway.stores.results)
    ├── LayerInvalid               metrics/*.yml are wrong (metric_layer.load)
    ├── PolicyInvalid              policies/*.yml are wrong (policies.load)
    ├── EngineError                the database cannot be used (gateway.engines.base)
    │   ├── EngineTimeout
    │   ├── EngineCancelled
    │   └── EngineBusy             every session is in use and the queue is full
    └── TraceError                 the trace store cannot be used (traces.store.base)
"""

from collections.abc import Sequence

from metric_layer.issues import Issue


class HouseError(Exception):
    """The house cannot do its work. `issues` says where, what was seen and what to do next."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("; ".join(issue.message for issue in issues))
        self.issues = tuple(issues)


class SettingsInvalid(HouseError):
    """cellbound.toml is missing or wrong."""


class IdentityRefused(HouseError):
    """Nobody is asking, or somebody nobody knows."""


class NotProved(HouseError):
    """A role's row rules could not be proved, so nothing is served."""


class Busy(HouseError):
    """Too many questions at once; try again later."""
