"""Forty synthetic columns, labelled with the kind of personal data they hold; nobody's real value.

The check digits are computed here, by hand, and not with the library that is under test.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gateway.discovery.kinds import Kind

ROWS = 60
FIRST = (
    "Ana",
    "Bruno",
    "Chloé",
    "Dmitri",
    "Esra",
    "Fatou",
    "Grace",
    "Hiro",
    "Ingrid",
    "João",
    "Kemal",
    "Lucía",
)
LAST = (
    "Novak",
    "O'Neill",
    "Pérez",
    "Quist",
    "Rossi",
    "Sato",
    "Taylor",
    "Ueda",
    "Vogel",
    "Weber",
    "Xu",
    "Young",
)
STREETS = ("Mill", "High", "Station", "Church", "Victoria", "Green", "Park", "King")
WORDS = (
    *("order", "arrived", "late", "box", "was", "open", "please", "call", "me", "back", "about", "the"),
    *("refund", "for", "my", "second", "parcel", "thank", "you"),
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A column of the table, with the kinds that are right for it; none where it is not personal."""

    name: str
    type: str
    values: tuple[str, ...]
    kinds: frozenset[Kind]


def luhn(body: str) -> str:
    """Return digits with their check digit of Luhn."""
    total = 0
    for at, digit in enumerate(reversed(body)):
        number = int(digit) * (2 if at % 2 == 0 else 1)
        total += number - 9 if number > 9 else number
    return body + str(-total % 10)


def german_iban(draw: random.Random) -> str:
    """Return an account number of Germany's form with the check digits of ISO 7064."""
    account = "".join(str(draw.randrange(10)) for _ in range(18))
    return f"DE{98 - int(account + '131400') % 97:02d}{account}"


def french_nir(draw: random.Random) -> str:
    """Return a number of France's social security form with its key of 97."""
    body = f"{draw.choice('12')}{draw.randrange(40, 99):02d}{draw.randrange(1, 13):02d}"
    body += f"{draw.randrange(1, 95):02d}{draw.randrange(1, 900):03d}{draw.randrange(1, 900):03d}"
    return f"{body}{97 - int(body) % 97:02d}"


def spanish_dni(draw: random.Random) -> str:
    """Return a number of Spain's identity card with its letter."""
    number = draw.randrange(10_000_000, 99_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def swedish_number(draw: random.Random) -> str:
    """Return a Swedish personal number with its check digit."""
    day = f"{draw.randrange(40, 99):02d}{draw.randrange(1, 13):02d}{draw.randrange(1, 28):02d}"
    whole = luhn(f"{day}{draw.randrange(100, 999)}")
    return f"{whole[:6]}-{whole[6:]}"


def _mail(draw: random.Random) -> str:
    return f"{draw.choice(FIRST).lower().encode('ascii', 'ignore').decode()}{draw.randrange(999)}@example.org"


def _phone(draw: random.Random) -> str:
    return f"+44 20 7946 0{draw.randrange(100, 999)}"


def _us_phone(draw: random.Random) -> str:
    return f"({draw.choice((212, 415, 312))}) {draw.randrange(220, 980)}-{draw.randrange(1000, 9999)}"


def _name(draw: random.Random) -> str:
    return f"{draw.choice(FIRST)} {draw.choice(LAST)}"


def _address(draw: random.Random) -> str:
    return f"{draw.randrange(1, 200)} {draw.choice(STREETS)} Street"


def _german_address(draw: random.Random) -> str:
    return f"{draw.choice(('Linden', 'Haupt', 'Garten', 'Berg'))}straße {draw.randrange(1, 90)}"


def _text(draw: random.Random) -> str:
    return " ".join(draw.sample(WORDS, 9))


def _with_mail(draw: random.Random) -> str:
    return f"{_text(draw)} {_mail(draw)}" if draw.random() < 0.2 else draw.choice(WORDS)


def _date(draw: random.Random, first: int, last: int) -> str:
    return f"{draw.randrange(first, last)}-{draw.randrange(1, 13):02d}-{draw.randrange(1, 28):02d}"


def _digits(draw: random.Random, count: int) -> str:
    return str(draw.randrange(10 ** (count - 1), 10**count))


Maker = Callable[[random.Random], str]
COLUMNS: Sequence[tuple[str, str, Maker, tuple[Kind, ...]]] = (
    # Named as what they are.
    ("email", "string", _mail, ("email",)),
    ("phone_number", "string", _us_phone, ("phone",)),
    ("first_name", "string", lambda d: d.choice(FIRST), ("person_name",)),
    ("LastName", "string", lambda d: d.choice(LAST), ("person_name",)),
    ("date_of_birth", "date", lambda d: _date(d, 1940, 2008), ("birth_date",)),
    ("street_address", "string", _address, ("address",)),
    ("zip", "string", lambda d: f"{d.randrange(10000, 99999)}", ("postcode",)),
    ("latitude", "float", lambda d: f"{d.uniform(-60, 70):.5f}", ("coordinates",)),
    (
        "client_ip",
        "string",
        lambda d: f"{d.randrange(1, 223)}.{d.randrange(256)}.0.{d.randrange(256)}",
        ("ip",),
    ),
    ("iban", "string", german_iban, ("iban",)),
    ("card_number", "string", lambda d: luhn(f"4{_digits(d, 14)}"), ("card",)),
    (
        "ssn",
        "string",
        lambda d: f"{d.randrange(100, 665)}-{d.randrange(10, 99)}-{d.randrange(1000, 9999)}",
        ("national_id",),
    ),
    ("comments", "string", _text, ("free_text",)),
    # Named so that only their values tell.
    ("c07", "string", _mail, ("email",)),
    ("col_a", "string", _phone, ("phone",)),
    ("ref_1", "string", german_iban, ("iban",)),
    ("token", "string", lambda d: luhn(f"5{d.choice('12345')}{_digits(d, 13)}"), ("card",)),
    ("k1", "string", french_nir, ("national_id",)),
    ("k2", "string", spanish_dni, ("national_id",)),
    ("k3", "string", swedish_number, ("national_id",)),
    ("src", "string", lambda d: f"2001:db8::{d.randrange(1, 9999):x}:{d.randrange(1, 9999):x}", ("ip",)),
    ("loc", "string", lambda d: f"{d.uniform(35, 60):.5f}, {d.uniform(-9, 25):.5f}", ("coordinates",)),
    ("f12", "string", _german_address, ("address",)),
    ("payload", "string", _with_mail, ("email", "free_text")),
    # Nothing personal, some of it looking like it.
    ("order_id", "integer", lambda d: _digits(d, 6), ()),
    ("account_ref", "integer", lambda d: _digits(d, 9), ()),
    ("sku", "string", lambda d: f"{d.choice('ABC')}{_digits(d, 5)}-{d.choice('XYZ')}", ()),
    ("ean", "string", lambda d: _digits(d, 13), ()),
    ("status", "string", lambda d: d.choice(("open", "closed", "returned")), ()),
    ("product_name", "string", lambda d: f"{d.choice(STREETS)} lamp {d.randrange(99)}", ()),
    ("email_count", "integer", lambda d: str(d.randrange(9)), ()),
    ("phone_model", "string", lambda d: f"Nova {d.randrange(2, 12)}", ()),
    ("created_at", "timestamp", lambda d: f"{_date(d, 2020, 2026)} 10:00:00", ()),
    ("amount", "decimal", lambda d: f"{d.uniform(1, 900):.2f}", ()),
    ("epoch_ms", "integer", lambda d: str(d.randrange(1_600_000_000_000, 1_700_000_000_000)), ()),
    ("version", "string", lambda d: f"{d.randrange(9)}.{d.randrange(20)}.{d.randrange(9)}", ()),
    ("is_active", "boolean", lambda d: d.choice(("true", "false")), ()),
    ("digest", "string", lambda d: f"{d.getrandbits(160):040x}", ()),
    ("country", "string", lambda d: d.choice(("Spain", "Japan", "Peru")), ()),
    ("invoice_no", "string", lambda d: f"2026-{_digits(d, 6)}", ()),
)


def forty_columns(seed: int) -> tuple[Labelled, ...]:
    """Return the columns with values drawn by a seed."""
    draw = random.Random(seed)
    return tuple(
        Labelled(name, type_, tuple(make(draw) for _ in range(ROWS)), frozenset(kinds))
        for name, type_, make, kinds in COLUMNS
    )
