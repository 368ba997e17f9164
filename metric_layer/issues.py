"""What is wrong with a definition or a plan, said so that its author can mend it."""

from metric_layer.record import Record


class Option(Record):
    """One reading a caller may choose when a term is ambiguous."""

    name: str
    description: str = ""


class Issue(Record):
    """One problem: a stable code, the place, what was seen, what to do next.

    `path` is a JSON pointer into a plan (`/metrics/0`); `place` is `file:line:column` in a definition file.
    `candidates` holds near names the caller is allowed to see. `options` is filled only when the caller has
    to choose between readings; sending the chosen option's name under `choices[term]` settles it.
    """

    code: str
    message: str
    path: str = ""
    place: str = ""
    seen: str = ""
    candidates: tuple[str, ...] = ()
    next_step: str = ""
    term: str = ""
    options: tuple[Option, ...] = ()
