"""`search_catalog`: metrics, dimensions, values and examples for a few words, and what an evaluator hides."""

from collections.abc import Sequence

from gateway.catalogue import dimensions_of
from gateway.house import House
from gateway.playbooks.access import line_of, shown_to
from gateway.reply import CatalogHits, Refusal, issue_of
from metric_layer.catalog import Catalog, Example, Shown, build_catalog, without
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
    return hits_for(house, role, search, limit, exclude_examples) if role else CatalogHits(hits=())


def hits_for(
    house: House, role: Entitlement, search: str, limit: int, exclude_examples: Sequence[str] = ()
) -> CatalogHits:
    """Return the best entries that a role may see, for a caller whose right to hide examples was checked."""
    kept, key = house.catalogs, f"{house.layer.digest} {role.digest}"
    if exclude_examples:
        ids = frozenset(exclude_examples)
        catalog = kept.hiding(key, ids, lambda: _catalog(house, role, key, without(house.examples, ids)))
    else:
        catalog = kept.of(key, lambda: _catalog(house, role, key, house.examples))
    found = catalog.search(search, MOST)
    return CatalogHits(hits=found[:limit], left_off=max(len(found) - limit, 0))


def _catalog(house: House, role: Entitlement, key: str, examples: Sequence[Example]) -> Catalog:
    shown = house.catalogs.shown(key, lambda: _shown(house, role))
    return build_catalog(house.layer, role.visible, shown.goes_with, shown.tables, examples, shown.analyses)


def _shown(house: House, role: Entitlement) -> Shown:
    layer = house.layer
    goes_with = dimensions_of(layer, role.visible)
    tables = {
        name: tuple(sorted(layer.datasets[dataset].relation for dataset in sources_of(name, layer)[0]))
        for name in goes_with
    }
    saved = shown_to(role, house.analyses, layer, house.governed.policy, house.now())
    return Shown(goes_with, tables, tuple(map(line_of, saved)))


def _refused(role: Entitlement | None) -> Refusal:
    refused = Issue(
        code="right_missing",
        message="Your role may not hide examples from the catalogue: it lacks the right evaluate.",
        path="/exclude_examples",
        seen=role.role_name if role else "no role",
        next_step="Ask the policy's owner for the right evaluate, or leave exclude_examples out.",
    )
    return Refusal(issues=(issue_of(refused, "input"),))
