"""A question laid out in pieces: names, periods, operators, empty words, and what is unexplained."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gateway.ground.lexing.lexicon import words
from gateway.intake.grammar import FUNCTION_WORDS, INTERJECTIONS, LONGEST, NUMBERS, PHRASES
from gateway.intake.prepared import Meaning, Prepared
from gateway.intake.tokens import Token, key_of, tokens
from metric_layer.asked_periods import Phrase
from metric_layer.visible import Visible

PieceKind = Literal["name", "period", "operator", "number", "empty", "sign", "unknown"]
UNEXPLAINED, NUMBER, ONE_PIECE, ROUGHLY = 1000.0, 500.0, 10.0, 0.1
PRONOUNS = words("us me my we it am our")
GIVES = words("give show tell let send get bring provide lets of gives shows help did do can could how")
ASKS = frozenset(("", *words("please you to i we me")))
LEADS_NAME = words("in the for from within across by per of excluding except without outside only or not")


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens `first` to before `after`, read as one thing. `code` is an operator's; `number` a count's."""

    kind: PieceKind
    first: int
    after: int
    text: str
    meanings: tuple[Meaning, ...] = ()
    period: Phrase | None = None
    code: str = ""
    number: int = 0
    plural: bool = False
    by_pattern: bool = False

    def of(self, *kinds: str) -> tuple[Meaning, ...]:
        """Return the meanings of some kinds."""
        return tuple(meaning for meaning in self.meanings if meaning.kind in kinds)


@dataclass(frozen=True, slots=True)
class Laid:
    """A question in tokens and pieces, with the terms of the team that were met."""

    text: str
    tokens: tuple[Token, ...]
    pieces: tuple[Piece, ...]
    used_terms: tuple[tuple[str, str], ...]

    def span(self, piece: Piece) -> tuple[int, int]:
        """Return the characters of a piece."""
        return self.tokens[piece.first].start, self.tokens[piece.after - 1].end


class Layout:
    """Lays out questions over a prepared layer for one caller; `terms` are the team's own words and codes."""

    def __init__(self, words: Prepared, visible: Visible, terms: Mapping[str, str]) -> None:
        self._words = words
        self._visible = visible
        self._terms = {key_of(term)[1]: (term, code) for term, code in terms.items() if key_of(term)[1]}
        self._longest = max([words.longest, LONGEST, *(len(key.split()) for key in self._terms)])

    def lay(self, text: str, periods: Sequence[Phrase]) -> Laid:
        """Return the pieces that explain most words, in as few pieces as can be."""
        cut = tokens(text)
        found: list[list[Piece]] = [[] for _ in cut]
        for start in range(len(cut)):
            found[start].extend(self._at(cut, start, text))
        for period in periods:
            covered = [
                n for n, token in enumerate(cut) if token.start < period.end and token.end > period.start
            ]
            if covered:
                first, after = covered[0], covered[-1] + 1
                found[first].append(Piece("period", first, after, period.text, period=period))
        pieces = _merged(_cheapest(cut, found), text, cut)
        pieces = self._same_thing(pieces, [piece for at in found for piece in at], text, cut)
        used = {
            self._terms[key]
            for piece in pieces
            if piece.kind == "name" and (key := key_of(piece.text)[1]) in self._terms
            if self._coded(self._terms[key][1])
        }
        return Laid(text, cut, tuple(pieces), tuple(sorted(used)))

    def _at(self, cut: Sequence[Token], start: int, text: str) -> Iterator[Piece]:
        """Yield every reading of the tokens from one place on."""
        if cut[start].is_sign:
            yield Piece("sign", start, start + 1, cut[start].text)
            return
        if start == 0 and cut[0].low in INTERJECTIONS and (len(cut) == 1 or cut[1].is_sign):
            yield Piece("empty", 0, 1, cut[0].text)
        low, fold = "", ""
        for after in range(start + 1, min(start + self._longest, len(cut)) + 1):
            token = cut[after - 1]
            if token.is_sign:
                break
            low, fold = f"{low} {token.low}".lstrip(), f"{fold} {token.fold}".lstrip()
            said = text[cut[start].start : token.end]
            yield from self._names(cut, start, after, (low, fold), said)
            if low in PHRASES:
                code = PHRASES[low]
                plural = code.startswith("unit:") and token.fold != token.low
                kind: PieceKind = "empty" if code == "empty" else "operator"
                yield Piece(kind, start, after, said, code=code, plural=plural)
        yield from self._shared_end(cut, start)
        number = NUMBERS.get(cut[start].low) or (int(cut[start].low) if cut[start].low.isdecimal() else 0)
        if number:
            yield Piece("number", start, start + 1, cut[start].text, number=number)

    def _names(
        self, cut: Sequence[Token], start: int, after: int, keys: tuple[str, str], said: str
    ) -> Iterator[Piece]:
        low, fold = keys
        plural = cut[after - 1].low != cut[after - 1].fold
        if fold in self._terms:
            meanings = self._coded(self._terms[fold][1])
            if meanings:
                yield Piece("name", start, after, said, meanings, plural=plural)
                return
        meanings = self._seen(self._words.exact.get(low, ()))
        alone = after == start + 1 and low in FUNCTION_WORDS
        code = self._standing(cut, start, meanings) if meanings and alone else ""
        if code == "no_name":
            return
        if not meanings and not alone:
            meanings = self._seen(self._words.folded.get(fold, ()))
            meanings = (*meanings, *self._rivals(cut[start + 1 : after], meanings))
        if meanings:
            yield Piece("name", start, after, said, meanings, code=code, plural=plural)
        elif after - start <= 3:
            patterned = tuple(self._words.value_of(" ".join(said.split()), self._visible))
            if patterned:
                yield Piece("name", start, after, said, patterned, by_pattern=True)

    def _rivals(self, rest: Sequence[Token], meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
        """Return the metric that a misnumbered name ends with: "average baskets" may be about baskets."""
        ends = self._words.exact.get(" ".join(token.low for token in rest), ()) if meanings else ()
        return tuple(m for m in self._seen(ends) if m.kind == "metric" and m not in meanings)

    def _shared_end(self, cut: Sequence[Token], start: int) -> Iterator[Piece]:
        """Yield "net" of "net and gross revenue" as the metric it is short for."""
        if start + 3 >= len(cut) or cut[start + 1].low not in ("and", "or", ","):
            return
        other = cut[start + 2 : start + 4]
        exact = self._words.exact
        both = (f"{cut[start].low} {other[1].low}", f"{other[0].low} {other[1].low}")
        first, second = (
            tuple(m for m in self._seen(exact.get(key, ())) if m.kind == "metric") for key in both
        )
        if first and second:
            yield Piece("name", start, start + 1, cut[start].text, first, code="shared")

    def _standing(self, cut: Sequence[Token], start: int, meanings: tuple[Meaning, ...]) -> str:
        """Say how a word of the language that is a name too ("us") is meant; empty: as the name."""
        token, before = cut[start], cut[start - 1].low if start else ""
        if any(meaning.kind != "value" for meaning in meanings) or (
            token.text.isupper() and len(token.text) > 1
        ):
            return ""
        if token.low in PRONOUNS:
            return "no_name" if before in GIVES else "" if before in ("in", "the", "within") else "doubtful"
        if len(token.low) == 2 or PHRASES[token.low] == "in":
            return "" if before == "the" else "no_name"
        if PHRASES[token.low] == "empty":
            return "doubtful" if before in ASKS else ""
        return "" if before in LEADS_NAME else "doubtful"

    def _seen(self, meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
        shown = (self._words.as_shown(meaning, self._visible) for meaning in meanings)
        return tuple(meaning for meaning in shown if meaning is not None)

    def _coded(self, code: str) -> tuple[Meaning, ...]:
        """Return what a team's code stands for: a metric, a dimension, or dimension:value."""
        layer = self._words.layer
        dimension, _, value = code.partition(":")
        if value and dimension in layer.dimensions:
            return self._seen((Meaning("value", value, dimension),))
        if code in layer.metrics:
            return self._seen((Meaning("metric", code),))
        return self._seen((Meaning("dimension", code, code),)) if code in layer.dimensions else ()

    def _same_thing(
        self, pieces: list[Piece], found: Sequence[Piece], text: str, cut: Sequence[Token]
    ) -> list[Piece]:
        """Put words to a name beside them where both say the same thing ("average basket value")."""
        names = [piece for piece in found if piece.kind == "name"]
        result: list[Piece] = []
        for place, piece in enumerate(pieces):
            if piece.kind not in ("unknown", "operator", "empty"):
                result.append(piece)
                continue
            beside = [*result[-1:], *pieces[place + 1 : place + 2]]
            overlap = next(
                (
                    near
                    for near in beside
                    if near.kind == "name"
                    and any(
                        other.meanings == near.meanings
                        and other.first <= piece.first
                        and piece.after <= other.after
                        and other.first < near.after
                        and near.first < other.after
                        for other in names
                    )
                ),
                None,
            )
            if overlap is None:
                result.append(piece)
            elif result and overlap is result[-1]:
                said = text[cut[overlap.first].start : cut[piece.after - 1].end]
                result[-1] = replace(overlap, after=piece.after, text=said)
            else:
                pieces[place + 1] = replace(
                    overlap, first=piece.first, text=text[cut[piece.first].start : cut[overlap.after - 1].end]
                )
        return result


def _cheapest(cut: Sequence[Token], found: Sequence[Sequence[Piece]]) -> list[Piece]:
    """Return the pieces that leave least unexplained, then the fewest, then the longest first."""
    best: list[tuple[float, Piece | None]] = [(0.0, None)] * (len(cut) + 1)
    for start in range(len(cut) - 1, -1, -1):
        unknown = Piece("unknown", start, start + 1, cut[start].text)
        choices = [(UNEXPLAINED + best[start + 1][0], 0, unknown)]
        choices.extend(
            (_cost(piece, cut) + best[piece.after][0], -piece.after, piece) for piece in found[start]
        )
        cost, _, piece = min(choices, key=lambda choice: (round(choice[0], 3), choice[1]))
        best[start] = (cost, piece)
    pieces: list[Piece] = []
    place = 0
    while place < len(cut):
        chosen = best[place][1]
        if chosen is None:
            break
        pieces.append(chosen)
        place = chosen.after
    return pieces


def _cost(piece: Piece, cut: Sequence[Token]) -> float:
    if piece.kind == "number":
        return NUMBER
    if piece.kind == "sign":
        return 0.0
    cost = ONE_PIECE
    if piece.kind == "period":
        vague = piece.period is not None and piece.period.fault == "vague_time"
        cost += 2 * ROUGHLY if vague else -ROUGHLY
    elif piece.kind == "name":
        exact = " ".join(token.low for token in cut[piece.first : piece.after])
        same = " ".join(token.fold for token in cut[piece.first : piece.after])
        cost += -ROUGHLY if piece.code == "shared" else 0.0 if exact == same else ROUGHLY / 10
    else:
        cost += ROUGHLY / 2
    return cost


def _merged(pieces: Sequence[Piece], text: str, cut: Sequence[Token]) -> list[Piece]:
    """Return pieces with unexplained words that stand together put together."""
    merged: list[Piece] = []
    for piece in pieces:
        before = merged[-1] if merged else None
        if before is not None and before.kind == piece.kind == "unknown":
            said = text[cut[before.first].start : cut[piece.after - 1].end]
            merged[-1] = replace(before, after=piece.after, text=said)
        else:
            merged.append(piece)
    return merged
