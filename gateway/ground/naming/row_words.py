"""Everyday words for rows that are kinds of figures ("households" for Total no. of houses)."""

from collections.abc import Iterator, Mapping

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import SMALL_WORDS, split_words, stem, without_brackets
from gateway.ground.naming.headers import SHORT

# What a name of a row adds to what it counts.
ADDED = words("no nos number total overall all of the")
MORE: Mapping[str, frozenset[str]] = {
    "dwellings": words("houses homes households"),
    "families": words("households homes"),
    "literates": words("literacy"),
    "spectators": words("attendance crowd"),
}
# Who is counted may be of any row.
ANYBODY = words("people person man woman boy girl")
# A margin is a majority only beside these.
MAJORITY = stem("majority")
OF_ELECTIONS = frozenset(map(stem, words("vote seat election elector turnout ballot poll voter candidate")))
SHORTEST = 4
KNOWN: Mapping[str, frozenset[str]] = {
    stem(said): frozenset(map(stem, others)) - ANYBODY
    for said, others in (*SHORT.items(), *MORE.items())
    if len(said) >= SHORTEST
}


def words_for(names: Mapping[str, set[int]]) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield (stem, rows) of words that stand for the one name of a key column that they can be said for.

    A word of one row's name, or of another of its words, names no other row.
    """
    heads = {text: head for text in names if (head := _head(text))}
    spoken = [word for text in names for word in set(split_words(text))] if heads else []
    told: dict[str, list[str]] = {}
    voted = not OF_ELECTIONS.isdisjoint(spoken)
    for text, head in heads.items():
        for word in {head} | (KNOWN[head] if voted else KNOWN[head] - {MAJORITY}):
            told.setdefault(word, []).append(text)
    for word, texts in told.items():
        own = heads[texts[0]] == word
        if len(texts) == 1 and spoken.count(word) == own and word not in SMALL_WORDS:
            yield word, frozenset(names[texts[0]])


def _head(text: str) -> str:
    """Return the one word of a name that says what it counts; empty for a longer name."""
    said = [word for word in split_words(without_brackets(text)) if word not in ADDED]
    return said[0] if len(said) == 1 and said[0] in KNOWN else ""
