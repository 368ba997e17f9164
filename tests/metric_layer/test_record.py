"""A record's copy with other values is what pydantic's own copy would be."""

from pydantic import BaseModel

from metric_layer.record import Record, Written


class Inner(Record):
    """A record in a record."""

    names: tuple[str, ...] = ()


class Outer(Record):
    """A record with a default that may stay unset."""

    inner: Inner
    count: int = 3
    said: str = ""


def test_a_copy_is_what_pydantic_s_own_copy_is() -> None:
    first = Outer(inner=Inner(names=("a",)), said="x")
    for update in (None, {}, {"count": 4}, {"inner": Inner(), "said": ""}):
        ours, plain = first.model_copy(update=update), BaseModel.model_copy(first, update=update)
        assert ours == plain and type(ours) is Outer
        assert ours.model_fields_set == plain.model_fields_set
        assert ours.model_dump_json() == plain.model_dump_json()
        assert ours.model_dump(exclude_unset=True) == plain.model_dump(exclude_unset=True)
        assert hash(ours) == hash(plain)


def test_a_copy_leaves_the_first_as_it_was() -> None:
    first = Outer(inner=Inner())
    copy = first.model_copy(update={"count": 4})
    assert (first.count, copy.count) == (3, 4)
    assert first.model_fields_set == {"inner"}
    assert copy.inner is first.inner
    assert first.model_copy(deep=True).inner is not first.inner


def test_a_record_written_once_is_written_anew_after_a_change() -> None:
    class Said(Written):
        text: str

    first = Said(text="a")
    assert first.as_json == '{"text":"a"}'
    assert first.model_copy(update={"text": "b"}).as_json == '{"text":"b"}'
    assert first.model_copy().as_json == first.as_json
    assert first == Said(text="a") and first.model_dump() == {"text": "a"}
