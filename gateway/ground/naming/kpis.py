"""Key figures that go by letters and by words ("NRR", "net retention"): one name stands for the other."""

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
        "fte|full-time equivalents",
    )
)
OTHERS = {name: group for group in NAMES for name in group}


def other_names(forms: Iterable[str]) -> Iterator[str]:
    """Yield every name of the figures that some labels are names of."""
    for form in forms:
        yield from OTHERS.get(form.lower(), ())
