"""National identity numbers, proved by their own check digits where they have any (python-stdnum)."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module

CHECKED = (
    "au.tfn",
    "be.nn",
    "br.cpf",
    "ca.sin",
    "ch.ssn",
    "cn.ric",
    "de.idnr",
    "es.dni",
    "es.nie",
    "fi.hetu",
    "fr.nir",
    "gb.nhs",
    "ie.pps",
    "in_.aadhaar",
    "it.codicefiscale",
    "kr.rrn",
    "mx.curp",
    "nl.bsn",
    "no.fodselsnummer",
    "pl.pesel",
    "se.personnummer",
    "za.idnr",
)
"""Numbers with a check digit or letter: of random ones a tenth passes at most, so a column stands out."""
WRITTEN: Mapping[str, re.Pattern[str]] = {
    "us.ssn": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "dk.cpr": re.compile(r"\d{6}-\d{4}"),
    "in_.pan": re.compile(r"[A-Z]{5}\d{4}[A-Z]"),
}
"""Numbers without a check digit count only in the form in which people write them."""
_SHORTEST = 8
_LONGEST = 20


def validators() -> Mapping[str, Callable[[str], bool]]:
    """Return, by country and number, what says whether a text is such a number. Raises ImportError."""
    found: dict[str, Callable[[str], bool]] = {}
    for name in CHECKED:
        found[name] = import_module(f"stdnum.{name}").is_valid
    for name, form in WRITTEN.items():
        found[name] = _written(form, import_module(f"stdnum.{name}").is_valid)
    return found


def may_be_one(text: str) -> bool:
    """Say whether a text is as long as such numbers are, and has as many digits."""
    return _SHORTEST <= len(text) <= _LONGEST and sum(map(str.isdigit, text)) >= 4


def _written(form: re.Pattern[str], valid: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda text: form.fullmatch(text) is not None and valid(text)
