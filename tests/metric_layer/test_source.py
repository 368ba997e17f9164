"""YAML is read strictly: every trap of the format is an issue with its line and column, never a surprise."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.definitions import Document
from metric_layer.issues import Issue
from metric_layer.source import MAX_BYTES, Source, read_model, read_text


def issues(text: str) -> list[Issue]:
    found = read_text(text, "m.yml")
    assert isinstance(found, list), found
    return found


def data(text: str) -> object:
    found = read_text(text, "m.yml")
    assert isinstance(found, Source), found
    return found.data


def test_words_that_old_yaml_reads_as_truths_and_numbers_stay_words() -> None:
    read = data("on: [no, yes, off, NO, 007, 1_000, 12:30, 0x1F, 1e3, .5, -2, 1.50, true, ~, '5']")
    assert read == {
        "on": (
            "no", "yes", "off", "NO", "007", "1_000", "12:30", "0x1F", Decimal("1e3"), Decimal("0.5"), -2,
            Decimal("1.50"), True, None, "5",
        )
    }  # fmt: skip


def test_a_duplicate_key_is_named_with_its_line() -> None:
    (issue,) = issues("a: 1\nb: 2\na: 3\n")
    assert (issue.code, issue.place, issue.seen) == ("yaml_duplicate_key", "m.yml:3:1", "a")
    assert "line 1" in issue.message


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a:\n\t- b", "yaml_syntax", "m.yml:2:1"),
        ("a: &x [1]\nb: *x\n", "yaml_alias", "m.yml:1:4"),
        ("a: &x [*x]\n", "yaml_alias", "m.yml:1:4"),
        ("a: {<<: {b: 1}}\n", "yaml_alias", "m.yml:1:5"),
        ("a: !!python/name:os.system x\n", "yaml_tag", "m.yml:1:4"),
        ("--- a\n--- b\n", "yaml_syntax", "m.yml:2:1"),
        ("? [a]\n: b\n", "yaml_key", "m.yml:1:3"),
        ("a: 'open\n", "yaml_syntax", "m.yml:2:1"),
        ("a: " + "[" * 40 + "]" * 40, "yaml_too_deep", "m.yml:1:36"),
        ("a: " + "[" * 5000, "yaml_syntax", "m.yml:1:1003"),
    ],
)
def test_a_trap_of_the_format_is_refused_at_its_place(text: str, code: str, place: str) -> None:
    assert (code, place) in [(issue.code, issue.place) for issue in issues(text)]


def test_an_alias_bomb_costs_nothing() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    assert {issue.code for issue in issues("\n".join(lines))} == {"yaml_alias"}


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    file = tmp_path / "m.yml"
    file.write_bytes("\ufeffcalendar: {week_start: sunday}".encode())
    found = read_model(file, Document)
    assert isinstance(found, Document) and found.calendar and found.calendar.week_start == "sunday"


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"a: \xff", "not_utf8"), (b"a: \x00", "yaml"), (b"#" * (MAX_BYTES + 1), "too_large")],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    file = tmp_path / "m.yml"
    file.write_bytes(content)
    found = read_model(file, Document)
    assert isinstance(found, list) and [issue.code for issue in found] == [code]


def test_a_file_that_is_too_large_to_check_in_seconds_is_refused_and_says_how_to_split_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "m.yml").write_text("metrics:\n" + "  - {name: a}\n" * 400_000, encoding="utf-8")
    found = read_model(tmp_path / "m.yml", Document)
    assert isinstance(found, list)
    (issue,) = found
    assert issue.code == "too_large" and "every .yml below the folder" in issue.next_step


def test_a_missing_file_is_an_issue(tmp_path: Path) -> None:
    found = read_model(tmp_path / "none.yml", Document)
    assert isinstance(found, list) and found[0].code == "unreadable"


def test_an_empty_file_is_an_empty_document(tmp_path: Path) -> None:
    file = tmp_path / "m.yml"
    file.write_text("# nothing yet\n")
    assert read_model(file, Document) == Document()


def test_text_is_wanted_so_an_unquoted_number_or_word_is_read_as_written(tmp_path: Path) -> None:
    file = tmp_path / "m.yml"
    file.write_text(
        "dimensions:\n  - {name: country, dataset: c, column: code, values: [{value: NO}, {value: 0123}, "
        "{value: 1.10}]}"
    )
    found = read_model(file, Document)
    assert isinstance(found, Document), found
    assert [each.value for each in found.dimensions[0].values] == ["NO", "0123", "1.10"]


def test_all_problems_of_a_file_come_at_once_with_near_keys(tmp_path: Path) -> None:
    file = tmp_path / "m.yml"
    file.write_text(
        "metrics:\n"
        "  - name: gross\n"
        "    version: one\n"
        "    owner: sales\n"
        "    desciption: x\n"
        "    type: summ\n"
        "calender: {}\n"
    )
    found = read_model(file, Document)
    assert isinstance(found, list)
    by_place = {issue.place.removeprefix(str(file)): issue for issue in found}
    assert by_place[":6:11"].candidates == ("sum",)
    assert by_place[":7:1"].candidates == ("calendar",)
    assert all(issue.next_step for issue in found)
    assert not any("Input should" in issue.message for issue in found)


@given(st.text(max_size=60))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    found = read_text(text, "m.yml")
    assert isinstance(found, Source) or all(issue.code and issue.place for issue in found)
