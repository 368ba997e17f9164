"""Figures of opposite meaning that are crossed ("spent" what came in, "closed" what was opened)."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.sheet import Sheet

# Each group holds sides that exclude each other: the words that say a side, and the headers that mean it.
GROUPS: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        (
            r"spen[dt]s?|spending|costs?|costing|paid(?!\s(?:back|off))|pays?|paying|invest(?:ed|s|ing)?|outlays?",
            r"spen[dt]|cost|expens|outlay|paid|invest",
        ),
        (
            r"(?:got|gets?)\spaid|paid\s(?:back|off)|got|gets?|getting|earn(?:s|ed|ing|ings)?|brought|brings?|bringing"
            r"|returned|returns|recouped|generat(?:ed|es|ing)|ma(?:de|kes?|king)(?!\sup)|yield(?:ed|s)?|took|grossed|netted"
            r"|revenues?|takings|income|proceeds",
            r"revenue|\bsales\b|income|takings|turnover|earn|proceeds|\breturn\b",
        ),
    ),
    (
        (
            r"opened|open|received|created|raised|logged|c[ao]me\sin|arrived|reported|submitted|incoming",
            r"opened|received|created|raised|logged|reported|submitted|incoming",
        ),
        (
            r"closed|closing|resolv(?:ed|es|ing)|solv(?:ed|es|ing)|complet(?:ed|es|ing)|settled|cleared|handled|answered|fixed",
            r"closed|resolved|solved|completed|settled|cleared|handled|answered|fixed",
        ),
    ),
    (
        (
            r"hir(?:ed|es?|ing)|join(?:ed|s|ers|ing)?|recruit(?:ed|s|ing)?|took\son|arrivals",
            r"\bhire|joined|joiners|recruit|starters|arrivals",
        ),
        (
            r"left|leavers|leav(?:es?|ing)|quit|depart(?:ed|ures|ing)|resign(?:ed|ing|ations)?|lost|losing|lose|exits?",
            r"\bleft\b|leaver|depart|\bexits?\b|resign|attrition",
        ),
    ),
    (
        (
            r"sent(?!\sback)|shipped|ships|shipping|dis?e?patched|export(?:ed|s)?|outgoing|outbound",
            r"\bsent\b|shipped|dis?e?patched|export|outbound|outgoing",
        ),
        (
            r"receiv(?:ed|es|ing)|took\sin|takes\sin|import(?:ed|s)?|got|incoming|inbound",
            r"received|receipts|import|inbound|incoming",
        ),
    ),
    (
        (r"book(?:ed|s|ings?)|signed", r"booked|booking"),
        (r"bill(?:ed|s|ings?)|invoic(?:ed|es|ing)", r"billed|billing|invoic"),
        (r"collect(?:ed|s|ions?|ing)", r"collect"),
    ),
    (
        (r"bought|buys?|sold|sells?|purchas(?:ed|es|ing)", r"\bsold\b|bought|purchas"),
        (
            r"returned|returns|(?:sent|brought|gave|c[ao]me|comes)\sback|refund(?:ed|s)?",
            r"returned|\breturns\b|refund",
        ),
    ),
    (
        (
            r"w[io]n(?:s|ning)?|gain(?:ed|s|ing)?|add(?:ed|s|ing)?|acquir(?:ed|es|ing)",
            r"\bnew\b|\bwon\b|gain|added|acquired",
        ),
        (
            r"lost|los(?:es?|ing)|churn(?:ed)?|cancel(?:l?ed|s|l?ing|lations)",
            r"\blost\b|churned|cancel|losses",
        ),
    ),
    (
        (
            r"c[ao]me\sin|flow(?:ed|s)\sin|took\sin|(?:put|paid)\sin|deposit(?:ed|s)?|inflows?",
            r"inflow|deposit|cash\sin\b",
        ),
        (
            r"paid\sout|w[ea]nt\sout|flow(?:ed|s)\sout|withdr[ae]w\w*|outflows?",
            r"outflow|withdraw|cash\sout\b",
        ),
    ),
    ((r"admi(?:ts?|tted|ssions?)", r"admi(?:tted|ssion)"), (r"discharg(?:ed|es|ing)", r"discharg")),
    (
        (r"arriv(?:ed|es|als?|ing)|landed", r"arriv|landed"),
        (r"depart(?:ed|s|ures?|ing)|took\soff", r"depart"),
    ),
    ((r"issu(?:ed|es|ing)", r"issued"), (r"redeem(?:ed|s|ing)|redemptions?", r"redeem|redempt")),
    (
        (r"produc(?:ed|es|ing)|built|made|makes", r"produced|\bgood\b|built|output"),
        (r"scrap(?:ped|s|ping)?|threw\saway|reject(?:ed|s)", r"scrap|reject"),
    ),
    (
        (r"approv(?:ed|es|als|ing)|accept(?:ed|s)|grant(?:ed|s)", r"approv|accepted|granted"),
        (
            r"reject(?:ed|s|ing|ions)|refus(?:ed|es|ing)|turned\sdown|denied"
            r"|declined(?!\s(?:to|by|from|in|over|[a-z]+ly)\b)(?!\s[\d.]+%(?!\sof))",
            r"reject|declined|refused|denied",
        ),
    ),
    ((r"pass(?:ed|es)?", r"\bpass(?:ed|es)?\b"), (r"fail(?:ed|s|ing|ures)?", r"fail")),
    ((r"start(?:ed|s)?|began", r"\bstart"), (r"finish(?:ed|es)?|complet(?:ed|es|ions)", r"finish|complet")),
)  # fmt: skip
TURNS = re.compile(r"[;:]|\b(?:but|while|whereas)\b", re.IGNORECASE)
# "7 members cancelled and 9 joined": each number has its verb behind it.
OWN_VERB = re.compile(r"(?:\s[a-z-]+)?\s(?:[a-z]+ed|left|quit|came|went)\b", re.IGNORECASE)
AND = re.compile(r",|\band\b", re.IGNORECASE)
# "Members paid 40 at the door": what they spend is what others take in.
PAYERS = re.compile(
    r"\b(?:customers|clients|users|members|subscribers|visitors|guests|passengers|riders|travell?ers|students|pupils|tenants|residents"
    r"|shoppers|buyers|readers|viewers|donors|attendees|patients|players|adults|children|families|couples)\s\Z",
    re.IGNORECASE,
)
PAY = ("paid", "pay", "spen")
# "Fees of 50 in Leeds cost just 3": the verb right before the next number is that one's.
VERB_OF_NEXT = re.compile(
    r"\s[a-z]+(?:\s(?:in|us|just|only|about|some|over|back|out))*\s\W?\Z", re.IGNORECASE
)
# Where the words behind a number end that may say what became of it.
ENDS = re.compile(r"[,;:!?\n()]|\.(?:\s|\Z)|\b(?:and|but|while|whereas|against|versus|vs)\b", re.IGNORECASE)


class Group(NamedTuple):
    """Sides of one kind that a sheet has: what says each of them, and the columns of each."""

    said: re.Pattern[str]
    columns: tuple[frozenset[int], ...]


class Opposites:
    """Reads which of several sides the words around numbers say, for one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = spoken.text
        headed = {c: found for c in sheet.numeric if (found := _headed(sheet.label(c)))}
        meant = sorted({group for found in headed.values() for group, _ in found})
        every = (_group(group, headed) for group in meant) if len(headed) > 1 else ()
        self.groups = [group for group in every if group is not None]

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number shows the figure of one side where its clause says another."""
        cell, quantity = binding.cell, binding.quantity
        if cell is None or quantity.slot is not None or not self.groups:
            return False
        for group in self.groups:
            own = next((side for side, columns in enumerate(group.columns) if cell[1] in columns), -1)
            said = self._said(group, binding, sentence) if own >= 0 else -1
            if said not in (-1, own) and self._may_be(group.columns[said], cell):
                return True
        return False

    def _may_be(self, columns: frozenset[int], cell: tuple[int, int]) -> bool:
        """Tell whether the other side has a figure of the same kind in the row."""
        measured = self.sheet.measured
        return any(
            measured[c] == measured[cell[1]] and self.sheet.number(cell[0], c) is not None for c in columns
        )

    def _said(self, group: Group, binding: Binding, sentence: Sentence) -> int:
        """Return the side that the last word before a number says, else the first behind it; -1 for none."""
        quantity = binding.quantity
        before, after = neighbours(quantity, sentence)
        turns = list(TURNS.finditer(self.text, before, quantity.start))
        if not turns and before > sentence.start and OWN_VERB.match(self.text, quantity.end, after):
            turns = list(AND.finditer(self.text, before, quantity.start))
        led = self._sides(group, sentence, turns[-1].end() if turns else before, quantity.start)
        end = ENDS.search(self.text, quantity.end, after)
        until = end.start() if end else after
        if end is None and after < sentence.end:
            verb = VERB_OF_NEXT.search(self.text, quantity.end, after)
            until = verb.start() if verb else after
        behind = self._sides(group, sentence, quantity.end, until)
        own = [
            side for side, columns in enumerate(group.columns) if binding.cell and binding.cell[1] in columns
        ]
        if led and own and own[0] in behind:
            return own[0]
        return led[-1] if led else behind[0] if behind else -1

    def _sides(self, group: Group, sentence: Sentence, start: int, end: int) -> list[int]:
        """Return the sides that words of a stretch say, in order; names of rows say none."""
        found: list[int] = []
        for said in group.said.finditer(self.text, start, end):
            first = max(0, bisect_left(sentence.rows, said.start(), key=lambda m: m.start) - 2)
            near = sentence.rows[first : first + 5]
            pays = said.group().lower().startswith(PAY) and PAYERS.search(
                self.text[max(0, said.start() - 16) : said.start()]
            )
            if not (pays or any(m.start <= said.start() < m.end for m in near)):
                found.append(int((said.lastgroup or "s0")[1:]))
        return found


@lru_cache(maxsize=1024)
def _headed(label: str) -> Sequence[tuple[int, int]]:
    """Return (group, side) of the sides that a header means."""
    return tuple(
        (group, side)
        for group, sides in enumerate(GROUPS)
        for side, (_, said) in enumerate(sides)
        if re.search(said, label, re.IGNORECASE)
    )


@lru_cache(maxsize=len(GROUPS))
def _said_of(group: int) -> re.Pattern[str]:
    """Return the words that say each side of a group."""
    told = "|".join(f"(?P<s{side}>{said})" for side, (said, _) in enumerate(GROUPS[group]))
    return re.compile(rf"\b(?:{told})\b", re.IGNORECASE)


def _group(group: int, headed: Mapping[int, Sequence[tuple[int, int]]]) -> Group | None:
    """Return those sides that a sheet has a column of, and of no other one; None where it is one side."""
    meant = {c: [side for of, side in found if of == group] for c, found in headed.items()}
    sides = range(len(GROUPS[group]))
    columns = tuple(frozenset(c for c, own in meant.items() if own == [side]) for side in sides)
    return Group(_said_of(group), columns) if sum(map(bool, columns)) > 1 else None
