"""Names made of deeds, said as verbs: "checked out" of Checkout, "viewed a page" of the step Page view."""

import re
from collections.abc import Iterator, Mapping, Sequence

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import SMALL_WORDS, split_words
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY, Phrase
from gateway.ground.table.sheet import Sheet, as_text

# Columns whose values are things done, one after the other.
STEPS = words("step stage event action phase milestone funnel activity interaction touchpoint")
PARTICLE = re.compile(
    r"(?<![^\W_])(?P<verb>[a-z]{3,8}?)[\s-]?(?P<out>outs?|ups?|ins?|offs?|downs?|overs?|backs?)(?![^\W_])",
    re.IGNORECASE,
)
# Verbs that go with one: in "origin" there is none.
PAIRED = words(
    "check sign log drop opt book hand pay roll move play walk call follow work start shut break back"
)
BEFORE_NOUN = ("", "a", "an", "the", "their", "its", "his", "her", "our", "at least one")
NOUN_ENDS = ("", "ing", "ment", "ion", "ation", "age", "al")
IRREGULAR: Mapping[str, tuple[str, ...]] = {
    "pay": ("paid", "paying"), "shut": ("shut", "shutting"), "break": ("broke", "broken", "breaking"),
    "sent": ("send", "sending"), "paid": ("pay", "paying"), "made": ("make", "making"),
    "held": ("hold", "holding"), "bought": ("buy", "buying"), "given": ("gave", "give", "giving"),
    "taken": ("took", "take", "taking"), "begun": ("began", "begin", "beginning"),
    "seen": ("saw", "see", "seeing"),
    "met": ("meet", "meeting"), "won": ("win", "winning"), "chosen": ("chose", "choose", "choosing"),
    "written": ("wrote", "write", "writing"), "read": ("reading",), "put": ("putting",), "set": ("setting",),
}  # fmt: skip
MOST_STEPS, LONGEST = 40, 4
APART = re.compile(r"[,;:()\n]|\.(?:\s|\Z)|\b(?:and|but|while|of\swhich)\b", re.IGNORECASE)


def deed_phrases(sheet: Sheet) -> Iterator[Phrase]:
    """Yield the verbs that columns and steps are named by."""
    columns: dict[tuple[str, ...], set[int]] = {}
    for column in sorted(sheet.figured):
        for form in _paired(sheet.label(column)):
            columns.setdefault(form, set()).add(column)
    for form, own in columns.items():
        if len(own) < len(sheet.figured):
            yield Phrase(form, -1, NOBODY, frozenset(own), False)
    for key in sorted(step_keys(sheet)):
        yield from _step_phrases(sheet, key)


def step_keys(sheet: Sheet) -> frozenset[int]:
    """Return the columns whose values are deeds."""
    keys = (key for key in sheet.keys if key not in sheet.figured and sheet.height <= MOST_STEPS)
    return frozenset(key for key in keys if not STEPS.isdisjoint(split_words(sheet.label(key))))


def without_shared(text: str, mentions: Sequence[Mention], keys: frozenset[int]) -> list[Mention]:
    """Leave out words that several steps share where another word beside them names one of those."""
    steps = [m for m in mentions if m.column in keys]
    return [m for m in mentions if m.column not in keys or not _is_told(text, m, steps)]


def _is_told(text: str, mention: Mention, steps: Sequence[Mention]) -> bool:
    if mention.full or len(mention.rows) < 2:
        return False
    for other in steps:
        first, second = sorted((other, mention), key=lambda m: m.start)
        if other.rows < mention.rows and APART.search(text, first.end, second.start) is None:
            return True
    return False


def _step_phrases(sheet: Sheet, key: int) -> Iterator[Phrase]:
    """Yield how each step is said as a deed; a form that two steps share names neither."""
    rows: dict[tuple[str, ...], dict[str, set[int]]] = {}
    for row, cells in enumerate(sheet.table.rows):
        text = as_text(cells[key]).strip()
        for form in {*_done(text), *(_paired(text) if PARTICLE.fullmatch(text) else ())}:
            rows.setdefault(form, {}).setdefault(text, set()).add(row)
    for form, texts in rows.items():
        for text, own in texts.items() if len(texts) == 1 else ():
            yield Phrase(form, key, frozenset(own), NOBODY, True, text.lower())
    yield from _word_phrases(sheet, key)


def _word_phrases(sheet: Sheet, key: int) -> Iterator[Phrase]:
    """Yield words that several steps share, and the past of the first word of one ("interviewed")."""
    shared: dict[str, set[int]] = {}
    pasts: dict[str, set[int]] = {}
    for row, cells in enumerate(sheet.table.rows):
        said = split_words(as_text(cells[key]))
        for word in set(said) - SMALL_WORDS:
            shared.setdefault(word, set()).add(row)
        for form in _verbs(said[0]) if len(said) in (1, 2) else ():
            if form.endswith("ed") or len(said) == 1:
                pasts.setdefault(form, set()).add(row)
    for word, rows in shared.items():
        if 1 < len(rows) < sheet.height and word.isalpha():
            yield Phrase((word,), key, frozenset(rows), NOBODY, False)
    for form, rows in pasts.items():
        if len(rows) == 1 and form not in shared:
            yield Phrase((form,), key, frozenset(rows), NOBODY, False)


def _paired(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the forms of the verbs with a particle in a name ("signed up" of Sign-ups)."""
    for found in PARTICLE.finditer(text):
        verb, out = found["verb"].lower(), found["out"].lower().removesuffix("s")
        if verb in PAIRED:
            yield from ((form, out) for form in _conjugated(verb))


def _conjugated(verb: str) -> Iterator[str]:
    """Yield a verb with its past and its gerund, the last letter doubled where it may be."""
    yield verb
    if verb in IRREGULAR:
        yield from IRREGULAR[verb]
        return
    root = verb.removesuffix("e")
    for ending in ("ed", "ing"):
        yield f"{root}{ending}"
        if re.search(r"[^aeiou][aeiou][^aeiouwxy]\Z", verb):
            yield f"{verb}{verb[-1]}{ending}"


def _done(text: str) -> Iterator[tuple[str, ...]]:
    """Yield a step of several words as what somebody did ("viewed a page", "completed payment")."""
    said = split_words(text)
    if not 1 < len(said) <= LONGEST or not all(word.isalpha() for word in said):
        return
    for verb in _verbs(said[-1]):
        for lead in BEFORE_NOUN:
            yield (verb, *split_words(lead), *said[:-1])
    if said[1] in ("to", "in", "into", "from", "for"):  # "Add to cart"
        for verb in _conjugated(said[0]):
            for lead in BEFORE_NOUN:
                yield (verb, said[1], *split_words(lead), *said[2:])


def _verbs(last: str) -> Sequence[str]:
    """Return the forms of the verb that the last word of a step is, or is made from ("view", "placed")."""
    if last in IRREGULAR:
        return (last, *IRREGULAR[last])
    if last.endswith("ed") and len(last) > 4:
        root = last[:-2]
        bases = {root, f"{root}e", root[:-1] if root[-1] == root[-2] else root}
        return (last, f"{root}ing", *sorted(bases))
    roots = {last.removesuffix(end) for end in NOUN_ENDS if last.endswith(end)}
    return tuple(form for root in sorted(roots) if len(root) > 3 for form in _conjugated(root))
