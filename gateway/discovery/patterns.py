"""What a value looks like: pure tests on one text, by kind. Nothing is downloaded, nothing is kept."""

import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address

import phonenumbers
from stdnum import iban, luhn

from gateway.discovery.kinds import Kind
from gateway.discovery.national_ids import may_be_one, validators

Test = Callable[[str], bool]

_EMAIL = r"[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9\-]{0,62}\.)+[A-Za-z]{2,24}"
_EMAIL_ALONE = re.compile(_EMAIL)
_EMAIL_INSIDE = re.compile(rf"(?<![A-Za-z0-9._%+\-]){_EMAIL}")
_PHONE = re.compile(r"\+?\(?\d[\d\s().\-/]{5,20}\d(?:\s?(?:x|ext\.?)\s?\d{1,6})?")
_AT_HOME = re.compile(r"0\d|\(|\d{3}[\s.\-]\d{3}[\s.\-]\d{4}\b")
"""How a number begins that is written for its own country: a zero, a bracket, or three parts."""
_PHONE_INSIDE = re.compile(r"(?<![\w.])\+\d[\d\s().\-]{6,18}\d")
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_CARD = re.compile(r"\d(?:[ \-]?\d){12,18}")
_CARD_INSIDE = re.compile(r"(?<![\w.])\d(?:[ \-]?\d){12,18}(?!\w)")
_ISSUER = re.compile(r"4|5[1-5]|2[2-7]|3[47]|3[068]|6(?:011|5|4[4-9]|2)|35")
_IBAN_INSIDE = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b")
_POINT = re.compile(
    r"-?\d{1,2}\.\d{3,}\s*[,;]\s*-?\d{1,3}\.\d{3,}|POINT\s*\(\s*-?\d+(\.\d+)?\s+-?\d+(\.\d+)?\s*\)",
    re.IGNORECASE,
)
_STREET = r"street|st|avenue|ave|road|rd|lane|ln|boulevard|blvd|drive|dr|way|court|ct|terrace|square|highway"
_ADDRESS = re.compile(
    rf"\b\d{{1,5}}[A-Za-z]?,?\s+(?:[\w.'\-]+\s+){{1,4}}(?:{_STREET})\b\.?"
    r"|\b\w+(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|straat|gade|gatan|vej)\s+\d{1,5}\b"
    r"|\b\d{1,5}(?:\s?bis)?,?\s+(?:rue|avenue|boulevard|place|chemin|quai)\s+\w+"
    r"|\b(?:via|viale|piazza|calle|avenida|plaza|rua|ulica|ul\.)\s+[^\d]{2,40},?\s+\d{1,5}\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][\w.'\u2019\-]*(?:[ ,]+[^\W\d_][\w.'\u2019\-]*){0,4}")
_POSTCODE = re.compile(
    r"\d{4,5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d"
    r"|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{3} \d{2}"
)
_BIRTH = re.compile(r"(19|20)\d\d-\d\d-\d\d(?:[T ].*)?|\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d")
_NUMBER = re.compile(r"-?\d{1,3}(\.\d+)?")
WORDS_OF_TEXT = 5
"""Words from which a value is a text of its own."""


class Patterns:
    """The tests of every kind. `regions` are the countries whose phone numbers are written without a `+`."""

    def __init__(self, regions: Sequence[str]) -> None:
        self._regions = tuple(regions)
        self._national = validators()
        self.alone: Mapping[Kind, Test] = {
            "email": lambda text: _EMAIL_ALONE.fullmatch(text) is not None,
            "phone": self.is_phone,
            "card": is_card,
            "iban": is_iban,
            "address": lambda text: _ADDRESS.search(text) is not None,
            "coordinates": lambda text: _POINT.fullmatch(text) is not None,
            "ip": is_ip,
            "free_text": lambda text: len(text.split()) >= WORDS_OF_TEXT,
        }
        """What a whole value is, proved by its form."""
        self.named: Mapping[Kind, Test] = {
            **self.alone,
            "phone": lambda text: 7 <= sum(map(str.isdigit, text)) <= 15 and not _DATE.fullmatch(text),
            "national_id": may_be_one,
            "person_name": lambda text: _NAME.fullmatch(text) is not None,
            "birth_date": lambda text: _BIRTH.fullmatch(text) is not None,
            "address": lambda text: any(map(str.isalpha, text)),
            "postcode": lambda text: _POSTCODE.fullmatch(text.strip().upper()) is not None,
            "coordinates": lambda text: _NUMBER.fullmatch(text) is not None or bool(_POINT.fullmatch(text)),
            "free_text": lambda text: len(text.split()) > 1,
        }
        """What a value may be where the column's name says so."""

    def national_id(self, values: Sequence[str]) -> tuple[str, int]:
        """Return which national number most values are, and how many are; ("", 0) where none is one."""
        likely = [text for text in values if may_be_one(text)]
        counts = {name: sum(map(valid, likely)) for name, valid in self._national.items()}
        best = max(counts, key=counts.__getitem__)
        return (best, counts[best]) if counts[best] else ("", 0)

    def is_phone(self, text: str) -> bool:
        """Say whether a text is a phone number: with a `+`, else with signs between digits and valid."""
        text = text.strip()
        if _PHONE.fullmatch(text) is None or _DATE.fullmatch(text) or is_ip(text):
            return False
        if text.startswith("+"):
            return _is_possible(text, None)
        return _AT_HOME.match(text) is not None and any(_is_valid(text, each) for each in self._regions)

    def inside(self, text: str) -> frozenset[Kind]:
        """Return the kinds of data that stand somewhere inside a text."""
        found: set[Kind] = set()
        if _EMAIL_INSIDE.search(text):
            found.add("email")
        if any(_is_possible(each, None) for each in _PHONE_INSIDE.findall(text)):
            found.add("phone")
        if any(is_card(each) for each in _CARD_INSIDE.findall(text)):
            found.add("card")
        if any(is_iban(each) for each in _IBAN_INSIDE.findall(text)):
            found.add("iban")
        return frozenset(found)


def is_card(text: str) -> bool:
    """Say whether a text is a payment card's number: an issuer's prefix and the check digit of Luhn."""
    if _CARD.fullmatch(text.strip()) is None:
        return False
    digits = re.sub(r"\D", "", text)
    return _ISSUER.match(digits) is not None and len(set(digits)) > 1 and bool(luhn.is_valid(digits))


def is_iban(text: str) -> bool:
    """Say whether a text is an international bank account number, by its country's form and check digits."""
    return bool(iban.is_valid(text))


def is_ip(text: str) -> bool:
    """Say whether a text is an IPv4 or IPv6 address."""
    try:
        ip_address(text.strip())
    except ValueError:
        return False
    return "." in text or ":" in text


def _is_possible(text: str, region: str | None) -> bool:
    number = _parsed(text, region)
    return number is not None and phonenumbers.is_possible_number(number)


def _is_valid(text: str, region: str) -> bool:
    number = _parsed(text, region)
    return number is not None and phonenumbers.is_valid_number(number)


def _parsed(text: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
