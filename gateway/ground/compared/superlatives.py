"""The words that set one row above or below all others: "highest", "dearest", "no depot made more than B"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from gateway.ground.compared.first_few import END, leads_list
from gateway.ground.lexing.contests import OUTDO, OUTDOES, TRAIL
from gateway.ground.lexing.lexicon import one_of, words
from gateway.ground.lexing.stems import stem
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

HIGHEST = (
    "highest", "largest", "biggest", "greatest", "strongest", "longest", "tallest", "busiest", "best",
    "maximum", "deepest", "steepest", "richest", "warmest", "hottest", "widest", "fastest", "heaviest",
    "costliest", "priciest", "dearest", "peaked", "led", "leads", "leader", "most", "more than any other",
)  # fmt: skip
LOWEST = (
    "lowest", "smallest", "least", "fewest", "weakest", "shortest", "worst", "bottom", "minimum", "slowest",
    "narrowest", "shallowest", "coldest", "cheapest", "lightest", "poorest", "quietest", "calmest", "leanest",
    "emptiest", "thinnest", "tiniest", "less than any other", "fewer than any other",
)  # fmt: skip
HIGH, LOW = one_of(*HIGHEST), one_of(*LOWEST)
NOT_MOST = re.compile(
    r"\s(?:of(?!\s(?:any|all)\b(?!\s(?:the|our|its|their|these|those)\b))|recent\w*|notab\w+|famous|heavily|important"
    r"|likely|successful)\b"
)
OF_NUMBER = re.compile(r"\sof\s(?:the|all)\s(?:two|three|four|five|six|seven|eight|nine|ten)\b")
AT_MOST = re.compile(r"\b(?:at|the\sother)\s(?:the\s)?\Z", re.IGNORECASE)
# "The highest-grossing film" is the one that grossed most, "the lowest-risk business" not that of least risk.
OF_DEED = re.compile(
    r"-(?:chart|rank|gross|sell|scor|earn|finish|plac|rat|attend|view|watch|pay|poll)(?:t?ing|t?ed)\b",
    re.IGNORECASE,
)
# "By the narrowest of margins" ranks no figure.
OF_MARGINS = re.compile(r"\sof\s(?:all\s)?(?:margins|leads|majorities)\b", re.IGNORECASE)
NOT_LED = re.compile(
    r"\s(?:to|by|him|her|them|the(?!\s(?:team|side|squad|club|league|field|way|nation|country|conference)\b))\b",
    re.IGNORECASE,
)
# "Largest first", "from highest to lowest": the order of a list.
IN_ORDER = re.compile(r"\s(?:first(?=[,:;.)\n]|\Z)|to\s[a-z]+(?:est|st)\b)", re.IGNORECASE)
TO_END = re.compile(r"(?:st|most)\sto\s\Z", re.IGNORECASE)
# Everybody else ("than anywhere else", "every other region", "the rest").
_OTHERS = (
    r"(?:any\sother|any(?:where|one|body|thing)\selse|every(?:where|one|body|thing)?\s(?:else|other)|all\s(?:of\s)?(?:the\s)?others?"
    r"|all\s(?:the\s)?rest|the\s(?:rest|others))\b"
)
ANY_OTHER = re.compile(rf"\bthan\s{_OTHERS}", re.IGNORECASE)
BEATS_OTHERS = re.compile(
    rf"\b(?:(?P<ahead>{OUTDO}|ahead\sof|above)|(?P<behind>{TRAIL}|behind|below))\s"
    rf"(?!the\s(?:rest|others)){_OTHERS}",
    re.IGNORECASE,
)
SIZE = re.compile(
    r"\b(?:(?P<more>more|higher|larger|bigger|greater|longer|taller|heavier|busier|dearer|pricier)"
    r"|less|fewer|lower|smaller|shorter|lighter|cheaper)\b",
    re.IGNORECASE,
)
# "No depot made more than Breda", "nowhere is it lower than in Breda": Breda is at the end.
NONE_BEYOND = re.compile(
    r"\b(?:no(?:\sother)?\s[a-z]+|no\sone|nowhere|nothing|nobody|none)\b(?:\selse)?\s(?:[a-z]+\s){0,5}?"
    rf"(?:{SIZE.pattern}(?:\s[a-z]+){{0,3}}\sthan|(?P<beats>top|{OUTDO}))\b",
    re.IGNORECASE,
)
# "All the others made less than Breda".
OTHERS_LESS = re.compile(
    rf"\b{_OTHERS}\s(?:[a-z]+\s){{0,4}}?{SIZE.pattern}(?:\s[a-z]+){{0,3}}\sthan\b", re.IGNORECASE
)
# "Tops the table", "came out on top", "bottomed out at": of an end, whichever is the better one.
TOPS = re.compile(
    r"\b(?:(?:top|head)(?:s|ped|ed)\sthe\s(?:table|list|rankings?|league|chart|field)s?|number[\s-]one"
    r"|c[ao]mes?\s(?:out\s)?(?:on|at\sthe)\stop|(?:first|top)\s(?:place|spot|slot)|the\swinner\sis"
    r"|the\s(?:top|leading)\s(?:goal-?)?scorer"
    r"|un(?:matched|beaten|rivalled|surpassed)"
    r"|second\sto\snone|(?:top|max)(?:s|es|p?ed)\sout"
    r"|(?P<low>bottom(?:s|ed)\sout|bring(?:s|ing)?\sup\sthe\srear|(?:last|bottom)\s(?:place|spot|slot)))\b",
    re.IGNORECASE,
)
# "Is our top region".
TOP_ROW = re.compile(r"\b(?:the|our|its)\stop\s(?P<noun>[a-z]+)\b", re.IGNORECASE)
# Any other word of this ending: which end it means is open, and no row between the two ends is meant.
GRADE = re.compile(r"(?<![\w-])[a-z]{2,}[^\W\d_aeou]est(?![\w-])")
NO_GRADES = words(
    "interest disinterest request bequest conquest inquest forest harvest invest reinvest divest protest "
    "contest suggest honest dishonest modest immodest latest newest oldest youngest earliest nearest "
    "closest furthest farthest digest ingest arrest attest detest infest manifest midwest northwest "
    "southwest tempest earnest priest finest utmost crest quest guest chest unrest southeast breast feast "
    "fittest hardest simplest slightest"
)
NO_NOUNS = words("thousand hundred million point terms degree doubt chance idea way hour minute interest")
NEXT_WORD = re.compile(r"\s([a-z]+)")
APART = re.compile(r"[;:.()!?\d]|\b(?:and|but|while|whereas|yet)\b")
TOP_WORDS = words(
    "tops topped number comes came heads headed place winner unmatched unbeaten unrivalled unsurpassed none "
    "out rear else others other rest"
)
# One of these is in every sentence that says so.
BEATS = (*OUTDOES, "ahead", "above", "behind", "below")
ENDS = (
    "number", "head", "first ", "last ", "winner", "unmatched", "unbeaten", "unrivalled",
    "unsurpassed", "second", "max", "bottom", "rear",
)  # fmt: skip
NEAR = 60
Word = tuple[re.Match[str], bool]


def superlatives(text: str, sheet: Sheet, sentence: Sentence) -> Sequence[Word]:
    """Return each superlative of a sentence, and whether it means the highest, in order."""
    low = text[sentence.start : sentence.end].lower()
    found = [(m, True) for m in HIGH.finditer(text, sentence.start, sentence.end)]
    found += [(m, False) for m in LOW.finditer(text, sentence.start, sentence.end)]
    if "than" in low:
        found += _above_others(text, sentence, {m.end() for m, _ in found})
    if found:
        found = [word for word in found if not _is_weak(text, sentence, word[0])]
    if "than" in low or any(map(low.__contains__, BEATS)):
        found += _beyond(text, sentence)
    if "top" in low or any(map(low.__contains__, ENDS)):
        found += _on_top(text, sheet, sentence)
    if "est" in low:
        found += _graded(text, sentence)
    return sorted(found, key=_start) if len(found) > 1 else found


def _start(word: Word) -> int:
    return word[0].start()


def _above_others(text: str, sentence: Sentence, ends: set[int]) -> Iterator[Word]:
    """Yield "than any other" behind a word of size, which says whether it means the highest."""
    for other in ANY_OTHER.finditer(text, sentence.start, sentence.end):
        size = list(SIZE.finditer(text, max(sentence.start, other.start() - NEAR), other.start()))
        if size and other.end() not in ends:
            yield other, size[-1]["more"] is not None


def is_grade(word: str) -> bool:
    """Tell whether a superlative is of an adjective that may mean either end of a column."""
    return (
        word not in NO_GRADES
        and GRADE.fullmatch(word) is not None
        and not (HIGH.match(word) or LOW.match(word))
    )


def says_grade(vocabulary: frozenset[str]) -> bool:
    """Tell whether one of the words of a text is a superlative of an adjective, or may say "on top"."""
    return not TOP_WORDS.isdisjoint(vocabulary) or any(
        word.endswith("est") and is_grade(word) for word in vocabulary
    )


def is_of_all(word: str) -> bool:
    """Tell whether words set one row against all others, in the figure beside them."""
    return any(said.fullmatch(word) for said in (NONE_BEYOND, OTHERS_LESS, BEATS_OTHERS, ANY_OTHER, TOPS))


def is_top(word: str) -> bool:
    """Tell whether words say who comes first or last, which may be the smaller figure."""
    return TOPS.fullmatch(word) is not None


def _is_weak(text: str, sentence: Sentence, match: re.Match[str]) -> bool:
    """Tell whether a word is part of a name, or says nothing of all rows ("at most", "led to")."""
    word, before = match.group().lower(), text[max(0, match.start() - 12) : match.start()]
    if _is_named(sentence, match) or leads_list(text, match.start(), sentence):
        return True
    if word == "bottom" and END.search(text, max(sentence.start, match.start() - 12), match.end() + 1):
        return True
    if word in ("most", "least", "best", "worst") and AT_MOST.search(before):
        return True
    of_all = before.endswith(" the ") and OF_NUMBER.match(text, match.end())  # "the most of the four"
    if word in ("most", "least") and NOT_MOST.match(text, match.end()) and not of_all:
        return True
    if OF_MARGINS.match(text, match.end()) or IN_ORDER.match(text, match.end()) or TO_END.search(before):
        return True
    compound = text.startswith("-", match.end()) and not OF_DEED.match(text, match.end())
    return compound or (word == "led" and NOT_LED.match(text, match.end()) is not None)


def _is_named(sentence: Sentence, match: re.Match[str]) -> bool:
    """Tell whether a word stands inside the name of a row or a column, and no full name follows it."""
    named = any(m.start <= match.start() < m.end for m in (*sentence.rows, *sentence.columns))
    return named and not any(m.full and m.start == match.end() + 1 for m in sentence.columns)


def _beyond(text: str, sentence: Sentence) -> Iterator[Word]:
    """Yield words that set a row against all others ("none is above B", "beats every other")."""
    for beyond in NONE_BEYOND.finditer(text, sentence.start, sentence.end):
        yield beyond, beyond["more"] is not None or beyond["beats"] is not None
    for others in OTHERS_LESS.finditer(text, sentence.start, sentence.end):
        yield others, others["more"] is None
    for beaten in BEATS_OTHERS.finditer(text, sentence.start, sentence.end):
        yield beaten, beaten["ahead"] is not None


def _on_top(text: str, sheet: Sheet, sentence: Sentence) -> Iterator[Word]:
    """Yield words that put a row first or last ("tops the table", "our top region")."""
    for tops in TOPS.finditer(text, sentence.start, sentence.end):
        yield tops, tops["low"] is None
    labels = {word for key in sheet.keys for word in sheet.label_words[key]}
    for top in TOP_ROW.finditer(text, sentence.start, sentence.end):
        if stem(top["noun"].lower()) in labels and stem(top["noun"].lower()) == top["noun"].lower():
            yield top, True


def _graded(text: str, sentence: Sentence) -> Iterator[Word]:
    """Yield superlatives of any other adjective beside the name of a row ("the stickiest plan is Pro")."""
    for grade in GRADE.finditer(text, sentence.start, sentence.end):
        if is_grade(grade.group()) and not _is_named(sentence, grade) and _is_of_row(text, sentence, grade):
            yield grade, True


def _is_of_row(text: str, sentence: Sentence, grade: re.Match[str]) -> bool:
    """Tell whether a superlative stands beside the name of a row ("the dearest depot is Breda")."""
    noun = NEXT_WORD.match(text, grade.end())
    if noun is not None and noun[1] in NO_NOUNS:
        return False
    first = max(0, bisect_left(sentence.rows, grade.start(), key=lambda m: m.start) - 2)
    return any(_are_together(text, grade, (m.start, m.end)) for m in sentence.rows[first : first + 4])


def _are_together(text: str, grade: re.Match[str], named: Sequence[int]) -> bool:
    """Tell whether no pause and no number stands between a superlative and a name."""
    start, end = sorted((*named, *grade.span()))[1:3]
    return end - start <= NEAR and APART.search(text, start, end) is None
