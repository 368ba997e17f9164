"""The demo shop in a stand-in for a cloud's warehouse, as the one suite over all of them sees it."""

from collections.abc import Callable
from dataclasses import dataclass

from traces.records import Bound


def token_of(login: str, place: object) -> str:
    """Return the token of a login; the credential hook of every stand-in."""
    return f"token-of-{login}"


@dataclass(frozen=True, slots=True)
class CloudShop:
    """A stand-in that holds the shop, and what has to be said in its own words.

    `policy` are edits of the project's policy, `bound` is how a question under row policies is priced and
    `bound_without_rules` any other, `free` a text that shows the regions, `slow` one that takes long. `sent`
    are the texts that reached the service, without what the engine asks for itself, `tags` what they carried,
    `tag` what one of a trace carries. `write` runs a statement as the owner of the tables.
    """

    name: str
    url: str
    policy: tuple[tuple[str, str], ...]
    bound: Bound
    bound_without_rules: Bound
    attacks: tuple[str, ...]
    free: str
    slow: str
    sent: Callable[[], list[str]]
    tags: Callable[[], list[str]]
    tag: Callable[[str], str]
    at_work: Callable[[], bool]
    write: Callable[[str], object]
