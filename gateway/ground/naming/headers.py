"""How readers say what a column header shortens or dates: "points" for Pts, "in 2013" for Passengers 2013."""

import re
from collections.abc import Iterable, Iterator, Mapping

from gateway.ground.lexing.lexicon import words

# Headers of result lists that no rule of spelling leads to.
SHORT: Mapping[str, frozenset[str]] = {
    "ow": words("won win wins winning victory victories"),
    "ol": words("lost lose losing loss losses defeat defeats"),
    "ot": words("tied tie ties drew drawn draw draws"),
    "gc": words("games coached"),
    "w": words("won win wins winning victory victories"),
    "wins": words("won winning victories"),
    "won": words("wins winning victories"),
    "l": words("lost lose losing loss losses defeat defeats"),
    "losses": words("lost losing defeats"),
    "lost": words("losses losing defeats"),
    "d": words("drew drawn drawing draw draws"),
    "drawn": words("drew drawing draw draws"),
    "t": words("tied tie ties drew drawn draw draws"),
    "p": words("played games matches appearances"),
    "pld": words("played games matches"),
    "played": words("games matches"),
    "matches": words("games tests played appearances"),
    "games": words("matches played appearances"),
    "hundreds": words("centuries hundred century"),
    "100s": words("centuries century"),
    "100": words("centuries century"),
    "50s": words("fifties"),
    "admissions": words("tickets viewers visitors"),
    "margin": words("strokes majority"),
    "duration": words("lasted lasts lasting"),
    "distance": words("away"),
    "m": words("matches played games appearances"),
    "mp": words("played games matches"),
    "gs": words("started starts"),
    "starts": words("started"),
    "ast": words("assists"),
    "asts": words("assists assist"),
    "so": words("strikeouts strikeout"),
    "bb": words("walks"),
    "subs": words("substitute substitutes substitutions"),
    "pim": words("penalty penalties"),
    "gp": words("played games matches appearances"),
    "g": words("goals games matches"),
    "gf": words("scored scoring goals for"),
    "f": words("scored scoring"),
    "pf": words("scored scoring"),
    "ga": words("conceded conceding allowed"),
    "a": words("conceded conceding against assists"),
    "pa": words("conceded allowed"),
    "gd": words("difference"),
    "diff": words("difference"),
    "+/-": words("difference"),
    "joined": words("join joins joining"),
    "left": words("leave leaves leaving departed quit"),
    "joiners": words("hired joined started hires recruits"),
    "hires": words("accepted joined hired starters"),
    "applications": words("applicants candidates applied"),
    "cancellations": words("cancelled canceled quit"),
    "plan": words("budget budgeted"),
    "apps": words("appearances games matches caps appeared played"),
    "caps": words("appearances games matches played"),
    "td": words("touchdown touchdowns"),
    "hr": words("homer homers"),
    "ppg": words("points"),
    "mpg": words("minutes"),
    "rpg": words("rebounds"),
    "apg": words("assists"),
    "population": words("inhabitants residents people"),
    "pop": words("inhabitants residents people population"),
    "inhabitants": words("population residents people"),
    "residents": words("population inhabitants people"),
    "houses": words("homes households dwellings"),
    "homes": words("houses households dwellings"),
    "appearances": words("games matches caps played appeared"),
    "fatalities": words("deaths died killed dead lives"),
    "wounded": words("injured hurt"),
    "seats": words("seating passengers carry carries accommodates holds capacity"),
    "ridership": words("passengers riders travellers travelers boardings"),
    "riders": words("passengers travellers travelers"),
    "boardings": words("passengers riders"),
    "stations": words("stops"),
    "stops": words("stations"),
    "theaters": words("theatres cinemas screens"),
    "theatres": words("theaters cinemas screens"),
    "screens": words("theaters theatres cinemas"),
    "tracks": words("songs"),
    "songs": words("tracks"),
    "runtime": words("minutes long lasts lasted"),
    "circulation": words("copies"),
    "nominations": words("nominated"),
    "produced": words("built made examples"),
    "production": words("produced built made output"),
    "output": words("produced production"),
    "freight": words("cargo"),
    "cargo": words("freight"),
    "beam": words("wide"),
    "draught": words("deep"),
    "speed": words("fast"),
    "complement": words("crew sailors"),
    "winnings": words("won earned earnings prize"),
    "prize": words("won earned winnings received"),
    "attendance": words("spectators crowd fans people attended"),
    "viewers": words("watched viewership audience seen people"),
    "customers": words("accounts clients buyers"),
    "accounts": words("customers clients"),
    "passengers": words("travellers travelers riders people carried carries carrying"),
    "visitors": words("people guests tourists"),
    "cards": words("booked bookings cautioned cautions"),
    "yellow": words("booked bookings cautioned cautions"),
    "gross": words("grossed grossing earned earning earns takings"),
    "budget": words("cost costing costs"),
    "enrollment": words("students pupils learners enrolled"),
    "enrolment": words("students pupils learners enrolled"),
    "students": words("pupils learners"),
    "pupils": words("students learners"),
    "capacity": words("seats seating seat passengers carry carries holds accommodates"),
    "displacement": words("displaced displaces displacing"),
    "density": words("dense densely denser densest"),
    "sales": words("sold sell sells selling copies"),
    "churned": words("lost lose loses losing left leave leaves leaving"),
    "churn": words("lost lose loses losing left leave leaves leaving"),
    "new": words("added gained signed"),
    "cancelled": words("lost left churned cancellations cancellation"),
    "delayed": words("late delays delay"),
    "declined": words("refusals refused rejected rejections"),
    "rejected": words("refusals refused declined"),
    "leavers": words("lost left leaving departed departures quit"),
    "headcount": words("people staff employees workers employed"),
    "goals": words("scored scoring netted netting"),
    "deaths": words("died killed dead lives"),
    "service": words("operates operate operated operating fleet flies fly runs"),
    "backlog": words("waiting pending outstanding queue queued queueing unresolved unanswered"),
    "actual": words("cost costs costing"),
    "active": words("operates operate operating fleet"),
    "loans": words("lent loaned lending borrowed borrowings"),
    "rentals": words("rented renting hired"),
    "births": words("born"),
    "donations": words("donated gave given gifts"),
    "purchases": words("bought purchased"),
    "deliveries": words("delivered delivering"),
    "arrivals": words("arrived arriving"),
    "defects": words("defective faulty bad flawed"),
    "departures": words("departed departing left"),
    "complaints": words("complained"),
    "thefts": words("stolen"),
    "killed": words("died deaths dead"),
    "starters": words("field started"),
    "runners": words("finalists finalist"),
    "score": words("points"),
    "lives": words("died killed dead deaths"),
    "injured": words("wounded hurt injuries"),
    "employees": words("staff workers employed people"),
    "staff": words("people employees workers"),
    "workers": words("people employees staff men employed workforce"),
    "households": words("homes houses families"),
    "floors": words("storeys storey stories story"),
    "storeys": words("floors floor stories story"),
    "stories": words("floors floor storeys storey"),
    "evas": words("spacewalks spacewalk"),
    "length": words("long"),
    "height": words("tall high"),
    "width": words("wide"),
    "depth": words("deep"),
    "earnings": words("earned earning earns"),
    "income": words("earned earning earns"),
    "salary": words("earned earning earns paid"),
    "price": words("priced cost costs"),
    "cost": words("costing costs paid"),
    "spend": words("spent spending"),
    "males": words("men boys"),
    "male": words("men boys"),
    "females": words("women girls"),
    "female": words("women girls"),
    "votes": words("ballots voters"),
    "crew": words("sailors complement"),
    "for": words("scored scoring"),
    "elected": words("won seats seat members"),
    "office": words("grossed grossing earned"),
    "elevation": words("altitude elevated height high rises rise rising"),
    "against": words("conceded conceding allowed allowing"),
    "total": words("overall altogether medals"),
    "weight": words("weighs weighed weighing"),
    "highest": words("high peak"),
    "lowest": words("low"),
    "gt": words("ton tons tonnage"),
    "%": words("percent share"),
}
# Letters that are codes only beside others of the same game ("W" beside "O" and "R": wickets, no wins).
NO_CODES: frozenset[str] = frozenset()
BOWLING = words("o ov overs econ")
CODES: Mapping[str, tuple[str, frozenset[str]]] = {
    "wickets": ("w", BOWLING), "wicket": ("w", BOWLING), "runs": ("r", BOWLING), "maidens": ("m", BOWLING),
    "overs": ("o", BOWLING),
}  # fmt: skip
CODED = BOWLING | {code for code, _ in CODES.values()}
# The places that charts and result lists shorten in their headers, and how a sentence names them.
PLACES: Mapping[str, tuple[str, ...]] = {
    "us": ("United States", "American"), "usa": ("United States", "American"),
    "uk": ("United Kingdom", "Britain", "British"), "ire": ("Ireland", "Irish"),
    "aus": ("Australia", "Australian"),
    "can": ("Canada", "Canadian"), "nz": ("New Zealand",), "ger": ("Germany", "German"),
    "fra": ("France", "French"), "ita": ("Italy", "Italian"), "spa": ("Spain", "Spanish"),
    "aut": ("Austria", "Austrian"), "swi": ("Switzerland", "Swiss"), "sui": ("Switzerland", "Swiss"),
    "swe": ("Sweden", "Swedish"), "nor": ("Norway", "Norwegian"), "den": ("Denmark", "Danish"),
    "fin": ("Finland", "Finnish"), "bel": ("Belgium", "Belgian"), "ned": ("Netherlands", "Dutch"),
    "nld": ("Netherlands", "Dutch"), "jpn": ("Japan", "Japanese"), "sco": ("Scotland", "Scottish"),
    "eu": ("European Union",), "uae": ("United Arab Emirates",),
}  # fmt: skip
VOWELS = frozenset("aeiou")
# Behind a name these are a unit ("Height (m)"); alone they shorten a word.
UNIT_LETTERS = frozenset("mt")
TOKEN = re.compile(r"[^\W\d_]+\.?|%|\+\s?/\s?[-\u2212\u2013]")
HUNDREDS = re.compile(r"\A(?:100|50)s?\Z")
# What a rate is of is no figure of its own ("% of population").
BASE_OF = re.compile(r"(%|\bpercent(?:age)?|\bshare)\sof\s.*", re.IGNORECASE)
OF_PERCENT = re.compile(r"(?P<word>[^\W\d_]{3,})\s?(?:%|pct\.?|\(%\))", re.IGNORECASE)
BASE = re.compile(r"[\s(\[,\u2013\u2014:-]+\Z|\A[\s)\],\u2013\u2014:-]+")


PLAYED, PLAYED_BY = words("games matches"), words("gp games apps mp pld matches")
GOALS = words("g a")
COSTS, CAME = words("cost costs costing"), words("actual spent spend spending outturn")


def short_forms(labels: Mapping[int, str]) -> dict[str, frozenset[int]]:
    """Return the words of column labels that may shorten another word, with their columns."""
    found: dict[str, set[int]] = {}
    for column, named in labels.items():
        label = BASE_OF.sub(r"\1", named)
        for token in (*TOKEN.findall(label), *HUNDREDS.findall(label)):
            if token.lower() not in UNIT_LETTERS or token == label.strip(" ."):
                found.setdefault(token.lower(), set()).add(column)
    return {token.removesuffix("."): frozenset(columns) for token, columns in found.items() if _may(token)}


def spelled_out(label: str) -> Iterator[str]:
    """Yield the names of the places that a label holds in capitals ("US" of "Peak US")."""
    for token in TOKEN.findall(label):
        if token.isupper():
            yield from PLACES.get(token.lower(), ())


def percent_names(label: str) -> Iterator[str]:
    """Yield how a header that ends in a percent sign is said ("Win %": "win percentage", "winning rate")."""
    said = OF_PERCENT.fullmatch(label.strip())
    for word in (said["word"], f"{said['word']}{said['word'][-1]}ing") if said else ():
        yield from (f"{word} {share}" for share in ("percentage", "percent", "rate", "ratio"))


def _may(token: str) -> bool:
    return token in SHORT or token in CODED or token.endswith(".") or (3 <= len(token) <= 5)


def said_by(word: str, tokens: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """Return the columns whose header shortens a word, those of one token only; empty for none or several."""
    code, beside = CODES.get(word, ("", NO_CODES))
    if code in tokens and not beside.isdisjoint(tokens):
        return tokens[code]
    if word in PLAYED and not PLAYED_BY.isdisjoint(tokens):  # beside GP a G is no game
        tokens = {token: columns for token, columns in tokens.items() if token not in GOALS}
    if word in COSTS and not CAME.isdisjoint(tokens):  # beside Actual a budget is no cost
        tokens = {token: columns for token, columns in tokens.items() if token != "budget"}
    listed = [columns for token, columns in tokens.items() if word in SHORT.get(token, ())]
    if 1 < len(listed) <= 2:
        return listed[0] | listed[1]
    found = listed or [columns for token, columns in tokens.items() if _shortens(token, word)]
    return found[0] if len(found) == 1 else frozenset()


def _shortens(token: str, word: str) -> bool:
    """Tell whether a token is the start of a word, or its consonants ("apps", "pts")."""
    if len(token) < 3 or len(word) < len(token) + 2 or word[0] != token[0]:
        return False
    if word.startswith(token) or (len(token) > 4 and word.startswith(token.removesuffix("s"))):
        return True
    letters = iter(word)
    return not VOWELS.intersection(token) and all(letter in letters for letter in token)


def without_span(label: str, start: int, end: int) -> str:
    """Return a label without the period at `label[start:end]` and what joined the two."""
    left, right = label[:start], label[end:]
    return f"{_trim(left)} {_trim(right)}".strip()


def _trim(text: str) -> str:
    return BASE.sub("", BASE.sub("", text))


ORDINALS = {
    1: ("one", "first"), 2: ("two", "second"), 3: ("three", "third"), 4: ("four", "fourth"),
    5: ("five", "fifth"), 6: ("six", "sixth"), 7: ("seven", "seventh"), 8: ("eight", "eighth"),
    9: ("nine", "ninth"), 10: ("ten", "tenth"), 11: ("eleven", "eleventh"), 12: ("twelve", "twelfth"),
}  # fmt: skip
ENDINGS = {1: "st", 2: "nd", 3: "rd"}
# Every way to say that a place is the first or a later one: "third", "3rd".
NTH = {ordinal: number for number, (_, ordinal) in ORDINALS.items()} | {
    f"{number}{ENDINGS.get(number, 'th')}": number for number in ORDINALS
}
LATER_NTH = {said: number for said, number in NTH.items() if number > 1}
COUNTERS = words(
    "series season round game week episode match stage leg race heat lane lot lap set period chapter part "
    "volume day event number no rank position pos"
)
NUMBER_OF = re.compile(r"(?P<word>[^\W\d_]{2,})\s(?:number|no\.?|nr\.?|#)", re.IGNORECASE)
# Headers that number the rows of whatever the table is about.
COUNTED_BY = frozenset(("no", "number"))


def counter_of(label: str) -> str:
    """Return the word by which a column of running numbers is called ("series", "round"); empty for none."""
    said: list[str] = [token.removesuffix(".") for token in TOKEN.findall(label.lower())] or [""]
    if said[0] in COUNTED_BY:
        return said[0]
    last: str = said[-1]
    return last if last in COUNTERS else ""


def number_of(label: str) -> str:
    """Return the word whose numbers a column holds ("arp" of "Arp Number"); empty for none."""
    named = NUMBER_OF.fullmatch(label.strip())
    return named["word"].lower() if named and named["word"].lower() not in ("total", "the", "serial") else ""


def is_running(values: Iterable[object]) -> bool:
    """Tell whether values are different small whole numbers."""
    whole = [str(value) for value in values]
    return len(set(whole)) == len(whole) > 1 and all(v.isdigit() and len(v) < 4 for v in whole)


def numbered_forms(word: str, value: int) -> Iterator[str]:
    """Yield how a numbered row is named: "series 2", "second series", "2nd series"."""
    yield f"{word} {value}"
    if value in ORDINALS:
        number, ordinal = ORDINALS[value]
        yield f"{word} {number}"
        yield f"{ordinal} {word}"
    yield f"{ordinal_digits(value)} {word}"


def ordinal_digits(value: int) -> str:
    """Return a number as a place in an order, in digits ("22nd")."""
    return f"{value}{'th' if 10 < value % 100 < 14 else ENDINGS.get(value % 10, 'th')}"
