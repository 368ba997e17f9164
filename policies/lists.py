"""The reviewed lists that SQL is held against: pure functions per dialect, syntax node kinds, data types."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

import yaml

from metric_layer.plan import Dialect


@dataclass(frozen=True, slots=True)
class SqlLists:
    """What SQL of one dialect may be made of. `digest` names exactly this set of lists.

    `typed` holds the parser's classes of pure functions and `named` the engine's own names, lower case;
    `kinds` maps a syntax node to the arguments it may carry.
    """

    typed: frozenset[str]
    named: frozenset[str]
    types: frozenset[str]
    kinds: dict[str, frozenset[str]]
    digest: str


@cache
def sql_lists(dialect: Dialect, extra: tuple[str, ...] = ()) -> SqlLists:
    """Return the shipped lists of a dialect with a team's own reviewed functions added."""
    folder = files("policies") / "functions"
    texts = [(folder / f"{name}.yaml").read_text(encoding="utf-8") for name in ("nodes", "typed", dialect)]
    nodes, typed, named = (yaml.load(text, Loader=yaml.CSafeLoader) for text in texts)
    return SqlLists(
        typed=frozenset(_flat(typed["pure"].values())) - frozenset(named.get("not_typed", ())),
        named=frozenset(_flat(named["pure"].values())) | frozenset(name.lower() for name in extra),
        types=frozenset(nodes["types"]),
        kinds={
            name: frozenset(arguments)
            for group in nodes["kinds"].values()
            for name, arguments in group.items()
        },
        digest=sha256("\n".join((*texts, *extra)).encode()).hexdigest(),
    )


def _flat(groups: Iterable[Iterable[str]]) -> Iterable[str]:
    return (str(name) for group in groups for name in group)
