"""The catalogue finds every kind of entry, shows what goes with what, and forgets what it is told to."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from metric_layer.catalog import Catalog, Example, build_catalog, without, words_of
from metric_layer.definitions import Aggregate, Column, Dataset, Dimension, DimensionValue, Document
from metric_layer.layer import Layer, build_layer
from metric_layer.load import load_layer
from metric_layer.visible import Visible

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = (
    Example(id="may", question="How did we earn in May?", metrics=("revenue",), twin="one"),
    Example(id="may too", question="Earnings of last spring", metrics=("revenue",), twin="one"),
    Example(id="who", question="How many people came?", metrics=("visits",), twin="two"),
    Example(id="text", question="What became of it?"),
)
GOES_WITH = {"revenue": ("region", "day"), "visits": ("day",)}
TABLES = {"revenue": ("main.orders",), "visits": ("main.events",)}


@pytest.fixture(scope="module")
def layer() -> Layer:
    columns = (
        Column(name="region", type="string"),
        Column(name="day", type="date"),
        Column(name="amount", type="decimal"),
    )
    datasets = tuple(
        Dataset(name=name, relation=f"main.{name}", columns=columns) for name in ("orders", "events")
    )
    metrics = (
        Aggregate(
            name="revenue",
            version=1,
            owner="finance",
            description="Money taken, less refunds.",
            synonyms=("net sales",),
            type="sum",
            dataset="orders",
            column="amount",
        ),
        Aggregate(
            name="visits",
            version=1,
            owner="web",
            description="Sessions on the site.",
            type="count",
            dataset="events",
        ),
    )
    emea = DimensionValue(value="EMEA", label="Europe and Africa", synonyms=("the old world",))
    dimensions = (
        Dimension(name="region", dataset="orders", column="region", synonyms=("territory",), values=(emea,)),
        Dimension(name="day", dataset="orders", column="day", description="When it happened."),
    )
    return build_layer(Document(datasets=datasets, metrics=metrics, dimensions=dimensions))


def catalog(layer: Layer, examples: tuple[Example, ...] = EXAMPLES) -> Catalog:
    return build_catalog(layer, Visible(), GOES_WITH, TABLES, examples)


def first(found: Catalog, text: str) -> tuple[str, str]:
    hit = found.search(text, 5)[0]
    return hit.kind, hit.name


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("net sales", "metric", "revenue"),
        ("territories or a territory", "dimension", "region"),
        ("the old world", "value", "region"),
        ("sessions", "metric", "visits"),
        ("how many people came", "example", "who"),
        ("revenu", "metric", "revenue"),
    ],
)
def test_names_synonyms_values_descriptions_questions_and_near_names_are_found(
    layer: Layer, text: str, kind: str, name: str
) -> None:
    assert first(catalog(layer), text) == (kind, name)


def test_a_hit_says_what_goes_with_it_and_what_it_is_counted_in(layer: Layer) -> None:
    found = catalog(layer)
    (metric, *_), (value, *_) = found.search("net sales", 5), found.search("EMEA", 5)
    assert (metric.dimensions, metric.tables) == (("region", "day"), ("main.orders",))
    assert (value.value, value.metrics, value.tables) == ("EMEA", ("revenue",), ("main.orders",))


def test_what_may_not_be_seen_is_in_no_entry(layer: Layer) -> None:
    seen = Visible(metrics=frozenset(("visits",)), datasets=frozenset(("events",)))
    found = build_catalog(layer, seen, {"visits": ()}, TABLES, EXAMPLES)
    assert {entry.hit.name for entry in found.entries} == {"visits", "who"}
    assert not found.search("net sales territory EMEA earn", 10)


def test_an_example_names_its_metric_even_in_words_the_definition_does_not_use(layer: Layer) -> None:
    def metrics(examples: tuple[Example, ...]) -> list[str]:
        return [hit.name for hit in catalog(layer, examples).search("earn", 9) if hit.kind == "metric"]

    assert metrics(EXAMPLES) == ["revenue"]
    assert metrics(without(EXAMPLES, ["may"])) == [], "nor does its word stand in the metric any more"


def test_leaving_one_out_takes_its_twins_and_nobody_else() -> None:
    assert [example.id for example in without(EXAMPLES, ["may"])] == ["who", "text"]
    assert [example.id for example in without(EXAMPLES, ["text"])] == ["may", "may too", "who"]
    assert without(EXAMPLES, ["nobody"]) == EXAMPLES


def test_a_search_without_a_word_or_without_entries_finds_nothing(layer: Layer) -> None:
    assert not catalog(layer).search("", 5) and not catalog(layer).search("?! ...", 5)
    assert not Catalog(()).search("revenue", 5)


def test_threads_that_share_a_catalogue_find_what_one_alone_finds(layer: Layer) -> None:
    found = catalog(layer)
    texts = ["net sales", "EMEA", "people", "day", "sessions"] * 40
    alone = [found.search(text, 5) for text in texts]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda text: found.search(text, 5), texts)) == alone


def test_the_shop_of_the_examples_is_searchable() -> None:
    shop = load_layer(ROOT / "examples" / "shop" / "metrics")
    goes_with = {name: tuple(shop.dimensions) for name in shop.metrics}
    found = build_catalog(shop, Visible(), goes_with, {}, ())
    assert first(found, "net revenue")[1] == "net_revenue"


def test_words_are_folded() -> None:
    assert words_of("Net_Revenue of Orders, class") == ["net", "revenue", "of", "order", "class"]


def test_the_ranking_library_says_nothing_in_the_log_of_whoever_searches(
    layer: Layer, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("bm25s").setLevel(logging.DEBUG)
    with caplog.at_level(logging.DEBUG):
        catalog = build_catalog(layer, Visible(), GOES_WITH, TABLES, EXAMPLES)
        assert catalog.search("revenue", 3)
    assert [record.getMessage() for record in caplog.records if record.name.startswith("bm25s")] == []
