"""The words of a ferry line: a fiscal calendar by default, years named by their start, weeks from Monday."""

from datetime import date

from gateway.intake import Prepared, prepare
from metric_layer.asking import AskingRules
from metric_layer.definitions import (
    Aggregate,
    CalendarRules,
    Column,
    Dataset,
    Dimension,
    DimensionValue,
    Document,
)
from metric_layer.layer import Layer, build_layer

TODAY = date(2026, 5, 13)  # a Wednesday; FY26 began on 1 February 2026
EVERY = ("route", "market", "cabin", "channel", "vessel", "ticket")

METRICS: tuple[tuple[str, str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("ticket_revenue", "Ticket revenue", "EUR", ("ticket revenue", "fare income"), EVERY),
    ("onboard_revenue", "Onboard revenue", "EUR", ("onboard revenue", "onboard spend"),
     ("route", "market", "vessel")),
    ("passengers", "Passengers", "count", ("passengers", "travellers", "pax"), EVERY),
    ("sailings", "Sailings", "count", ("sailings", "departures"), ("route", "vessel")),
    ("load_factor", "Load factor", "percent", ("load factor", "seat occupancy"),
     ("route", "cabin", "vessel")),
    ("average_fare", "Average fare", "EUR", ("average fare", "fare per passenger"), EVERY),
    ("complaints", "Complaints", "count", ("complaints",), ("route", "channel", "topic")),
    ("refunds", "Refunds", "EUR", ("refunds", "refunded amount"), ("route", "channel", "ticket", "topic")),
    ("pass_holders", "Monthly pass holders", "count", ("monthly pass holders", "pass holders"), ("market",)),
)  # fmt: skip
TIME_FIELDS = {"sailings": "sailed_on", "load_factor": "sailed_on", "complaints": "raised_on"}
DIMENSIONS: tuple[tuple[str, tuple[str, ...], dict[str, tuple[str, ...]]], ...] = (
    ("route", ("route", "routes", "line"), {
        "OSKL": ("Oslo Kiel", "oslo-kiel"), "HLTA": ("Helsinki Tallinn",),
        "DVCL": ("Dover Calais", "the channel run"),
    }),
    ("market", ("market", "markets", "home country"), {
        "Norway": ("norway", "norwegian"), "Germany": ("germany", "german"), "United States": ("US", "usa"),
        "Other": ("other", "rest of the world"),
    }),
    ("cabin", ("cabin", "cabins", "cabin class"), {
        "Economy": ("economy",), "Premium": ("premium",), "Suite": ("suite", "suites"), "Flex": ("flex",),
    }),
    ("channel", ("channel", "channels", "sales channel"), {
        "Web": ("web", "online"), "Agency": ("agency", "travel agents"),
        "Counter": ("counter", "ticket desk", "walk-up"),
    }),
    ("ticket", ("ticket type", "ticket types"), {
        "Single": ("single", "one-way"), "Return": ("return", "round trip"), "Flex": ("flex",),
    }),
    ("topic", ("topic", "topics"), {
        "Delay": ("delay", "delays"), "Refunds": ("refunds",), "Catering": ("catering",),
    }),
    ("vessel", ("vessel", "vessels", "ship", "ships"), {}),
)  # fmt: skip


def layer() -> Layer:
    """One table; each metric a sum over it."""
    times = ("booked_on", "sailed_on", "raised_on")
    names = (*(name for name, _, _ in DIMENSIONS), *times)
    columns = tuple(Column(name=name, type="date" if name in times else "string") for name in names)
    return build_layer(
        Document(
            datasets=(
                Dataset(name="facts", relation="facts", columns=(*columns, Column(name="n", type="decimal"))),
            ),
            dimensions=(
                *(_dimension(*each) for each in DIMENSIONS),
                *(Dimension(name=name, dataset="facts", column=name) for name in times),
            ),
            metrics=tuple(_metric(*each) for each in METRICS),
            calendar=CalendarRules(fiscal_start_month=2, fiscal_named_by="start", week_start="monday"),
        )
    )


def _dimension(name: str, synonyms: tuple[str, ...], values: dict[str, tuple[str, ...]]) -> Dimension:
    held = tuple(DimensionValue(value=value, synonyms=said) for value, said in values.items())
    return Dimension(name=name, dataset="facts", column=name, synonyms=synonyms, values=held)


def _metric(
    name: str, label: str, unit: str, synonyms: tuple[str, ...], dimensions: tuple[str, ...]
) -> Aggregate:
    return Aggregate(
        name=name,
        version=1,
        owner="line",
        label=label,
        description=label,
        unit=unit,
        synonyms=synonyms,
        dimensions=dimensions,
        time_field=TIME_FIELDS.get(name, "booked_on"),
        type="sum",
        dataset="facts",
        column="n",
    )


RULES = AskingRules.model_validate(
    {
        "default_calendar": "fiscal",
        "data_from": date(2023, 2, 1),
        "data_to": date(2026, 5, 12),
        "named_periods": (
            {
                "name": "Midsummer Sale",
                "synonyms": ("midsummer sale",),
                "occurrences": (
                    {"year": 2024, "from": date(2024, 6, 17), "to": date(2024, 6, 24)},
                    {"year": 2025, "from": date(2025, 6, 16), "to": date(2025, 6, 23)},
                    {"year": 2026, "from": date(2026, 6, 15), "to": date(2026, 6, 22)},
                ),
            },
        ),
        "ambiguous": {
            "revenue": ("ticket_revenue", "onboard_revenue"),
            "income": ("ticket_revenue", "onboard_revenue"),
        },
        "unsupported": {
            "cause": ("why", "reason", "what drove"),
            "forecast": ("forecast", "outlook", "expect", "will"),
            "write": ("delete", "cancel", "change the"),
            "personal_data": ("passenger names", "passport", "email", "emails"),
        },
        "patterns": {"vessel": r"MV \d+"},
    }
)


def words() -> Prepared:
    """The line's words, indexed."""
    return prepare(layer(), RULES)
