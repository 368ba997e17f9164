"""Levels told as moves ("March added 8,610 members" of all that there were): the cell is none."""

import re

from gateway.ground.lexing.lexicon import TO_DATE, words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.flows import CAME_WORDS, COMING, GOING, JOIN, LEAVE, WENT_WORDS
from gateway.ground.table.sheet import Sheet

# What there is at one time, by its name alone.
STOCKS = words(
    "subscriber member customer user account client follower headcount staff employee workforce inventory "
    "stock backlog balance mrr arr fleet membership"
)
# Headers with one of these count what came or went, or what was done in the time.
FLOWS = words(
    "new net gross added gained won acquired lost churned churn cancelled canceled joined hired left "
    "signup activation active change growth turnover per rate average open opened closed received "
    "returning served reached cost spend spent orders visits sales paid upsell expansion contraction "
    "leaver joiner arrival departure moved sold"
)
AT_END = re.compile(
    r"\b(?:ending|closing|at\s(?:the\s)?(?:[a-z]+[\s-])?(?:end|close)|end\sof)\b", re.IGNORECASE
)
ADDED = re.compile(
    r"\b(?:add(?:ed|s|ing)?|gain(?:ed|s|ing)?|w[io]n(?:s|ning)?|acquir(?:ed|es|ing)|hir(?:ed|es|ing)|recruit(?:ed|s|ing)?"
    r"|sign(?:ed|s|ing)(?:\sup)?|(?:took|brought)\sin|attracted|lost|los(?:es?|ing)|shed)\s"
    r"(?:(?:another|a\sfurther|about|around|some|only|just|over|nearly|almost|as\smany\sas|an?|net)\s)*\W?\Z",
    re.IGNORECASE,
)
MOVED = re.compile(rf"\s(?:new\b|(?:[a-z]+\s){{1,2}}?(?:{LEAVE}|{JOIN})\b)", re.IGNORECASE)
# "14 of 982 members left": those there were.
OF_WHOLE = re.compile(r"\bof\s(?:the\s|its\s|our\s|their\s|all\s|some\s|about\s)*\Z", re.IGNORECASE)
_OTHERS = words(
    "new add adds gain gains win wins winning acquired acquires acquiring hires hiring recruits recruiting "
    "signs"
)
OPENERS = WENT_WORDS | CAME_WORDS | _OTHERS
REACH = 40


class Levels:
    """Reads which numbers of one text are told as what came or went, over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.text = spoken.text
        self.stocks = (
            frozenset(c for c in sheet.numeric if _is_stock(sheet, c))
            if spoken.says(OPENERS)
            else frozenset()
        )

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number shows how many there are where its clause says how many came or went."""
        quantity, cell = binding.quantity, binding.cell
        if cell is None or cell[1] not in self.stocks or quantity.slot is not None:
            return False
        before, after = neighbours(quantity, sentence)
        if ADDED.search(self.text, max(before, quantity.start - REACH), quantity.start):
            return True
        whole = OF_WHOLE.search(self.text, max(0, quantity.start - REACH), quantity.start)
        moved = MOVED.match(self.text, quantity.end, after) if whole is None else None
        if moved is None:
            return False
        # "930 users cancelled their subscription" where that is what the row counts
        own = (m for m in sentence.rows if m.full and cell[0] in m.rows)
        return not any(quantity.end < m.start < moved.end() for m in own)


def _is_stock(sheet: Sheet, column: int) -> bool:
    """Tell whether a column holds what there is at one time, by its label."""
    label = sheet.label(column)
    said = split_words(label)
    flows = not FLOWS.isdisjoint(said) or any(kind.search(label) for kind in (TO_DATE, GOING, COMING))
    return AT_END.search(label) is not None or (
        not flows and bool(said) and not STOCKS.isdisjoint((said[0], said[-1]))
    )
