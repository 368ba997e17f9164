"""The kinds of personal data that are looked for, and the tag that each is suggested under."""

from collections.abc import Mapping
from typing import Literal, get_args

Kind = Literal[
    "email",
    "phone",
    "card",
    "iban",
    "national_id",
    "person_name",
    "birth_date",
    "address",
    "postcode",
    "coordinates",
    "ip",
    "free_text",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
PROVED: tuple[Kind, ...] = ("email", "iban", "card", "national_id", "phone", "ip", "coordinates", "address")
"""Kinds that a form alone may show, the surest first."""
TAG_OF: Mapping[Kind, str] = {
    "email": "contact",
    "phone": "contact",
    "card": "financial",
    "iban": "financial",
    "national_id": "identity",
    "person_name": "identity",
    "birth_date": "identity",
    "address": "location",
    "postcode": "location",
    "coordinates": "location",
    "ip": "device",
    "free_text": "free_text",
}
