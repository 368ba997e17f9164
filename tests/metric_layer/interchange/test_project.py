"""An import ends in files that the layer's own rules accept, beside what the project has, or in none."""

import json
from pathlib import Path

import pytest

from metric_layer.interchange.importing import import_file
from metric_layer.interchange.ossie_write import ossie_document
from metric_layer.interchange.project import FIRST_LINE, SCHEMA_FILE
from metric_layer.interchange.reading import ForeignUnreadable
from metric_layer.interchange.writing import json_text
from metric_layer.load import LayerInvalid, load_layer
from metric_layer.schema import FOLDER
from tests.metric_layer.interchange.imports import Plain, dbt, imported, metric, simple
from tests.metric_layer.interchange.own import OWN


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    file = tmp_path / "semantic_manifest.json"
    file.write_text(json.dumps(dbt()), encoding="utf-8")
    return file


def test_the_files_load_and_say_which_schema_they_have(manifest: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shop" / "metrics"
    report = import_file(manifest, "dbt", folder)
    assert report.files == ("dbt_datasets.yml", "dbt_dimensions.yml", "dbt_metrics.yml")
    assert all((folder / name).read_text(encoding="utf-8").startswith(FIRST_LINE) for name in report.files)
    assert (folder / SCHEMA_FILE).read_bytes() == (FOLDER / "definitions.json").read_bytes()
    layer = load_layer(folder)
    assert (len(layer.metrics), len(layer.datasets)) == (report.metrics, report.datasets)


def test_nothing_is_overwritten(manifest: Path, tmp_path: Path) -> None:
    import_file(manifest, "dbt", tmp_path / "metrics")
    before = {file: file.read_bytes() for file in (tmp_path / "metrics").iterdir()}
    manifest.write_text(json.dumps(dbt(simple("other"))), encoding="utf-8")
    with pytest.raises(ForeignUnreadable) as fault:
        import_file(manifest, "dbt", tmp_path / "metrics")
    assert fault.value.issues[0].code == "file_exists"
    assert {file: file.read_bytes() for file in (tmp_path / "metrics").iterdir()} == before


def test_what_breaks_a_rule_is_left_out_with_all_that_rests_on_it() -> None:
    measures = [
        {"name": "bad", "agg": "sum", "expr": "order_status"},
        {"name": "revenue", "agg": "sum", "expr": "amount"},
    ]
    where = "{{ Dimension('order__order_status') }} = 'x'"
    data = dbt(
        simple("bad", "bad", filter=where),
        simple("good"),
        metric("share", "ratio", numerator="bad", denominator="good"),
        metric("twice", "derived", expr="share * 2", metrics=["share"]),
        orders={"measures": measures},
    )
    data["semantic_models"][0]["measures"][0]["expr"] = "order_status || 'x'"  # type: ignore[index]
    found = imported("dbt", data)
    assert [each.name for each in found.document.metrics] == ["good"]
    assert found.codes("error") == ["breaks_rule", "rests_on_refused", "rests_on_refused"]
    assert all(line.place.count(":") == 2 for line in found.report.lines)


def test_a_dataset_the_project_has_is_the_one_that_counts() -> None:
    present = """
datasets:
  - name: orders
    relation: warehouse.orders
    columns: [{name: amount, type: decimal}, {name: ordered_on, type: date}]
"""
    found = imported("dbt", dbt(), present=present)
    assert "name_taken" in found.codes("error")
    assert found.dataset("orders")["relation"] == "warehouse.orders"
    assert found.metric("revenue")["dataset"] == "orders"


def test_a_project_that_is_broken_itself_is_left_alone(manifest: Path, tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    folder.mkdir()
    (folder / "mine.yml").write_text("metrics:\n  - {name: odd}\n", encoding="utf-8")
    with pytest.raises(LayerInvalid):
        import_file(manifest, "dbt", folder)
    assert [file.name for file in folder.iterdir()] == ["mine.yml"]


def test_a_file_without_anything_to_keep_writes_nothing(manifest: Path, tmp_path: Path) -> None:
    manifest.write_text(json.dumps({"semantic_models": [{"name": "x"}]}), encoding="utf-8")
    report = import_file(manifest, "dbt", tmp_path / "metrics")
    assert (report.files, report.metrics) == ((), 0)
    assert not (tmp_path / "metrics" / SCHEMA_FILE).exists()


def test_a_large_import_is_split_into_files_that_can_be_read() -> None:
    many: list[Plain] = [simple(f"metric_{number}", description="x" * 300) for number in range(700)]
    found = imported("dbt", dbt(*many))
    assert found.report.ok
    assert len(found.document.metrics) == 700
    assert len([name for name in found.report.files if "metrics" in name]) > 1


def test_the_calendar_of_the_project_is_the_one_that_counts() -> None:
    exported = json.loads(json_text(ossie_document(OWN, "shop")))
    assert imported("ossie", exported).document.calendar == OWN.calendar
    found = imported("ossie", exported, present="calendar: {fiscal_start_month: 4}\n")
    [line] = [each for each in found.report.lines if each.level == "error"]
    assert (line.code, line.name) == ("name_taken", "calendar")
    assert ".json:1:" in line.place
    assert found.document.calendar
    assert found.document.calendar.fiscal_start_month == 4
