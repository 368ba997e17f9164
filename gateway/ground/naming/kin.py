"""Words that are kin to the names of a result: "Serbian" to Serbia, "attendees" to Attendance."""

from collections.abc import Iterator, Mapping, Sequence

from gateway.ground.lexing.stems import split_words, told_by, without_brackets
from gateway.ground.naming.headers import said_by, short_forms
from gateway.ground.naming.phrases import NOBODY, PREFIX, Phrase, prefixes
from gateway.ground.table.sheet import Sheet

SIZED = frozenset(("tall", "high", "long", "wide", "deep", "fast"))
# Key column, rows and columns of a name.
Named = tuple[int, frozenset[int], frozenset[int]]


class Kin:
    """The related words of one result's names, each worked out once."""

    def __init__(self, sheet: Sheet, phrases: Mapping[tuple[str, ...], Sequence[Phrase]]) -> None:
        """Stand on a sheet and on the phrases that name its rows and columns, by their stems."""
        self.sheet = sheet
        self._phrases = phrases
        self._short = short_forms({column: sheet.label(column) for column in sorted(sheet.figured)})
        self._prefixes = prefixes(sheet)
        self._found: dict[str, tuple[Named, ...]] = {}

    def of(self, said: str, stemmed: str) -> tuple[Named, ...]:
        """Return (key column, rows, columns) of what a word is kin to; digits are kin to nothing."""
        if said[0].isdigit():
            return ()
        if said not in self._found:
            self._found[said] = tuple(self._kin_of(said, stemmed))
        return self._found[said]

    def is_header(self, word: str, stemmed: str) -> bool:
        """Tell whether a word begins like a word of one column's header, or is what a header shortens."""
        return stemmed[:PREFIX] in self._prefixes or bool(said_by(word, self._short))

    def _kin_of(self, said: str, stemmed: str) -> Iterator[Named]:
        """Yield what a word is kin to."""
        text = said.lower()
        for cut in (1, 2, 3) if said[0].isupper() else ():
            for phrase in self._phrases.get((text[:-cut],), ()) if len(text) - cut >= 5 else ():
                if phrase.column >= 0 and phrase.full:
                    yield phrase.column, phrase.rows, NOBODY
        yield from self._trade(stemmed) if stemmed.endswith("er") else ()
        columns = self._prefixes.get(stemmed[:PREFIX]) or said_by(text, self._short) or self._done(text)
        columns = columns or (said_by(f"{text}s", self._short) if len(text) > 3 else NOBODY)  # "goal total"
        if text in SIZED and len(columns) > 1:  # "tall" is of Height, not of Focal height
            labels = ((c, without_brackets(self.sheet.label(c))) for c in columns)
            columns = frozenset(c for c, label in labels if len(split_words(label)) == 1) or columns
        if columns:
            yield -1, NOBODY, columns

    def _trade(self, stemmed: str) -> Iterator[Named]:
        """Yield the rows of a trade that its people go by ("plumbers" of Plumbing, "joiners" of Joinery)."""
        trades = (f"{stemmed[:-2]}ing", f"{stemmed}y") if len(stemmed) > 4 else ()
        for phrase in (phrase for trade in trades for phrase in self._phrases.get((trade,), ())):
            if phrase.column >= 0 and phrase.full:
                yield phrase.column, phrase.rows, NOBODY

    def _done(self, text: str) -> frozenset[int]:
        """Return the columns that a verb in the past is made from ("booked" of Bookings)."""
        said = (phrase.columns for word in told_by(text) for phrase in self._phrases.get((word,), ()))
        return NOBODY.union(*said)
