"""What is exported here comes back exactly as it was, and nobody else can misread it."""

import json
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from metric_layer.definitions import Document
from metric_layer.draft import DraftReader
from metric_layer.interchange.losses import Losses
from metric_layer.interchange.ossie import read_ossie
from metric_layer.interchange.ossie_sql import MARKER, REQUIREMENTS
from metric_layer.interchange.ossie_write import ossie_document
from metric_layer.interchange.reading import read_foreign
from metric_layer.interchange.writing import json_text, yaml_text
from tests.metric_layer.interchange.documents import DOCUMENTS
from tests.metric_layer.interchange.imports import Plain, imported
from tests.metric_layer.interchange.own import OWN

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def back(document: Document, suffix: str = "json") -> tuple[Document, Losses]:
    text = (json_text if suffix == "json" else yaml_text)(ossie_document(document, "shop"))
    losses = Losses()
    with TemporaryDirectory() as place:
        file = Path(place) / f"export.{suffix}"
        file.write_text(text, encoding="utf-8")
        return read_ossie(read_foreign(file), losses).document(), losses


def shown(document: Document, name: str) -> str:
    """The SQL that a reader sees of a metric."""
    found = ossie_document(document, "shop")
    metrics: list[dict[str, dict[str, list[dict[str, str]]]]] = found["metrics"]  # type: ignore[assignment]
    return next(m["expression"]["dialects"][0]["expression"] for m in metrics if str(m["name"]) == name)


def with_metric(**changed: object) -> Document:
    metric = OWN.metrics[0].model_copy(update=changed)
    return OWN.model_copy(update={"metrics": (metric, *OWN.metrics[1:])})


@given(DOCUMENTS)
@settings(max_examples=80, deadline=None)
def test_any_definitions_come_back_as_they_were(document: Document) -> None:
    if not (document.datasets or document.metrics):
        return
    found, losses = back(document.model_copy(update={"datasets": document.datasets or OWN.datasets}))
    assert not losses.lines()
    assert found == document.model_copy(update={"datasets": document.datasets or OWN.datasets})


@pytest.mark.parametrize("demo", ["shop", "flights"])
@pytest.mark.parametrize("suffix", ["json", "yml"])
def test_the_demo_projects_come_back_as_they_were(demo: str, suffix: str) -> None:
    document = DraftReader().read_folder(EXAMPLES / demo / "metrics").document()
    found, losses = back(document, suffix)
    assert found == document
    assert not losses.lines()


def test_the_document_is_of_the_flat_shape() -> None:
    found = ossie_document(OWN, "shop")
    assert set(found) == {"version", "name", "datasets", "relationships", "metrics", "custom_extensions"}
    assert found["version"] == "0.2.0.dev0"
    keys = {
        "datasets": {
            "name",
            "source",
            "primary_key",
            "unique_keys",
            "description",
            "fields",
            "custom_extensions",
        },
        "relationships": {"name", "from", "to", "from_columns", "to_columns", "custom_extensions"},
        "metrics": {"name", "expression", "description", "ai_context", "custom_extensions"},
    }
    for section, known in keys.items():
        items: tuple[Plain, ...] = found[section]  # type: ignore[assignment]
        for item in items:
            assert set(item) <= known
            extensions: tuple[Plain, ...] = item["custom_extensions"]  # type: ignore[assignment]
            assert [each["vendor_name"] for each in extensions] == ["cellbound"]
            assert all(isinstance(each["data"], str) for each in extensions)


def test_a_metric_that_sql_can_say_is_said_in_sql() -> None:
    kept = '("orders"."status" IS NULL OR "orders"."status" <> \'void\')'
    assert shown(OWN, "revenue") == f'SUM(CASE WHEN {kept} THEN "orders"."amount" END)'
    assert shown(OWN, "orders_placed") == 'COUNT("orders"."order_id")'
    assert shown(OWN, "order_value").endswith('/ NULLIF(COUNT("orders"."order_id"), 0)')


def test_a_scaled_column_is_multiplied_out() -> None:
    said = OWN.model_dump()
    said["datasets"][0]["columns"][2]["scale"] = Decimal("0.01")
    document = Document.model_validate(said)
    assert '("orders"."amount" * 0.01)' in shown(document, "revenue")


@pytest.mark.parametrize(
    ("changed", "required"),
    [
        ({"status": "draft"}, "status"),
        ({"effective_from": "2026-01-01"}, "effective"),
        ({"dimensions": ("region",)}, "dimensions"),
        ({"grains": ("month",)}, "grains"),
        ({"non_additive": ("region",)}, "non_additive"),
        ({"snapshot": {"over": "ordered_on", "pick": "last"}}, "snapshot"),
        ({"unit_dimension": "region"}, "unit_dimension"),
        ({"filters": ({"field": "region", "op": "eq", "values": ("x",)},)}, "filters"),
        ({"filters": ({"field": "ordered_on", "op": "gt", "values": ("2026-01-01",)},)}, "filters"),
        ({"dataset": "customers", "column": "email", "type": "max", "filters": ()}, "personal"),
        ({"dataset": "customers", "column": "", "type": "count", "filters": ()}, "dataset"),
        ({"column": "", "expression": "amount +"}, "definition"),
    ],
)
def test_a_metric_that_would_be_another_number_without_the_extension_has_no_sql(
    changed: Plain, required: str
) -> None:
    said = OWN.model_dump()
    said["metrics"] = [{**said["metrics"][0], **changed}, *said["metrics"][1:]]
    document = Document.model_validate(said)
    assert shown(document, "revenue").startswith(f"{MARKER}(")
    assert f"'{required}'" in shown(document, "revenue")
    assert f"'{required}'" in shown(document, "order_value"), "what rests on it is withheld as well"
    data = json.loads(ossie_document(document, "shop")["custom_extensions"][0]["data"])  # type: ignore[index]
    assert required in data["requires"]


@given(DOCUMENTS)
@settings(max_examples=40, deadline=None)
def test_sql_is_shown_exactly_where_nothing_more_is_required(document: Document) -> None:
    metrics: tuple[Plain, ...] = ossie_document(document, "x")["metrics"]  # type: ignore[assignment]
    for metric in metrics:
        data = json.loads(metric["custom_extensions"][0]["data"])  # type: ignore[index]
        sql = metric["expression"]["dialects"][0]["expression"]  # type: ignore[index]
        assert sql.startswith(f"{MARKER}(") == bool(data["requires"])
        assert set(data["requires"]) <= REQUIREMENTS.keys()


def test_personal_columns_are_no_fields() -> None:
    datasets: tuple[Plain, ...] = ossie_document(OWN, "shop")["datasets"]  # type: ignore[assignment]
    fields = {field["name"] for dataset in datasets for field in dataset["fields"]}  # type: ignore[attr-defined]
    assert "email" not in fields
    assert "region" in fields


def test_what_the_file_certifies_is_a_draft_until_somebody_certifies_it_here() -> None:
    exported = json.loads(json_text(ossie_document(OWN, "shop")))
    assert imported("ossie", exported).report.certified == 0
    assert imported("ossie", exported, certify=True).document == OWN


def test_a_draft_stays_a_draft_whatever_is_asked() -> None:
    exported = json.loads(json_text(ossie_document(with_metric(status="draft"), "shop")))
    found = imported("ossie", exported, owner="me", certify=True)
    assert found.metric("revenue")["status"] == "draft"
    assert found.metric("orders_placed")["owner"] == "sales"


def test_a_chain_of_derived_metrics_that_doubles_does_not_blow_up() -> None:
    doubling = [OWN.metrics[0].model_dump() | {"name": "m0"}]
    head = {"version": 1, "owner": "x", "description": "x"}
    doubling += [
        {**head, "name": f"m{i}", "type": "derived", "expression": f"m{i - 1} + m{i - 1}"}
        for i in range(1, 400)
    ]
    document = Document.model_validate({**OWN.model_dump(), "metrics": doubling})
    assert len(json_text(ossie_document(document, "shop"))) < 3_000_000
