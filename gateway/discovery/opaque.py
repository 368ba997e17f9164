"""A small classifier for opaque column names: which kind `cust_tlfn` or `brth_dt` is likely to be.

Naive Bayes over the pieces of letters in a name, learned when first asked from our own list of words and the
ways in which people shorten them. Nothing is downloaded, and no value is looked at.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gateway.discovery.kinds import Kind

Label = Kind | Literal[""]
"""A class of names; the empty one are names of nobody."""
SURE = 0.97
"""Probability from which a kind is guessed."""
GRAMS = (2, 3, 4)
SMOOTHING = 0.05
SHORTEST = 3
"""Letters that a name needs: of fewer anything may be an abbreviation."""
ORDINARY = (
    "id key code number count total amount price cost rate ratio percent quantity weight height width"
    " length size volume area depth currency tax discount fee balance revenue sales profit margin"
    " budget order orders line item items product category brand model color colour material sku"
    " barcode stock warehouse shelf store branch region country market channel campaign segment source"
    " medium status state stage type kind class level rank score grade rating priority flag active"
    " enabled deleted valid locked visible created updated modified changed inserted loaded opened"
    " closed started finished shipped delivered paid billed returned cancelled date time timestamp day"
    " week month quarter year hour minute second duration interval period start end begin first last"
    " next previous version revision batch job run task step process event action session page view"
    " click visit url path file folder image media format language locale timezone unit description"
    " title label tag group team department division project contract invoice payment method shipment"
    " carrier route trip flight vehicle machine device sensor reading value measure metric index"
    " sequence position row column hash digest checksum token secret config setting option parameter"
    " threshold limit maximum minimum average median sum points temperature pressure speed distance"
    " power energy voltage manufacturer supplier vendor reference parent child root node edge layer"
    " queue topic partition offset order_date order_status order_total unit_price list_price"
    " line_number item_count product_name category_name brand_name file_name host_name event_type"
    " event_time page_views created_at updated_at exchange_rate tax_rate due_date start_date end_date"
    " country_code currency_code status_code"
)
"""Words of names that are of nobody."""
SHORT: Mapping[str, Sequence[str]] = {
    "number": ("no", "nr", "num", "nbr", "nmbr"),
    "name": ("nm", "nam"),
    "address": ("addr", "adr", "adrs", "addrs"),
    "code": ("cd", "cde"),
    "date": ("dt", "dte"),
    "birth": ("brth", "bth", "bir"),
    "first": ("fst", "frst", "f"),
    "last": ("lst", "l"),
    "phone": ("phn", "fon", "ph"),
    "telephone": ("tel", "tlf", "telefn", "tlfn"),
    "mobile": ("mob", "mbl", "mobl"),
    "email": ("eml", "emal"),
    "postal": ("pst", "post"),
    "street": ("str", "strt"),
    "account": ("acct", "acc"),
    "amount": ("amt",),
    "quantity": ("qty",),
    "description": ("desc", "dscr"),
}
"""How people shorten words that stand in many names."""
OWNERS = frozenset(("cust", "cst", "usr", "clnt", "emp", "empl", "mbr", "pat", "ptnt", "subscr", "cntct"))
"""How people shorten those whose data it is; the word says nothing of what the data is."""
_VOWELS = re.compile(r"(?<=.)[aeiouy]")


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest kind of a name, and its probability among all kinds and none."""

    kind: Kind
    probability: float


class NameClassifier:
    """Classes of names by the pieces of letters that their words are made of."""

    def __init__(self, names: Mapping[Label, Iterable[str]]) -> None:
        """Learn from names by class."""
        counts = {
            label: Counter(gram for name in given for gram in grams(name)) for label, given in names.items()
        }
        known = {gram for found in counts.values() for gram in found}
        self._known = known
        self._weights: dict[Label, Mapping[str, float]] = {}
        for label, found in counts.items():
            whole = sum(found.values()) + SMOOTHING * len(known)
            self._weights[label] = {gram: math.log((found[gram] + SMOOTHING) / whole) for gram in known}

    def guess(self, words: Sequence[str]) -> Guess | None:
        """Return the likeliest kind of a name, or None where it is likelier nobody's, or not sure enough."""
        name = "_".join(word for word in words if not word.isdigit() and word not in OWNERS)
        found = [gram for gram in grams(name) if gram in self._known]
        if len(name) < SHORTEST or not found:
            return None
        scores = {label: sum(map(weights.__getitem__, found)) for label, weights in self._weights.items()}
        best = max(scores, key=scores.__getitem__)
        probability = 1 / sum(math.exp(score - scores[best]) for score in scores.values())
        return Guess(best, probability) if best and probability >= SURE else None


def grams(name: str) -> tuple[str, ...]:
    """Return the pieces of letters of a name's words, with their ends marked; each once."""
    found: dict[str, None] = {}
    for word in filter(None, name.split("_")):
        marked = f"^{word}$"
        for size in GRAMS:
            found.update(dict.fromkeys(marked[at : at + size] for at in range(len(marked) - size + 1)))
    return tuple(found)


def shortened(phrase: str) -> Iterator[str]:
    """Yield a name and the ways in which people shorten it."""
    words = phrase.split("_")
    yield phrase
    yield "_".join(_VOWELS.sub("", word) for word in words)
    for length in (3, 4):
        yield "_".join(word[:length] for word in words)
        yield "_".join(_VOWELS.sub("", word)[:length] for word in words)
    for at, word in enumerate(words):
        for short in SHORT.get(word, ()):
            rest = [SHORT[other][0] if other in SHORT else other for other in words]
            yield "_".join((*words[:at], short, *words[at + 1 :]))
            yield "_".join((*rest[:at], short, *rest[at + 1 :]))
