"""What a reader of a draft sees, character by character, with the way back to the offsets of the draft."""

import html
import re
import unicodedata
from dataclasses import dataclass

BREAKING_TAGS = r"br|p|div|tr|td|th|li|ul|ol|table|h[1-6]|hr|section|article|blockquote|pre"
INLINE_TAGS = r"b|i|u|s|em|strong|span|code|small|big|sub|sup|mark|a|font|tt|kbd|del|ins|tbody|thead"
MARKUP = re.compile(
    r"(?P<comment><!--.*?(?:-->|\Z))"
    rf"|(?P<breaking></?(?:{BREAKING_TAGS})(?:\s[^<>]{{0,300}})?/?>)"
    rf"|(?P<inline></?(?:{INLINE_TAGS})(?:\s[^<>]{{0,300}})?/?>)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)"
    r"|(?P<wrapped>\\(?:text|mathrm|mathbf|textbf|textit|mathit|operatorname|emph)\s?\{)"
    r"|(?P<fraction>\\[dt]?frac\s?\{(?P<over>\d{1,12})\}\s?\{(?P<under>\d{1,12})\})"
    r"|(?P<gap>\\[,;:!]|\{,\})"
    r"|(?P<times>\\(?:times|cdot)(?![A-Za-z]))"
    r"|(?P<about>\\(?:approx|sim)(?![A-Za-z]))"
    r"|(?P<delimiter>\\[()\[\]])"
    r"|(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|(?P<emphasis>\*\*|__|~~|`+|(?<![\w*])[*_](?=[\w$€£¥(+.-])|(?<=[\w%).!?])[*_](?![\w*]))",
    re.DOTALL | re.IGNORECASE,
)
MARKED = re.compile(r"[<&\\{*_~`]")
RUN = re.compile(r"(?P<plain>[!-~ \n]+)|[^!-~ \n]")
MATH = re.compile(
    r"\$(?=[^$\n]{0,80}[\\^{])(?:\\(?:text|mathrm)\s?\{[^{}$]{0,30}\}|\\[A-Za-z]+|\\.|[\d\s.,+\-=<>^_{}%()~/]){1,80}\$"
)
# A space that only a tokeniser puts before a mark ("in 2004 , with 7 medals .").
LOOSE = re.compile(r"(?<=\S)[ \u00a0]+(?=[,;:.!?](?:\s|\Z))|(?<=[^\s] ) +|(?<=\() +")
GAPS = (" ,", " .", " ;", " :", " !", " ?", "  ", "( ", "\u00a0")
SPACES = frozenset("\u00a0\u202f\u2007\u2008\u2009\u200a\u2006")
BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
PLAIN = {
    "\u2212": "-", "\ufe63": "-", "\uff0d": "-", "\u2010": "-", "\u2011": "-", "\u2012": "\u2013",
    "\uff0c": ",", "\uff0e": ".", "\uff05": "%", "\u066a": "%", "\u066b": ".", "\u066c": ",", "\uff04": "$",
    "\uffe5": "\u00a5", "\uffe1": "\u00a3", "\uff0b": "+", "\uff08": "(", "\uff09": ")", "\u2044": "/",
    "\u2215": "/", "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2032": "'", "\u3000": " ", "\u20e3": "",
    "\u2192": " to ", "\u27f6": " to ", "\u2191": " up ", "\u2193": " down ", "\u25b2": " up ",
    "\u25bc": " down ",
    "\u2248": "~", "\u223c": "~", "\uff5e": "~", "\uff1a": ":",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Visible:
    """The visible text of a draft. Character `i` of `text` stands for `raw[starts[i]:ends[i]]`."""

    raw: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    controls: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the draft of `text[start:end]`, which must not be empty."""
        return self.starts[start], self.ends[end - 1]


class Writer:
    """Collects visible characters with the place each one came from."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.characters: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.controls: list[tuple[int, int]] = []

    def put(self, text: str, start: int, end: int) -> None:
        """Add what the reader sees for `raw[start:end]`."""
        for character in text:
            for shown in self._shown(character, start, end):
                self.characters.append(shown)
                self.starts.append(start)
                self.ends.append(end)

    def copy(self, raw: str, start: int, end: int) -> None:
        """Add `raw[start:end]` one character at a time."""
        for found in RUN.finditer(raw, start, end):
            first, last = found.span()
            if found.lastgroup == "plain":
                self.characters.append(found.group())
                self.starts.extend(range(first, last))
                self.ends.extend(range(first + 1, last + 1))
            else:
                self.put(found.group(), first, last)

    def _shown(self, character: str, start: int, end: int) -> str:
        """Return the plain form of one character; empty when it is invisible."""
        if character in PLAIN:
            return PLAIN[character]
        if character in SPACES:
            return "\u00a0"
        if character in "\t\r\f\v":
            return " "
        if character in BIDI:
            self.controls.append((start, end))
            return ""
        category = unicodedata.category(character)
        if category == "Cc" and character != "\n":
            self.controls.append((start, end))
            return ""
        if category == "Cf" or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
            return ""
        if category == "Nd":
            return str(unicodedata.decimal(character))
        return character


def see(draft: str) -> Visible:
    """Return what a reader sees: no markup, nothing invisible, digits of any script as 0 to 9."""
    writer = Writer()
    raw, hidden = draft, _math_delimiters(draft)
    place = 0
    for found in MARKUP.finditer(raw) if MARKED.search(raw) else ():
        _copy_around(writer, raw, place, found.start(), hidden)
        _put_markup(writer, found)
        place = found.end()
    _copy_around(writer, raw, place, len(raw), hidden)
    text = "".join(writer.characters)
    loose: set[int] = set()
    if any(map(text.__contains__, GAPS)):
        loose.update(at for found in LOOSE.finditer(text) for at in range(*found.span()))
    if loose:
        kept = [at for at in range(len(text)) if at not in loose]
        text = "".join(text[at] for at in kept)
        writer.starts, writer.ends = [writer.starts[at] for at in kept], [writer.ends[at] for at in kept]
    return Visible(raw, text, tuple(writer.starts), tuple(writer.ends), tuple(writer.controls))


def _math_delimiters(draft: str) -> frozenset[int]:
    """Return the places of the dollar signs that only open or close mathematics."""
    places: set[int] = set()
    for found in MATH.finditer(draft):
        places.update((found.start(), found.end() - 1))
        inside = draft[found.start() : found.end()]
        if "{" in inside:
            places.update(found.start() + at for at, character in enumerate(inside) if character in "{}")
    return frozenset(places)


def _copy_around(writer: Writer, raw: str, start: int, end: int, hidden: frozenset[int]) -> None:
    for place in sorted(at for at in hidden if start <= at < end) if hidden else ():
        writer.copy(raw, start, place)
        start = place + 1
    writer.copy(raw, start, end)


def _put_markup(writer: Writer, found: re.Match[str]) -> None:
    """Add what one piece of markup shows."""
    text, kind, start, end = found.group(), found.lastgroup, found.start(), found.end()
    if kind == "entity":
        shown = html.unescape(text)
        if not shown:
            writer.controls.append((start, end))
        writer.put(shown, start, end)
    elif kind == "breaking":
        writer.put("\n", start, end)
    elif kind == "escaped":
        writer.put(text[1:], start, end)
    elif kind == "gap":
        writer.put("," if text == "{,}" else "\u00a0", start, end)
    elif kind == "times":
        writer.put("\u00d7", start, end)
    elif kind == "about":
        writer.put("~", start, end)
    elif found.group("fraction"):
        writer.put(f"{found.group('over')}/{found.group('under')}", start, end)
