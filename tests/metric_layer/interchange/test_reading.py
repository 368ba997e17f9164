"""Foreign files are read strictly and within limits, and no key in them is lost silently."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.interchange.json_text import MAX_DEPTH, read_json_text
from metric_layer.interchange.losses import Losses
from metric_layer.interchange.names import LENGTH, Names, identifier
from metric_layer.interchange.reading import MAX_BYTES, ForeignUnreadable, Part, read_foreign
from metric_layer.interchange.writing import json_text, yaml_text
from metric_layer.source import Source, read_text
from metric_layer.validate import plain
from tests.metric_layer.interchange.documents import TEXTS
from tests.metric_layer.interchange.imports import aggregate, cube, dbt, imported, measure, ossie, simple

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=5)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
KEYS = st.from_regex(r"\A[a-z_]{1,12}\Z")
KEYED = st.dictionaries(
    KEYS,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**30), 10**30) | NUMBERS | TEXTS,
        lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=12,
    ),
    max_size=5,
)


def source_of(text: str) -> Source:
    found = read_json_text(text, "f.json")
    assert isinstance(found, Source), found
    return found


@given(PLAIN)
@settings(max_examples=120, deadline=None)
def test_json_text_reads_back_as_it_was_written(value: object) -> None:
    assert source_of(json_text(value)).data == value
    assert plain(json.loads(json_text(value), parse_float=Decimal)) == value, "and is JSON to others too"


@given(KEYED)
@settings(max_examples=120, deadline=None)
def test_yaml_text_reads_back_as_it_was_written(value: dict[str, object]) -> None:
    found = read_text(yaml_text(value), "f.yml")
    assert isinstance(found, Source), found
    assert found.data == value


@given(st.text(max_size=60))
@settings(max_examples=120, deadline=None)
def test_any_text_is_json_or_an_issue_with_its_place(text: str) -> None:
    found = read_json_text(text, "f.json")
    if isinstance(found, list):
        assert found[0].place.startswith("f.json:")
        return
    assert plain(json.loads(text, parse_float=Decimal)) == found.data


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('{"a": 1,\n "a": 2}', "2:2", "twice"),
        ('{"a": 1} x', "1:10", "behind the end"),
        ('{"a" 1}', "1:6", "':' is missing"),
        ('{"a": [1, 2}', "1:12", "',' is missing"),
        ('{"a": .5}', "1:7", "value is missing"),
        ('{"a": 01}', "1:8", "',' is missing"),
        ('{"a": NaN}', "1:7", "value is missing"),
        ('{"a": "\\ud800"}', "1:7", "half a character"),
        ('{"a": "\\x"}', "1:7", "escape"),
        ("{a: 1}", "1:2", "double quotes"),
        ("", "1:1", "value is missing"),
        ("[" * 2000, f"1:{MAX_DEPTH + 2}", "deeper"),
        (f'{{"a": {"9" * 100}}}', "1:7", "too long"),
    ],
    ids=range(13),
)
def test_json_that_is_none_is_refused_with_its_place(text: str, place: str, words: str) -> None:
    found = read_json_text(text, "f.json")
    assert isinstance(found, list)
    assert found[0].place == f"f.json:{place}"
    assert words in found[0].message


def test_places_are_those_of_keys_and_values() -> None:
    found = source_of('{\n  "a": [\n    {"b": 1}\n  ]\n}')
    assert found.place(("a",)) == "f.json:2:3"
    assert found.place(("a", 0, "b")) == "f.json:3:11"


@pytest.mark.parametrize("suffix", ["json", "yml"])
def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"big.{suffix}"
    file.write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(ForeignUnreadable) as fault:
        read_foreign(file)
    assert fault.value.issues[0].code == "too_large"


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("missing.yml", None, "unreadable"),
        ("bytes.yml", b"\xff\xfe", "not_utf8"),
        ("alias.yml", b"a: &x [1]\nb: *x\n", "yaml_alias"),
        ("bomb.yml", b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n", "yaml_alias"),
        ("tag.yml", b"a: !!python/object:os.system x\n", "yaml_tag"),
        ("twice.yml", b"a: 1\na: 2\n", "yaml_duplicate_key"),
        ("deep.yml", b"[" * 60 + b"]" * 60, "yaml_too_deep"),
        ("cut.json", b'{"semantic_models": [', "json_syntax"),
    ],
)
def test_a_file_that_cannot_be_taken_literally_is_refused(
    tmp_path: Path, name: str, content: bytes | None, code: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ForeignUnreadable) as fault:
        read_foreign(tmp_path / name)
    assert code in {issue.code for issue in fault.value.issues}
    assert all(issue.place.count(":") >= 2 and issue.next_step for issue in fault.value.issues)


@pytest.mark.parametrize("kind", ["dbt", "ossie", "cube"])
@pytest.mark.parametrize(
    "text", ["[]", "3", "text", "a: 1", "version: 0.1.1", "semantic_models: []", "cubes: []"]
)
def test_a_document_of_another_kind_is_refused(kind: str, text: str) -> None:
    with pytest.raises(ForeignUnreadable) as fault:
        imported(kind, text)  # type: ignore[arg-type]
    assert fault.value.issues[0].code == "wrong_document"


def _spots(value: object, pointer: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [pointer] if pointer else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += _spots(item, (*pointer, key))
    return found


DOCUMENTS = {"dbt": dbt(), "ossie": ossie(), "cube": cube()}


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_any_value_in_the_place_of_any_other_never_breaks_the_import(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(DOCUMENTS)))
    document = json.loads(json.dumps(DOCUMENTS[kind]))
    pointer = data.draw(st.sampled_from(_spots(document)))
    odd = data.draw(
        st.sampled_from(
            [None, True, 7, -1.5, "", "x", "{{ y }}", [], ["a"], [[1]], {}, {"a": {"b": 1}}, "(" * 99]
        )
    )
    here = document
    for key in pointer[:-1]:
        here = here[key]
    here[pointer[-1]] = odd
    try:
        report = imported(kind, document).report  # type: ignore[arg-type]
    except ForeignUnreadable as fault:
        assert fault.issues
        return
    assert report.ok is not any(line.level == "error" for line in report.lines)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_key_that_nobody_knows_is_always_reported(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(DOCUMENTS)))
    document = json.loads(json.dumps(DOCUMENTS[kind]))
    spots = [spot for spot in _spots(document) if isinstance(_at(document, spot), dict)]
    pointer = data.draw(st.sampled_from([(), *spots]))
    _at(document, pointer)["unheard_of"] = "a value"
    lines = imported(kind, document).report.lines  # type: ignore[arg-type]
    assert [line.name for line in lines if line.code == "key_not_kept"] == ["unheard_of"]


def _at(value: object, pointer: tuple[str | int, ...]) -> dict[str, object]:
    for key in pointer:
        value = value[key]  # type: ignore[index]
    return value  # type: ignore[return-value]


def test_values_of_a_wrong_type_are_reported_and_read_as_nothing() -> None:
    losses = Losses()
    part = Part(source_of('{"a": [], "b": 3, "c": "x", "d": {"e": 1}, "f": [1]}'), (), losses)
    assert (part.text("a"), part.text("b"), part.flag("c"), part.number("c")) == ("", "3", False, None)
    assert (part.part("f"), part.parts("d"), part.texts("f")) == (None, [], ())
    assert {line.name for line in losses.lines()} == {"a", "c", "d", "f"}
    assert {line.code for line in losses.lines()} == {"wrong_type"}


@given(st.lists(st.text(max_size=130), max_size=8))
@settings(deadline=None)
def test_names_are_identifiers_and_each_is_given_once(wanted: list[str]) -> None:
    names = Names()
    given_names = [names.give("asked", name, f"{name} of x") for name in wanted]
    assert len(set(given_names)) == len(given_names)
    assert all(identifier(name) == name and len(name) <= LENGTH for name in given_names)


@pytest.mark.parametrize(
    "text",
    ["[" * 2_000_000, '{"a":' * 400_000, "- " * 1_000_000, "a: " * 1000, "&a [" * 100_000, "{{" * 1_000_000],
)
@pytest.mark.parametrize("suffix", ["json", "yml"])
def test_a_file_made_to_break_a_parser_is_refused(tmp_path: Path, suffix: str, text: str) -> None:
    (tmp_path / f"bomb.{suffix}").write_text(text, encoding="utf-8")
    with pytest.raises(ForeignUnreadable):
        read_foreign(tmp_path / f"bomb.{suffix}")


@pytest.mark.parametrize(
    "long", ["{{" * 500_000, "x " * 500_000, "(" * 500_000, "{a" * 500_000, "'" * 500_001]
)
def test_a_text_made_to_take_long_is_refused_at_once(long: str) -> None:
    for kind, document in (
        ("dbt", dbt(simple("m", filter=long))),
        ("cube", cube(measure("m", "sum", long))),
        ("ossie", ossie(aggregate("m", long))),
    ):
        assert imported(kind, document).document.metrics == ()  # type: ignore[arg-type]


def test_a_long_chain_of_joins_is_settled_in_one_go() -> None:
    models: list[dict[str, object]] = [
        {
            "name": f"m{number}",
            "entities": [
                {"name": f"e{number}", "type": "primary", "expr": "id"},
                {"name": f"e{number + 1}", "type": "foreign", "expr": "id"},
            ],
        }
        for number in range(400)
    ]
    found = imported("dbt", {"semantic_models": models, "metrics": []})
    assert len(found.document.relationships) == 399
