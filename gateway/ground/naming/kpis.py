"""Key figures that go by letters and by words ("NRR", "net retention"): one name stands for the other."""

import re
from collections.abc import Iterable, Iterator

NAMES = tuple(
    tuple(group.split("|"))
    for group in (
        "nrr|ndr|net revenue retention|net dollar retention|net retention",
        "grr|gross revenue retention|gross retention",
        "arr|annual recurring revenue|annualised recurring revenue|annualized recurring revenue",
        "mrr|monthly recurring revenue",
        "aov|average order value|average basket",
        "cac|customer acquisition cost|acquisition cost",
        "ltv|clv|customer lifetime value|lifetime value",
        "arpu|average revenue per user",
        "gmv|gross merchandise value|gross merchandise volume",
        "nps|net promoter score",
        "csat|customer satisfaction",
        "dso|days sales outstanding",
        "ctr|click-through rate|clickthrough rate",
        "cpc|cost per click",
        "roas|return on ad spend",
        "roi|return on investment",
        "npl|npl ratio|npl rate|npl share|non-performing loan ratio|non-performing loans|non-performing",
        "nim|net interest margin",
        "fte|full-time equivalents",
    )
)
OTHERS = {name: group for group in NAMES for name in group}

WHEN = r"(?P<when>(?:year|quarter|month|week)[\s-]to[\s-]date|[yqmw]td)"
LED = re.compile(rf"{WHEN}\s(?P<what>.+)", re.IGNORECASE)
ENDED = re.compile(rf"(?P<what>.+?)\s\(?{WHEN}\)?", re.IGNORECASE)
SPANS = {"y": "year", "q": "quarter", "m": "month", "w": "week"}


def spelled_to_date(text: str) -> str:
    """Return a text in small letters with "YTD" and the like in words."""
    low = text.lower().replace("-to-", " to ")
    return re.sub(r"\b([yqmw])td\b", lambda found: f"{SPANS[found[1]]} to date", low)


# What became of things, before or behind their name: "trips late", "late trips", "calls missed".
STATE = (
    r"(?:[a-z]{2,}ed|late|early|overdue|unpaid|unsold|empty|open|lost|won|sold|paid|made|sent|held|left|built"
    r"|bought|seen|met)"
)
STATED = re.compile(rf"(?P<thing>[a-z]{{3,}}s)\s(?P<state>{STATE})", re.IGNORECASE)
STATE_LED = re.compile(rf"(?P<state>{STATE})\s(?P<thing>[a-z]{{3,}}s)", re.IGNORECASE)


def other_names(forms: Iterable[str]) -> Iterator[str]:
    """Yield every name of the figures that some labels are names of."""
    for form in forms:
        yield from OTHERS.get(form.lower(), ())
        stated, led = STATED.fullmatch(form), STATE_LED.fullmatch(form)
        if stated is not None:
            yield f"{stated['state']} {stated['thing']}"
        elif led is not None:
            yield f"{led['thing']} {led['state']}"
        said = LED.fullmatch(form) or ENDED.fullmatch(form)
        if said is not None:
            for when in {spelled_to_date(said["when"]), f"{said['when'][0]}td"}:
                yield from (f"{when} {said['what']}", f"{said['what']} {when}")
