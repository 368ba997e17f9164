"""What the product promises to catch: the failure, who asked, what catches it first, the tests that prove it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """A promise. `first` is a check's id, or `module:name` where something other than a check stands guard.

    `source` names the text that asked: a section of the production guide, of the design, or of the issue.
    `tests` are `file::name` under tests/.
    """

    id: str
    source: str
    sentence: str
    first: str
    tests: tuple[str, ...]
