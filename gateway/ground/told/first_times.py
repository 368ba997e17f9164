"""What is said to be first or last in time ("first released on", "its last game"): as the days say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from gateway.ground.told.days_of_rows import days_of_rows
from metric_layer.period_bounds import Window
from traces.grounding import SpanFinding

_FIRST = r"first|earliest"
_LAST = r"last|final|latest|newest|current|most\srecent"
_DONE = (
    r"(?:re-?)?(?:released|issued|published|aired|broadcast|shown|screened|performed|appear(?:ed|s)|launched"
    r"|commissioned|built|opened|elected|recorded|featured|starr(?:ed|s)|compet(?:ed|es)|acted|voiced)"
)
_THINGS = (
    r"releases?|issue|singles?|albums?|songs?|films?|movies?|games?|books?|novels?|plays?|roles?|parts?|appearances?"
    r"|performances?|productions?|fights?|bouts?|ships?|vessels?|victims?|members?|episodes?|editions?|buildings?"
    r"|nominations?|transfers?|signings?|mayors?|governors?|holders?|attacks?"
)
_PEOPLE = (
    r"captains?|commanders?|winners?|champions?|recipients?|owners?|rulers?|kings?|queens?|bishops?|presidents?"
    r"|chairm[ae]n|managers?|coach(?:es)?|leaders?|directors?"
)
# "Was first released", "its last game", "the last of the class to be launched", "the season finale".
SAID = (
    rf"\b(?:(?:(?P<first>first|initially|originally)|(?P<last>last|most\srecently))\s(?P<done>{_DONE})"
    rf"|(?:the|his|her|its|their|['\u2019]s|s['\u2019])\s(?:very\s)?(?:(?P<first_of>{_FIRST})|(?P<last_of>{_LAST}))"
    r"\s(?P<kind>[^\W\d_]+\s)??(?:(?:@)(?:\sto\s(?:be\s)?[a-z]+(?:ed|t))?(?:\ssunk|\shit)?"
    r"|(?:of\s(?:the|its|their)\s[a-z]+\s)?to\s(?:be\s)?[a-z]+(?:ed|t|n))"
    r"|(?:the|his|her|its|their|\u2019s|'s)\s(?P<debut_of>debut)\s(?:@|ep)"
    r"|(?P<debut>debut(?:ed|s)?|premiered|(?:season|series)\spremiere)|(?P<finale>(?:season|series)\sfinale))\b"
)
THINGS = f"{_THINGS}|{_PEOPLE}"
LABEL, PLURAL = re.compile(r"[a-z]{4,}"), re.compile(r"\b[a-z]{3,}s\b")
# What a header calls, and a first of which is one of some rows only ("her first award"), or no thing.
NO_THINGS = words(
    "award title prize honour event competition result date year notes score time from position place type"
    " venue location country language season series term party election points votes results statistics"
    " credits awards titles division league round class grade half team floor degree level leg"
)
OPENERS = frozenset(
    (
        "first", "earliest", "initially", "originally", "last", "final", "latest", "newest", "current",
        "recent", "recently", "debut", "debuted", "debuts", "premiered", "premiere", "finale",
    )
)  # fmt: skip
# What goes on to say of which of them ("her first role in a western"), and where another clause begins.
LIMITED = re.compile(
    r"\s(?:with|for|at|under|as|since|against|in|from|of|on|outside|that|who|which)\s(?:the\s)?[\"\'\u201c]?",
    re.IGNORECASE,
)
TURNS = re.compile(r"\b(?:and|but|while|before|after|until|since|followed|than)\b|[;:]", re.IGNORECASE)
IS = re.compile(r"[\"\u201d]?(?:(?:,\s[^,]{1,40},)?\s(?:was|is|became|were)\s?|,[\"\u201d]?\s)\Z")
# "Her acting debut", and no debut of some other kind.
OF_CLUB = re.compile(r"\b(?:for|with|against|at|on)\s(?:the\s)?\Z")
OF_DEBUT = re.compile(r"(?P<kind>[^\W\d_]+)\s\Z")
MADE = re.compile(r"(?:an?|the|his|her|its|their|s)", re.IGNORECASE)
# Things of another kind than the row beside them, by a note.
OF_KIND = re.compile(
    r"\b(?:short|tv|television|video|uncredited|voice|documentary|festival|demo|unreleased|guest|pilot|archive"
    r"|promotional|declined|cancell?ed)\b",
    re.IGNORECASE,
)
PEOPLE = frozenset(("acting", "screen", "professional"))
OPENED = re.compile(r"\W*(?:[Ii]n|[Oo]n)\s(?:the\syear\s)?")
FAR = 90
Rows = frozenset[int]
NOBODY: Rows = frozenset()


class _Claim(NamedTuple):
    """What is said to be first or last: its rows, the key column of its days, and the rows it is one of."""

    rows: Rows
    key: int
    field: Rows


class FirstTimes:
    """Looks for firsts and lasts of one text that the days of the rows deny, over one sheet."""

    def __init__(self, visible: Visible, spoken: Spoken, names: Names) -> None:
        """Stand on a text and the names of a sheet."""
        self.visible = visible
        self.text = visible.text
        self.names = names
        self.sheet = names.sheet
        self._said = spoken.says(OPENERS) and not self.sheet.table.truncated

    def check(self, sentences: Sequence[Sentence]) -> Iterator[SpanFinding]:
        """Yield what is said to be first and comes after another row of its kind, or last and before one."""
        for sentence in sentences if self._said and self.dated else ():
            for said in self._pattern.finditer(self.text, sentence.start, sentence.end):
                claim = self._claim(said, sentence)
                first = said["first"] or said["first_of"] or said["debut"] or said["debut_of"]
                other = self._denied(claim, first=first is not None) if claim else None
                if claim is not None and other is not None:
                    cell = other, claim.key
                    value = as_text(self.sheet.table.rows[other][claim.key])
                    yield contradicted(
                        self.visible, self.sheet, said.span(), cell, value, "Say which it was."
                    )

    @cached_property
    def dated(self) -> Mapping[int, Mapping[int, Window]]:
        """Return the days of the rows by their key columns."""
        return days_of_rows(self.names)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Return what says first or last of the things that rows are: by common words, headers, title."""
        labels = " ".join(self.sheet.label(key) for key in self.sheet.keys if key not in self.dated).lower()
        called = {*LABEL.findall(labels), *PLURAL.findall(self.names.subject.lower())}
        singular = {word.removesuffix("s") for word in called} - NO_THINGS
        more = "|".join((THINGS, *(f"{re.escape(word)}s?" for word in sorted(singular))))
        return re.compile(SAID.replace("@", more), re.IGNORECASE)

    def _claim(self, said: re.Match[str], sentence: Sentence) -> _Claim | None:
        """Return what a phrase calls first or last; None where it says of what kind in words unknown."""
        full = [m for m in sentence.rows if m.full]
        nth = said.start("first_of") if said["first_of"] else said.start("last_of")
        if any(m.start <= nth < m.end for m in full) or self._is_of_some(said, full, sentence):
            return None  # "the First Division"
        until = self._until(said, sentence)
        days = [m for m in full if m.column in self.dated and said.end() <= m.start < until]
        days = days or [m for m in self._opening(full, sentence) if said["debut"]]
        others = [m for m in full if m.column not in self.dated and m.start < until]
        led = [m for m in others if m.end <= said.start()]
        behind = [m for m in others if m.start >= said.end()]
        subject = [m for m in led if len(m.rows) == 1 and IS.fullmatch(self.text, m.end, said.start())]
        called = not said["done"] and not said["debut"]
        things = (called and subject) or [m for m in behind if len(m.rows) == 1]
        rows = NOBODY.union(*(m.rows for m in days if m.start == days[0].start))
        if things and (not rows or rows & things[0].rows):
            rows = things[0].rows
        key = days[0].column if days else next(iter(self.dated)) if len(self.dated) == 1 else -1
        if not rows or key < 0:
            return None
        limits = self._limits(said, others, days, until)
        return _Claim(rows, key, self._field(rows, key, limits))

    def _limits(
        self, said: re.Match[str], others: Sequence[Mention], days: Sequence[Mention], until: int
    ) -> Sequence[Mention]:
        """Return the names that say among which rows something is first or last."""
        led = [m for m in others if m.end <= said.start()]
        behind = [m for m in others if m.start >= said.end()]
        several = [m for m in behind if len(m.rows) > 1]
        if said["done"]:
            return [*led, *several, *(m for m in behind if days and m.end <= days[0].start)]
        if said["debut"]:
            return [*led, *(m for m in several if OF_CLUB.search(self.text, said.end(), m.start))]
        near = LIMITED.match(self.text, said.end(), until)
        own = [m for m in others if said.start() <= m.start and m.end <= said.end()]
        own += [m for m in behind if near and m.start == near.end()]
        return [*own, *(m for m in led if len(m.rows) > 1)]

    def _is_of_some(self, said: re.Match[str], full: Sequence[Mention], sentence: Sentence) -> bool:
        """Tell whether a first is one of a kind that no name of a row says ("her first leading role")."""
        kind = (said["kind"] or "").strip().lower()
        if kind and kind not in PEOPLE and not any(m.start == said.start("kind") for m in full):
            return True
        debut = OF_DEBUT.search(self.text, sentence.start, said.start()) if said["debut"] else None
        if debut is not None and said["debut"].lower() == "debut" and not MADE.fullmatch(debut["kind"]):
            return debut["kind"].lower() not in PEOPLE | set(split_words(self.names.subject))
        limited = LIMITED.match(self.text, said.end(), sentence.end)
        if limited is None or said["done"]:
            return False
        named = any(m.start == limited.end() for m in full)
        subject = self.names.subject.lower()
        following = self.text[limited.end() : limited.end() + 12].lower().split(" ")[0]
        return not named and not (following and following in subject)

    def _opening(self, full: Sequence[Mention], sentence: Sentence) -> Sequence[Mention]:
        """Return the time that opens a sentence ("In 2003, he made his debut in Old Mill")."""
        days = [m for m in full if m.column in self.dated]
        return [m for m in days if OPENED.fullmatch(self.text, sentence.start, m.start)]

    def _until(self, said: re.Match[str], sentence: Sentence) -> int:
        """Return where the clause of a phrase ends."""
        end = min(sentence.end, said.end() + FAR)
        names = [(m.start, m.end) for m in sentence.rows if m.full]
        for turn in TURNS.finditer(self.text, said.end(), end):
            if not any(start <= turn.start() < last for start, last in names):
                return turn.start()
        return end

    def _field(self, rows: Rows, key: int, limits: Sequence[Mention]) -> Rows:
        """Return the rows that a first is one of: all, or those that the names around it share with it."""
        field = frozenset(self.dated[key]) - self.sheet.totals
        places: dict[int, Rows] = {}
        for mention in limits:
            places[mention.start] = places.get(mention.start, frozenset()) | mention.rows
        for named in places.values():
            field = field & named if field & named & rows else field
        return field

    def _denied(self, claim: _Claim, *, first: bool) -> int | None:
        """Return a row that comes before what is said to be first, or after what is said to be last."""
        windows = self.dated[claim.key]
        own = [windows[row] for row in claim.rows if row in windows]
        kinds = [self._kinds(row) for row in claim.rows]
        for row in sorted(claim.field - claim.rows) if own else ():
            apart = all(_is_before(*((windows[row], w) if first else (w, windows[row]))) for w in own)
            if apart and any(self._kinds(row) <= kind for kind in kinds):
                return row
        return None

    def _kinds(self, row: int) -> frozenset[str]:
        """Return the words of a row that set it apart from works that count ("Short film")."""
        said = " \n ".join(as_text(self.sheet.table.rows[row][key]) for key in self.sheet.keys)
        return frozenset(word.lower() for word in OF_KIND.findall(said))


def _is_before(one: Window, other: Window) -> bool:
    return one[1] <= other[0]
