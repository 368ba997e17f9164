"""What a question's words were read as, wherever that is not what they literally say."""

from collections.abc import Iterator
from datetime import date

from gateway.intake.outcome import Explained, IntakePlan
from gateway.intake.prepared import Prepared
from gateway.intake.tokens import key_of


def reading_notes(found: IntakePlan, words: Prepared) -> tuple[str, ...]:
    """Return a sentence for each reading: periods with their days, synonyms, defaults, an earlier plan."""
    said = (*_base(found), *_window(found, words), *_compared(found), *_names(found, words))
    return tuple(dict.fromkeys(said))


def _base(found: IntakePlan) -> Iterator[str]:
    if found.follows:
        yield "Read as a change of the question before it: what it does not say stays."


def _window(found: IntakePlan, words: Prepared) -> Iterator[str]:
    window = found.plan.time
    if window is None:
        return
    days = _days(window.from_, window.to)
    said = tuple(each.text for each in found.explained if each.kind == "period")
    if said:
        yield f"{' and '.join(map(repr, said))} was read as {days}."
    elif not found.follows:
        yield f"No period was named: {words.rules.default_window!r} was taken, {days}."
    end = words.rules.data_to
    if end is not None and window.to > end:
        yield f"The data ends on {end.isoformat()}; days after it are in no figure."


def _compared(found: IntakePlan) -> Iterator[str]:
    said = tuple(each.text for each in found.explained if each.kind == "comparison")
    if found.compared is not None:
        days = _days(found.compared.from_, found.compared.to)
        shown = f"{' and '.join(map(repr, said))} was read as {days}" if said else f"Compared with {days}"
        yield f"{shown}."


def _names(found: IntakePlan, words: Prepared) -> Iterator[str]:
    for each in found.explained:
        if not _is_literal(each, words):
            name = f"grain {each.name}" if each.kind == "grain" else each.name
            yield f"{each.text!r} was read as {name}."


def _is_literal(each: Explained, words: Prepared) -> bool:
    """Tell whether a part of the question is the very name, label or value it was read as, or a plural."""
    if each.kind == "grain":
        return not each.name.startswith("fiscal_")
    record = words.layer.metrics.get(each.name) or words.layer.dimensions.get(each.name.partition(":")[0])
    if record is None or each.kind not in ("metric", "dimension", "value"):
        return True
    called = (each.name.partition(":")[2],) if each.kind == "value" else (record.name, record.label)
    return key_of(each.text)[1] in {key_of(name)[1] for name in called}


def _days(first: date, last: date) -> str:
    return str(first) if first == last else f"{first} to {last}"
