"""`search_catalog`: metrics, dimensions, values and examples for a few words, and what an evaluator hides."""

from collections.abc import Sequence

from gateway.catalogue import dimensions_of
from gateway.house import House
from gateway.reply import CatalogHits, Refusal, issue_of
from metric_layer.catalog import Catalog, Example, build_catalog, without
from metric_layer.issues import Issue
from policies.entitlement import Entitlement
from policies.visible import sources_of
from traces.records import Caller

MOST = 1000


def search_catalog(
    house: House, caller: Caller, search: str, limit: int, exclude_examples: Sequence[str] = ()
) -> CatalogHits | Refusal:
    """Return the best entries the caller may see. `exclude_examples` hides examples and their twins.

    Hiding is for who may `evaluate`: the question is then answered as if those examples had never been there,
    ranking included.
    """
    role = house.entitlements.of(caller)
    if exclude_examples and (role is None or "evaluate" not in role.role.may):
        return _refused(role)
    if role is None:
        return CatalogHits(hits=())
    if exclude_examples:
        catalog = _catalog(house, role, without(house.examples, exclude_examples))
    else:
        catalog = house.catalogs.of(
            f"{house.layer.digest} {role.digest}", lambda: _catalog(house, role, house.examples)
        )
    found = catalog.search(search, MOST)
    return CatalogHits(hits=found[:limit], left_off=max(len(found) - limit, 0))


def _catalog(house: House, role: Entitlement, examples: Sequence[Example]) -> Catalog:
    layer = house.layer
    goes_with = dimensions_of(layer, role.visible)
    tables = {
        name: tuple(sorted(layer.datasets[dataset].relation for dataset in sources_of(name, layer)[0]))
        for name in goes_with
    }
    return build_catalog(layer, role.visible, goes_with, tables, examples)


def _refused(role: Entitlement | None) -> Refusal:
    refused = Issue(
        code="entitlement",
        message="Your role may not hide examples from the catalogue.",
        path="/exclude_examples",
        seen=role.role_name if role else "no role",
        next_step="Ask the policy's owner for the right evaluate, or leave exclude_examples out.",
    )
    return Refusal(issues=(issue_of(refused, "input"),))
