"""cellbound.toml is good settings, or every mistake in it with its key."""

from pathlib import Path

import pytest

from gateway.errors import SettingsInvalid
from gateway.settings.file import FILE, load_settings

GOOD = '[project]\nname = "shop"\n[engine]\nurl = "duckdb:shop.duckdb"\n'


@pytest.mark.parametrize(
    ("section", "key"),
    [("results", "minutes"), ("server", "queue"), ("server", "body_bytes"), ("server", "workers")],
)
def test_a_number_too_large_for_what_it_bounds_is_refused_with_its_key(
    tmp_path: Path, section: str, key: str
) -> None:
    (tmp_path / FILE).write_text(f"{GOOD}[{section}]\n{key} = 99999999999999\n", encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(tmp_path)
    (issue,) = caught.value.issues
    assert (issue.code, issue.seen) == ("invalid_value", f"{section}.{key}")


def test_the_largest_life_of_a_result_is_a_week(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"{GOOD}[results]\nminutes = 10080\n", encoding="utf-8")
    assert load_settings(tmp_path).results.minutes == 10_080


@pytest.mark.parametrize("port", ["", ":5432"])
def test_traces_in_the_database_that_is_asked_about_are_refused(tmp_path: Path, port: str) -> None:
    data = GOOD.replace("duckdb:shop.duckdb", "postgres://reader@db.example/shop")
    traces = f'[traces]\nstore = "postgresql://writer@db.example{port}/%s"\n'
    (tmp_path / FILE).write_text(data + traces % "shop", encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(tmp_path)
    (issue,) = caught.value.issues
    assert (issue.code, issue.seen) == ("traces_beside_data", "traces.store")
    (tmp_path / FILE).write_text(data + traces % "traces", encoding="utf-8")
    assert load_settings(tmp_path).traces.store.endswith("/traces")
