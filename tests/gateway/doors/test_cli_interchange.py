"""`metrics import` and `metrics export`: exit statuses, one object, nothing overwritten."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from gateway.doors.cli.main import run
from metric_layer.draft import DraftReader

MANIFEST: dict[str, Any] = {
    "semantic_models": [
        {
            "name": "sales",
            "defaults": {"agg_time_dimension": "sold_at"},
            "node_relation": {"alias": "sales", "schema_name": "mart"},
            "entities": [{"name": "sale", "type": "primary", "expr": "id"}],
            "dimensions": [{"name": "sold_at", "type": "time", "type_params": {"time_granularity": "day"}}],
            "measures": [{"name": "sold", "agg": "sum", "expr": "amount"}],
        }
    ],
    "metrics": [
        {"name": "sold", "description": "Sales.", "type": "simple", "type_params": {"measure": "sold"}}
    ],
}

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cellbound(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")

    def said(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return status, captured.out, captured.err

    return said


def test_an_import_says_what_it_assumed_and_leaves_with_0(cellbound: Command, tmp_path: Path) -> None:
    status, out, _ = cellbound(
        "metrics", "import", "manifest.json", "--from", "dbt", "--to", "shop", "--owner", "me"
    )
    assert status == 0
    assert "degraded[type_assumed]" in out
    assert "manifest.json:1:" in out
    assert "1 metric (0 certified)" in out
    assert (tmp_path / "shop" / "metrics" / "dbt_metrics.yml").is_file()


def test_an_import_that_had_to_refuse_something_leaves_with_3(cellbound: Command, tmp_path: Path) -> None:
    broken = {**MANIFEST, "metrics": [{"name": "m", "type": "guess"}]}
    (tmp_path / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
    status, out, _ = cellbound("metrics", "import", "broken.json", "--from", "dbt", "--to", "shop", "--json")
    report = json.loads(out)
    assert (status, report["ok"], out.count("\n")) == (3, False, 1)
    [line] = [line for line in report["lines"] if line["level"] == "error"]
    assert (line["code"], line["name"], line["seen"]) == ("dbt_unknown_type", "m", "guess")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nowhere.json", "--from", "dbt", "--to", "shop"), "unreadable"),
        (("manifest.json", "--from", "cube", "--to", "shop"), "wrong_document"),
        (("cut.json", "--from", "ossie", "--to", "shop"), "json_syntax"),
    ],
)
def test_a_file_that_is_no_document_is_wrong_usage(
    cellbound: Command, tmp_path: Path, arguments: tuple[str, ...], code: str
) -> None:
    (tmp_path / "cut.json").write_text("{", encoding="utf-8")
    status, out, err = cellbound("metrics", "import", *arguments, "--json")
    assert status == 2
    assert json.loads(out)["issues"][0]["code"] == code
    assert code in err
    assert not (tmp_path / "shop").exists()


@pytest.mark.parametrize(
    "arguments", [(), ("--from", "dbt"), ("--from", "excel", "--to", "x"), ("--to", "x")]
)
def test_an_import_needs_a_known_format_and_a_folder(cellbound: Command, arguments: tuple[str, ...]) -> None:
    assert cellbound("metrics", "import", "manifest.json", *arguments)[0] == 2


def test_a_second_import_takes_no_name_and_no_file_twice(cellbound: Command, tmp_path: Path) -> None:
    arguments = ("metrics", "import", "manifest.json", "--from", "dbt", "--to", "shop")
    assert cellbound(*arguments)[0] == 0
    before = {file: file.read_bytes() for file in (tmp_path / "shop" / "metrics").iterdir()}
    status, out, _ = cellbound(*arguments)
    assert status == 3
    assert "error[name_taken]" in out
    (tmp_path / "manifest.json").write_text(
        json.dumps(MANIFEST).replace('"sold"', '"bought"'), encoding="utf-8"
    )
    status, _, err = cellbound(*arguments)
    assert status == 2
    assert "file_exists" in err
    assert {file: file.read_bytes() for file in (tmp_path / "shop" / "metrics").iterdir()} == before


def test_definitions_go_into_the_folder_that_a_project_names(cellbound: Command, shop: Path) -> None:
    status, out, _ = cellbound(
        "metrics",
        "import",
        "manifest.json",
        "--from",
        "dbt",
        "--to",
        str(shop),
        "--owner",
        "me",
        "--certify",
        "--json",
    )
    report = json.loads(out)
    assert (status, report["certified"]) == (0, 1)
    assert (shop / "metrics" / "dbt_metrics.yml").is_file()
    assert cellbound("metrics", "validate", "--project", str(shop))[0] == 0


def test_an_export_is_one_ossie_document_and_comes_back_as_it_was(
    cellbound: Command, shop: Path, tmp_path: Path
) -> None:
    status, out, err = cellbound("metrics", "export", "--project", str(shop))
    document = yaml.safe_load(out)
    assert (status, document["version"], document["name"]) == (0, "0.2.0.dev0", shop.name)
    assert "gross_revenue: readers need the extension (filters)" in err
    (tmp_path / "export.yml").write_text(out, encoding="utf-8")
    assert (
        cellbound("metrics", "import", "export.yml", "--from", "ossie", "--to", "again", "--certify")[0] == 0
    )
    before = DraftReader().read_folder(shop / "metrics").document()
    after = DraftReader().read_folder(tmp_path / "again" / "metrics").document()
    assert after == before


def test_an_export_says_who_may_see_what_but_no_value_of_a_row_rule(cellbound: Command, shop: Path) -> None:
    document = yaml.safe_load(cellbound("metrics", "export", "--project", str(shop))[1])
    policies = json.loads(document["custom_extensions"][0]["data"])["policies"]
    assert policies["roles"]
    emea = [role for role in policies["roles"].values() if role["row_fields"]]
    assert emea
    assert all(
        set(role) == {"metrics", "datasets", "hidden_columns", "row_fields", "personal"} for role in emea
    )


@pytest.mark.parametrize("name", ["export.json", "export.yml"])
def test_an_export_goes_to_a_new_file_only(cellbound: Command, shop: Path, tmp_path: Path, name: str) -> None:
    assert cellbound("metrics", "export", "--to", name, "--project", str(shop))[0] == 0
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert (json.loads if name.endswith("json") else yaml.safe_load)(text)["metrics"]
    status, _, err = cellbound("metrics", "export", "--to", name, "--project", str(shop))
    assert status == 2
    assert "file_exists" in err
    assert (tmp_path / name).read_text(encoding="utf-8") == text
