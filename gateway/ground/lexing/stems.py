"""Words cut down to what two spellings of a name share: lower case, no plural, no possessive."""

import re
import unicodedata
from functools import lru_cache

from gateway.ground.lexing.lexicon import words
from metric_layer.period_words import PLURAL

WORD = re.compile(r"[^\W_]+[\u266d\u266f]?(?:'[^\W\d_]+)?")
SMALL_WORDS = words(
    "a an the of and or in on at to for by from with per as is was are were be been total net no not "
    "all other others average mean new less more than its their it value number amount percent rate "
    "date name type year month week day quarter current ended ending first last non sub main part group "
    "region state country city team which this that one two three four five six seven eight nine ten"
)


# Several of one type ("K9s", "A320s"); "1990s" and "100s" are no such thing.
CODES = re.compile(r"[a-z]+\d+s")
LONGEST_NAME = 80
BRACKETED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
# What makes a noun of a verb.
NOUN_ENDS = ("", "ing", "ment", "al", "er", "or", "up", "ion", "age")


# The forms of the few verbs and nouns that results are told in and that share no ending.
IRREGULAR = {
    "children": "child",
    "men": "man",
    "women": "woman",
    "won": "win",
    "wins": "win",
    "lost": "loss",
    "losses": "loss",
    "drawn": "draw",
    "draws": "draw",
    "drew": "draw",
    "sank": "sunk",
}


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word in lower case without accents and without a plural or possessive ending."""
    word = without_accents(word).lower()
    if word in IRREGULAR:
        return IRREGULAR[word]
    low = word.removesuffix("'s").replace("'", "")
    if CODES.fullmatch(low):
        return low[:-1]
    if len(low) < 4 or low[-1] != "s" or low[-2:] in ("ss", "us", "is") or low[0].isdigit():
        return low
    if low.endswith("ies"):
        return low[:-3] + "y"
    return low[:-2] if low.endswith(("sses", "xes", "ches", "shes")) else low[:-1]


def without_accents(word: str) -> str:
    """Return a word with its Latin letters plain ("Sebasti\u00e1n" as "Sebastian")."""
    if word.isascii():
        return word
    return "".join(base if (base := unicodedata.normalize("NFD", c)[0]).isascii() else c for c in word)


def split_words(text: str) -> tuple[str, ...]:
    """Return the stems of a text; those of a name are asked for again and again."""
    return _stems_of_name(text) if len(text) <= LONGEST_NAME else _stems_of(text)


def _stems_of(text: str) -> tuple[str, ...]:
    return tuple([stem(said) for said in WORD.findall(text.replace("\u2019", "'"))])


_stems_of_name = lru_cache(maxsize=4096)(_stems_of)


def without_brackets(text: str) -> str:
    """Return a text without what it says in brackets."""
    return BRACKETED.sub("", text).strip() if "(" in text or "[" in text else text.strip()


def told_by(verb: str) -> tuple[str, ...]:
    """Return the nouns that a verb in the past may be of ("hire" of "hired", "booking" of "booked")."""
    if not verb.endswith("ed") or len(verb) < 5:
        return ()
    root = verb[:-2]
    single = root[:-1] if root[-1] == root[-2] else root
    return (f"{root}e", *(f"{base}{end}" for base in {root, single} for end in NOUN_ENDS))


def plurals(subject: str) -> frozenset[str]:
    """Return the stems of the plural nouns of a subject: what its rows may be counted as."""
    found = (word.group() for word in WORD.finditer(subject[:500]))
    return frozenset(stem(word) for word in found if len(word) > 3 and PLURAL.fullmatch(word.lower()))
