"""What traces pin comes back as it was kept, or it is said why it does not."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.scaffold.project import templates
from metric_layer.definitions import Document
from metric_layer.layer import build_layer
from metric_layer.load import load_layer
from metric_layer.plan import Filter
from policies.load import govern, load_policy
from policies.policy import Policy
from traces.pins import PinStore, PinUnusable, from_json, to_json

KEY = b"k" * 32
SCALARS = (
    st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20)
    | st.text(max_size=20)
)


def _store(folder: Path, key: bytes = KEY) -> PinStore:
    return PinStore(folder / "pins", key)


@pytest.mark.parametrize("name", ["shop", "flights"])
def test_shipped_definitions_and_policies_come_back_whole(name: str, tmp_path: Path) -> None:
    layer = load_layer(templates() / name / "metrics")
    governed = load_policy(templates() / name / "policies", layer)
    store = _store(tmp_path)
    store.keep("layer", layer.digest, layer.document())
    store.keep("policy", governed.digest, governed.policy)
    document = store.find("layer", layer.digest, Document)
    policy = store.find("policy", governed.digest, Policy)
    assert document is not None
    assert document == layer.document()
    assert build_layer(document).digest == layer.digest
    assert policy is not None
    assert govern(policy) == governed


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SCALARS, max_size=4))
def test_a_text_is_told_from_a_number_that_is_written_alike(values: list[Any]) -> None:
    kept = Filter(field="size", op="in", values=tuple(values))
    found = from_json(to_json(kept), Filter)
    assert found == kept
    assert [type(value) for value in found.values] == [type(value) for value in kept.values]


def test_an_exact_decimal_keeps_its_digits() -> None:
    kept = Filter(field="size", op="in", values=(Decimal("1.50"), "1.50"))
    found = from_json(to_json(kept), Filter)
    assert [str(value) for value in found.values] == ["1.50", "1.50"]
    assert isinstance(found.values[0], Decimal) and isinstance(found.values[1], str)


def test_what_is_not_kept_is_none(tmp_path: Path) -> None:
    assert _store(tmp_path).find("policy", "0" * 64, Policy) is None


@pytest.mark.parametrize("where", range(0, 300, 7))
def test_one_altered_character_is_found(where: int, tmp_path: Path) -> None:
    store = _store(tmp_path)
    store.keep("filter", "a" * 64, Filter(field="region", op="in", values=("x" * 200,)))
    file = tmp_path / "pins" / ("a" * 64)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[:where] + ("Z" if text[where] != "Z" else "Y") + text[where + 1 :], encoding="utf-8")
    with pytest.raises(PinUnusable):
        store.find("filter", "a" * 64, Filter)


def test_an_artefact_of_another_name_or_kind_is_not_taken_for_it(tmp_path: Path) -> None:
    store = _store(tmp_path)
    store.keep("filter", "a" * 64, Filter(field="region", op="in", values=("x",)))
    (tmp_path / "pins" / ("a" * 64)).rename(tmp_path / "pins" / ("b" * 64))
    with pytest.raises(PinUnusable, match="not what was kept"):
        store.find("filter", "b" * 64, Filter)
    store.keep("filter", "c" * 64, Filter(field="region", op="in", values=("x",)))
    with pytest.raises(PinUnusable, match="not what was kept"):
        store.find("policy", "c" * 64, Policy)


def test_nobody_without_the_key_can_put_anything_in(tmp_path: Path) -> None:
    _store(tmp_path, b"o" * 32).keep("filter", "a" * 64, Filter(field="region", op="in", values=("x",)))
    with pytest.raises(PinUnusable, match="another key"):
        _store(tmp_path).find("filter", "a" * 64, Filter)


def test_what_is_kept_is_readable_by_its_owner_only_and_never_written_again(tmp_path: Path) -> None:
    store = _store(tmp_path)
    kept = Filter(field="day", op="in", values=(str(date(2026, 7, 1)),))
    store.keep("filter", "a" * 64, kept)
    file = tmp_path / "pins" / ("a" * 64)
    before = file.stat()
    assert before.st_mode & 0o777 == 0o600
    store.keep("filter", "a" * 64, kept)
    assert file.stat().st_ino == before.st_ino
    assert [path.name for path in file.parent.iterdir()] == ["a" * 64]
