"""Names in scripts that put no spaces between words: found wherever their characters stand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import Phrase

# Kana, Han and the like.
CHARACTERS = r"\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
UNSPACED = re.compile(rf"[{CHARACTERS}]")
NAME = re.compile(rf"[{CHARACTERS}]{{2,}}")
# More of the same word.
KANA_RUN = re.compile(r"[\u30a1-\u30fa\u30fc]")


class Unspaced:
    """The names of one result that may stand inside a run of characters."""

    def __init__(self, phrases: Iterable[Sequence[Phrase]]) -> None:
        """Keep the names that are such a run themselves."""
        named: dict[str, list[Phrase]] = {}
        for same in phrases:
            for phrase in same:
                if phrase.full and len(phrase.words) == 1 and NAME.fullmatch(phrase.words[0]):
                    named.setdefault(phrase.words[0], []).append(phrase)
        self._named: Mapping[str, Sequence[Phrase]] = named
        longest = sorted(map(re.escape, named), key=len, reverse=True)
        self._any = re.compile("|".join(longest)) if named else None

    def find(self, text: str, starts: frozenset[int]) -> Iterator[Mention]:
        """Yield the names in a text in order, the longest first; `starts` are those found as words."""
        for found in self._any.finditer(text) if self._any is not None else ():
            before, after = text[: found.start()][-1:], text[found.end() :][:1]
            inside = (KANA_RUN.match(before) and KANA_RUN.match(found.group()[0])) or (
                KANA_RUN.match(after) and KANA_RUN.match(found.group()[-1])
            )
            for phrase in () if inside or found.start() in starts else self._named[found.group()]:
                yield Mention(*found.span(), phrase.column, phrase.rows, phrase.columns, True)
