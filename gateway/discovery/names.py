"""What a column's name says of it: its words held against a list, or what they seem to be short for."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from gateway.discovery.kinds import Kind
from gateway.discovery.opaque import ORDINARY, Label, NameClassifier, shortened

STRONG = 0.6
GUESSED = 0.3

WORDS: Mapping[Kind, str] = {
    "email": "email e_mail mail mailaddress email_address courriel correo epost mejl",
    "phone": "phone telephone tel mobile cell cellphone fax msisdn telefon handy telefono"
    " telephone_number mobil whatsapp",
    "card": "card_number credit_card creditcard cc_number pan card_no kreditkarte cardnumber debit_card",
    "iban": "iban bank_account account_number kontonummer bankverbindung acct_no account_no",
    "national_id": "ssn social_security national_id nhs nhs_number nin passport passport_no tax_id"
    " taxid steuer_id personnummer pesel bsn cpf dni nif curp aadhaar codice_fiscale"
    " id_card driver_license licence_no nir hetu",
    "person_name": "first_name last_name full_name firstname lastname fullname surname forename"
    " given_name family_name middle_name maiden_name vorname nachname nom prenom"
    " nombre apellido cognome username user_name contact_name customer_name"
    " patient_name employee_name holder_name cardholder author_name driver_name",
    "birth_date": "birth_date birthdate date_of_birth dob birthday geburtsdatum geboren naissance"
    " fecha_nacimiento born born_on",
    "address": "address street street_address addr address_line strasse adresse direccion"
    " indirizzo home_address shipping_address billing_address street_name",
    "postcode": "postcode postal_code zip zipcode zip_code plz cap codigo_postal",
    "coordinates": "lat lon lng latitude longitude geo geolocation gps coordinates latlon latlng geopoint",
    "ip": "ip ip_address ipaddress client_ip remote_addr ipv4 ipv6 source_ip remote_ip",
    "free_text": "comment comments note notes message remarks feedback body free_text bemerkung"
    " review complaint transcript description_of_issue chat",
}
PEOPLE = frozenset(
    f"{word}{ending}"
    for ending in ("", "s")
    for word in (
        *("customer", "client", "user", "person", "people", "patient", "employee", "member", "contact"),
        *("staff", "subscriber", "student", "driver"),
    )
)
THINGS = frozenset(
    (
        *("count", "total", "opt", "is", "has", "status", "type", "model", "brand", "format", "version"),
        *("template", "domain", "provider"),
    )
)
"""Words beside which a name is about the data and not the data: `email_count`, `phone_model`."""
_PHRASES: Mapping[str, Kind] = {phrase: kind for kind, phrases in WORDS.items() for phrase in phrases.split()}
_BREAK = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")


class NameHint(NamedTuple):
    """What a name says, and how far that goes."""

    kind: Kind
    weight: float


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name: `CustomerEmail_2` is customer, email, 2."""
    return tuple(word.lower() for word in _BREAK.split(name) if word)


def hint_of(dataset: str, column: str, *, guess: bool) -> NameHint | None:
    """Return what a column's name says. With `guess`, an opaque one is put to the classifier, too."""
    words = words_of(column)
    if THINGS & set(words):
        return None
    found = _phrase(words)
    if found is not None:
        return NameHint(found, STRONG)
    if words == ("name",) and PEOPLE & set(words_of(dataset)):
        return NameHint("person_name", STRONG)
    return _guessed(words) if guess else None


def _phrase(words: tuple[str, ...]) -> Kind | None:
    """Return the kind of the longest phrase of the list that stands in the words."""
    for length in range(min(4, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            part = words[at : at + length]
            kind = _PHRASES.get("_".join(part)) or _PHRASES.get("".join(part))
            if kind is not None:
                return kind
    return None


def _guessed(words: tuple[str, ...]) -> NameHint | None:
    found = classifier().guess([word for word in words if word not in PEOPLE])
    return NameHint(found.kind, GUESSED) if found else None


@lru_cache(maxsize=1)
def classifier() -> NameClassifier:
    """Return the classifier of opaque names, learned from the list of words and the ways to shorten them."""
    names: dict[Label, list[str]] = {
        kind: [short for phrase in phrases.split() for short in shortened(phrase)]
        for kind, phrases in WORDS.items()
    }
    names[""] = [short for phrase in (*ORDINARY.split(), *sorted(THINGS)) for short in shortened(phrase)]
    return NameClassifier(names)
