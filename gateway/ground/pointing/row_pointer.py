"""Which rows of the result the words around a number name, by the names beside it in its sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from gateway.ground.lexing.contests import FIGHTS
from gateway.ground.lexing.cues import (
    CHANGED_TO,
    CUE_AFTER,
    CUE_BEFORE,
    IN_NEXT,
    LATER,
    OF_WHICH,
    SPANNED,
    THEN,
    TO_THEIRS,
    TURN_WORDS,
    TURNS,
)
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import SMALL_WORDS, stem
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.naming.twins import without_twins
from gateway.ground.pointing.meetings import Meetings
from gateway.ground.sentence.asides import is_owner, subjects
from gateway.ground.sentence.baselines import Baselines, holds_number
from gateway.ground.sentence.clauses import Sentence, listed_run, neighbours, position
from gateway.ground.sentence.in_order import NamesInOrder
from gateway.ground.sentence.opponents import NOTHING, is_beaten_behind, others_told
from gateway.ground.sentence.own_brackets import is_in_own_bracket, of_own_bracket
from gateway.ground.sentence.referred import (
    OF_OWNER,
    is_generic,
    noun_start,
    outside_clause,
    owner,
    reach_of,
)
from gateway.ground.sentence.sites import site_of
from gateway.ground.sentence.titles import Thing, of_another, things_of
from gateway.ground.table.sheet import Sheet, as_text
from metric_layer.period_bounds import Window

OF_SUBJECT = re.compile(
    r",?\s(?:and|but|yet|while|though|although|whereas|with)\s(?:its|his|her)\s", re.IGNORECASE
)
# "Mori (59.1) of Japan": still of the same row.
GLOSS_GAP = re.compile(r"\)?,?\s?(?:(?:of|from|for|in|at|during)\s)?(?:the\s)?", re.IGNORECASE)
# "9,870 (9.7%)", "9,870 people (9.7%)".
GLOSS = re.compile(r"(?:\s[a-z]+)?\s\(?", re.IGNORECASE)
PLACED = (*FIGHTS, "behind", "trailing", "front")
# "Sunk at 50 N", "Damaged by a mine": a deed, and more of it.
DETAIL = re.compile(
    r"(?P<deed>[^\W\d_]+),?\s(?:at|in|by|on|off|near|with|after|during|from)\s", re.IGNORECASE
)
SIZED = re.compile(
    r"-[a-z]+(?:\s(?!(?:and|but|or|in|on|at|of|off|to|for|from|by|with|near|under|was|were|is|are|had|has|than)\b)"
    r"[\w'\u2019-]+){0,3}\s[\"\u201c]?",
    re.IGNORECASE,
)
WHEN = re.compile(r"\b(?:in|during|over|by|throughout)\s(?:the\s)?\Z", re.IGNORECASE)
Side = Literal["before", "after"]


class RowPointer:
    """Reads which rows the words around numbers name, for one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken, windows: Mapping[int, Mapping[int, Window]]) -> None:
        """Stand on a sheet and a text; `windows` are the periods of rows by their key columns."""
        self.windows = windows
        self.sheet = sheet
        self.text = text = spoken.text
        self._ordered = NamesInOrder(text)
        self._baselines = Baselines(text)
        self._meetings = Meetings(sheet, text)
        self._whose, self._then = spoken.says(OF_OWNER), spoken.says(LATER)
        self._turned = spoken.says(TURN_WORDS)
        self._beaten = spoken.opens(PLACED)
        self._named: tuple[Sentence | None, dict[int, list[Mention]]] = None, {}
        self._deeds: dict[int, Mapping[str, frozenset[int]]] = {}
        self._together: tuple[Sentence | None, Mapping[tuple[int, int], Thing]] = None, {}

    def rows(self, quantity: Quantity, sentence: Sentence, side: Side) -> tuple[frozenset[int] | None, bool]:
        """Return the rows that names of the sentence give a number, cut down by those carried over to it."""
        owned = owner(self.text, quantity, sentence) if self._whose else None
        fixed = owned.rows if owned else site_of(self.text, quantity, sentence)
        if fixed is not None:
            return fixed, True
        names = sentence.rows
        alone = len(names) == 1 and names[0].end <= quantity.start and bool(names[0].rows)
        rows = self._agreed(quantity, sentence, side) if names and not alone else None
        if alone:
            several = len(names[0].rows) > 1
            rows = self._in_turn(quantity, sentence, names[0]).rows if several else names[0].rows
        firm = rows is not None
        for mention in sentence.carried:
            rows = (mention.rows if rows is None else rows & mention.rows) or rows
        return rows, firm

    def _agreed(self, quantity: Quantity, sentence: Sentence, side: Side) -> frozenset[int] | None:
        """Return the rows that the chosen names of every key column agree on, fullest and nearest first."""
        chosen: list[tuple[tuple[bool, bool, bool, bool, int], Mention, bool]] = []
        ordered: list[tuple[Mention, bool]] = []
        before, after = neighbours(quantity, sentence)
        keys = sorted({mention.column for mention in sentence.rows})
        # a party may head a column of shares and be named in a cell of winners: its own column is meant
        headed = {(m.start, m.end) for m in sentence.columns if m.full} if len(keys) > 1 else frozenset()
        whole = {(m.start, m.end) for m in sentence.rows if m.full} if len(keys) > 1 else frozenset()
        spans = Counter((m.start, m.end, m.full) for m in _one_a_key(sentence.rows)) if len(keys) > 1 else {}
        either = side == "after"
        beside = others_told(self.text, quantity, sentence, either=either) if self._beaten else NOTHING
        glossed = len(keys) > 1 and quantity.bracketed and self._is_glossed(quantity, sentence)
        opened = self._opened_by(quantity, sentence) if len(keys) > 1 and before > sentence.start else -1
        met = self._meetings.rows(quantity, sentence) if len(keys) > 1 else NOBODY
        turned = self._turned and len(keys) > 1
        for key in keys:
            if met and key in self._meetings.sides:
                continue
            mentions = self._sure(sentence, key)
            if any(m.start <= quantity.start and quantity.end <= m.end for m in mentions):
                continue  # the number is itself the text of a cell there
            if len(keys) > 1 and key != self.sheet.keys[0]:
                mentions = [m for m in mentions if (m.start, m.end) not in headed]
            mentions = [m for m in mentions if m.full or (m.start, m.end) not in whole]
            mentions = of_own_bracket(self.text, quantity, sentence, mentions)
            mentions = self._own(quantity, sentence, self._outside(quantity, mentions))
            mentions = self._not_told(mentions, beside, sentence)
            if turned and key not in self.windows:
                mentions = outside_clause(self.text, quantity, sentence, mentions)
            mentions = [m for m in mentions if not (glossed and self._is_behind_gloss(quantity, m))]
            mentions = [m for m in mentions if not self._is_of_former(m, before, opened)]
            if not mentions:
                continue
            listed = self._ordered.of(quantity, sentence, mentions) or self._part_of(quantity, mentions)
            mention, sure = (listed, True) if listed else self._choose(quantity, sentence, mentions, side)
            sure = sure or is_in_own_bracket(self.text, quantity, sentence, mention)
            sure = sure or self._is_sized(quantity, mention)
            own = listed is not None or (before <= mention.start and mention.end <= after)
            distance = max(mention.start - quantity.end, quantity.start - mention.end)
            shared = spans.get((mention.start, mention.end, mention.full), 1) > 1
            alone = not any(m.full and m.end <= quantity.start for m in mentions)
            full = mention.full or (alone and self._is_surname(mention))
            order = not full, shared, not sure, not own, distance
            chosen.append((order, mention, mention.full and own and sure and not shared))
            ordered.append((mention, listed is not None))
        if len(chosen) > 1:
            things = self._things(sentence)
            chosen = [
                named
                for named in chosen
                if self._is_when(named[1]) or not of_another(named[1], ordered, things)
            ]
        chosen = [(order, self._in_turn(quantity, sentence, m), strong) for order, m, strong in chosen]
        rows: frozenset[int] | None = met or None
        for _, mention, strong in sorted(chosen, key=lambda item: item[0]):
            narrowed = mention.rows if rows is None else rows & mention.rows
            if narrowed or (strong and not (rows and self._is_span_end(mention))):
                rows = narrowed
        return rows

    def _in_turn(self, quantity: Quantity, sentence: Sentence, mention: Mention) -> Mention:
        """Return a stretch of periods cut down to the one of a number, in a list of one for each of them."""
        windows = self.windows.get(mention.column, {})
        if len(mention.rows) < 2 or not mention.rows <= windows.keys():
            return mention
        if any(m.full and m.column != mention.column for m in sentence.rows):
            return mention  # the list may be one of these
        run = listed_run(self.text, quantity, sentence)
        if len(run) != len(mention.rows) or len({windows[row] for row in mention.rows}) < len(run):
            return mention
        ordered = sorted(mention.rows, key=lambda row: windows[row])
        return mention._replace(rows=frozenset((ordered[run.index(quantity)],)))

    def _is_sized(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a number is the size of the name behind it ("the 4,715-ton Greek ship Tessaly")."""
        return (
            quantity.end < mention.start
            and SIZED.fullmatch(self.text, quantity.end, mention.start) is not None
        )

    def _is_glossed(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number in brackets stands right behind a full name."""
        return any(m.full and quantity.start - 1 <= m.end <= quantity.start for m in sentence.rows)

    def _opened_by(self, quantity: Quantity, sentence: Sentence) -> int:
        """Return where the full name starts that the bracket of a number stands right behind; -1 for none."""
        end = quantity.start + quantity.bracketed - 2
        named = (m.start for m in sentence.rows if m.full and m.end == end)
        return min(named, default=-1) if self.text.startswith(" (", end) else -1

    def _is_of_former(self, mention: Mention, before: int, opened: int) -> bool:
        """Tell whether a name closes what the number before says ("Oriole (9) on 6 May and Luz (3)")."""
        between = before <= mention.start and mention.end <= opened
        return between and PARTS.search(self.text, mention.end, opened) is not None

    def _is_behind_gloss(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name behind a number in brackets is of another ("Mori (59.1), with Pop")."""
        gap = self.text[quantity.end : mention.start]
        return mention.start >= quantity.end and GLOSS_GAP.fullmatch(gap) is None

    def _not_told(self, mentions: list[Mention], span: tuple[int, int], sentence: Sentence) -> list[Mention]:
        """Leave out the names of things that are told in a stretch of text; the stretch may be empty."""
        if span[0] == span[1]:
            return mentions
        return [m for m in mentions if not self._is_told_with(m, span, sentence)]

    def _is_told_with(self, mention: Mention, span: tuple[int, int], sentence: Sentence) -> bool:
        """Tell whether a name stands in a stretch of text, or another name of the same thing does."""
        if span[0] <= mention.start < span[1]:
            return True
        names = self._things(sentence)[mention.start, mention.column].names
        return any(span[0] <= m.start < span[1] for m in names)

    def _things(self, sentence: Sentence) -> Mapping[tuple[int, int], Thing]:
        """Return what the names of a sentence stand for together, worked out once."""
        if self._together[0] is not sentence:
            self._together = sentence, things_of(self.text, sentence)
        return self._together[1]

    def _is_when(self, mention: Mention) -> bool:
        """Tell whether a name is the period that something happened in ("In May 2026 North handled")."""
        lead = self.text[max(0, mention.start - 16) : mention.start]
        return mention.column in self.windows and WHEN.search(lead) is not None

    def _is_surname(self, mention: Mention) -> bool:
        """Tell whether a word is the last of the one row's name that holds it ("Larue" of Gus Larue)."""
        said = self.text[mention.start : mention.end]
        if len(mention.rows) != 1 or not said[:1].isupper():
            return False
        (row,) = mention.rows
        return as_text(self.sheet.table.rows[row][mention.column]).endswith(f" {said}")

    def _is_span_end(self, mention: Mention) -> bool:
        """Tell whether a name is the first or last of a stretch ("between 2001 and 2011")."""
        return SPANNED.search(self.text[max(0, mention.start - 60) : mention.start]) is not None

    def _outside(self, quantity: Quantity, mentions: list[Mention]) -> list[Mention]:
        """Leave out names inside brackets that a number stands outside of, where others are left."""
        if "(" not in self.text:
            return mentions
        inside = self._bracket(quantity.start + 1)
        open_ = [m for m in mentions if self._bracket(m.start) in (-1, inside)]
        return open_ if any(m.end <= quantity.start for m in open_) else mentions

    def _bracket(self, at: int) -> int:
        """Return where the bracket around a place opens; -1 for none."""
        opened = self.text.rfind("(", max(0, at - 200), at)
        return opened if opened > self.text.rfind(")", max(0, at - 200), at) else -1

    def _own(self, quantity: Quantity, sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
        """Leave out names in an aside behind a number that have one of their own ("of which A took 3%")."""
        then = THEN.search(self.text, quantity.end, sentence.end) if self._then else None
        mentions = [m for m in mentions if then is None or m.start < then.start()]
        if not mentions or mentions[0].end <= quantity.start:
            return mentions
        _, after = neighbours(quantity, sentence)
        if after == sentence.end:
            return mentions
        return [m for m in mentions if m.end > after or not self._is_next(quantity, m)]

    def _is_next(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name behind a number opens what is said of another ("while B took 3%")."""
        gap = self.text[quantity.end : mention.start]
        return mention.start >= quantity.end and (OF_WHICH.search(gap) or TURNS.search(gap)) is not None

    def _sure(self, sentence: Sentence, key: int) -> list[Mention]:
        """Return the names of one key column of a sentence, found once, without what only may be one."""
        if self._named[0] is not sentence:
            self._named = sentence, {}
        named = self._named[1]
        if key not in named:
            mentions = [m for m in sentence.rows if m.column == key]
            mentions = [self._with_details(m) for m in mentions]
            mentions = without_twins(self.text, self.sheet, mentions, sentence.start, sentence.end)
            named[key] = self._surest(mentions, sentence)
        return named[key]

    def _with_details(self, mention: Mention) -> Mention:
        """Return a deed that is one row's whole text with the rows that tell more of the same deed."""
        said = self.text[mention.start : mention.end]
        if not mention.full or not said.islower() or not said.isalpha():
            return mention
        deed, cells = stem(said), self._details(mention.column)
        return mention._replace(rows=mention.rows | cells.get(deed, NOBODY)) if deed in cells else mention

    def _details(self, key: int) -> Mapping[str, frozenset[int]]:
        """Return the rows whose text in a column tells more of a deed, by the deed."""
        if key not in self._deeds:
            found: dict[str, frozenset[int]] = {}
            for row, cells in enumerate(self.sheet.table.rows):
                said = DETAIL.match(as_text(cells[key])[:40])
                deed = stem(said["deed"].lower()) if said else ""
                if deed:
                    found[deed] = found.get(deed, NOBODY) | {row}
            self._deeds[key] = found
        return self._deeds[key]

    def _surest(self, mentions: list[Mention], sentence: Sentence) -> list[Mention]:
        """Leave out words that only may name a row: "total", a column's word, a word behind a full name."""
        if len(mentions) == 1:
            return mentions
        columns = {(m.start, m.end) for m in sentence.columns}
        mentions = [m for m in mentions if m.full or (m.start, m.end) not in columns] or mentions
        spans = {(m.start, m.end) for m in mentions if m.full}
        nouns = {noun_start(self.text, m.end) for m in mentions if m.full}
        # "his Preston career": no row that is called Career total
        nouns |= {m.end + 1 for m in mentions if self.text[m.start].isupper()} & {
            m.start for m in mentions if self.text[m.start].islower()
        }
        mentions = [m for m in mentions if m.full or not self._is_noun(m, spans, nouns)]
        sure = [m for m in mentions if m.full or self.text[m.start : m.end].lower() not in SMALL_WORDS]
        return sure or mentions

    def _is_noun(self, part: Mention, spans: set[tuple[int, int]], nouns: set[int]) -> bool:
        """Tell whether a word of a name is none here: a full name's, its noun, or any such thing."""
        return (part.start, part.end) in spans or part.start in nouns or is_generic(self.text, part)

    def _choose(
        self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention], side: Side
    ) -> tuple[Mention, bool]:
        """Choose among the names of one key column: by a cue that settles it, else by the side.

        The flag is false for a name on the other side of the number, taken for want of one on this side.
        """
        earlier = [mention for mention in mentions if mention.end <= quantity.start]
        later = [mention for mention in mentions if mention.start >= quantity.end]
        if earlier and later:
            later = [m for m in later if not is_owner(self.text, m, sentence)]
        if earlier and later and self._baselines.is_baseline(quantity, later[0]):
            later = []
        if earlier and later and is_beaten_behind(self.text, quantity, later[0]):
            later = []
        earlier = self._baselines.drop(subjects(self.text, quantity, sentence, earlier), sentence)
        if len(earlier) > 1 and TO_THEIRS.search(
            self.text[max(sentence.start, quantity.start - 48) : quantity.start]
        ):
            return earlier[-1], True
        several = len({m.start for m in earlier}) > 1
        several = several and TURNS.search(self.text, earlier[0].end, earlier[-1].start) is None
        if several and OF_SUBJECT.search(self.text, earlier[-1].end, quantity.start):
            return earlier[0], True
        while len(earlier) > 1 and self._baselines.is_compared(earlier[-2], earlier[-1], quantity, sentence):
            earlier.pop()
        lead = self.text[earlier[-1].end : quantity.start] if earlier else ""
        close = bool(earlier) and (
            CUE_BEFORE.fullmatch(lead) is not None or (quantity.bracketed and not lead.strip())
        )
        if later and CUE_AFTER.fullmatch(self.text, quantity.end, reach_of(later[0], quantity, sentence)):
            return (earlier[-1] if close else later[0]), True
        if not earlier or not later:
            return (earlier or later or mentions)[-1 if earlier else 0], bool(earlier)
        parted_before = self._is_parted(earlier[-1].end, quantity.start, sentence)
        parted_after = self._is_parted(self._pair_end(quantity, sentence), later[0].start, sentence)
        if parted_before != parted_after:
            return (later[0] if parted_before else earlier[-1]), True
        return (earlier[-1] if parted_after or close or side == "before" else later[0]), True

    def _part_of(self, quantity: Quantity, mentions: Sequence[Mention]) -> Mention | None:
        """Return the noun behind a number that is a part of a row named before ("Main worker - Weaver")."""
        noun = next((m for m in mentions if m.start == quantity.end + 1), None)
        whole = next((m for m in reversed(mentions) if m.full and m.end <= quantity.start), None)
        if noun is None or noun.full or whole is None or len(whole.rows) != 1:
            return None
        rows, key = self.sheet.table.rows, noun.column
        label = f"{as_text(rows[min(whole.rows)][key]).lower()} "
        parts = frozenset(row for row in noun.rows if as_text(rows[row][key]).lower().startswith(label))
        return noun._replace(rows=parts) if parts else None

    def _pair_end(self, quantity: Quantity, sentence: Sentence) -> int:
        """Return where a number ends, or the next one that it is told with ("28 points in 111")."""
        _, after = neighbours(quantity, sentence)
        if after == sentence.end:
            return quantity.end
        following = sentence.quantities[position(quantity, sentence) + 1]
        led = self.text.endswith(" by ", 0, quantity.start)
        paired = (
            IN_NEXT.fullmatch(self.text, quantity.end, after) is not None
            or (led and CHANGED_TO.fullmatch(self.text, quantity.end, after) is not None)
            or (following.bracketed and GLOSS.fullmatch(self.text, quantity.end, after) is not None)
        )
        return following.end if paired else quantity.end

    def _is_parted(self, start: int, end: int, sentence: Sentence) -> bool:
        """Tell whether a comma, a conjunction or another number stands between two places."""
        return holds_number(start, end, sentence) or PARTS.search(self.text[start:end]) is not None


def _one_a_key(rows: Sequence[Mention]) -> Iterable[Mention]:
    """Return the names of rows, each place once for each key column, the full name before a part of one."""
    fullest = sorted(rows, key=lambda mention: mention.full)
    return {(mention.start, mention.column): mention for mention in fullest}.values()
