"""What differs between two policies, setting by setting."""

from collections.abc import Iterator, Mapping

from metric_layer.record import Record
from policies.policy import Policy


class PolicyChange(Record):
    """One setting, by its path in the file, as it was and as it is. Empty where it does not stand."""

    path: str
    old: str = ""
    new: str = ""


def policy_changes(old: Policy, new: Policy) -> tuple[PolicyChange, ...]:
    """Return every setting that differs, in the order of the file; lists are told as a whole."""
    before, after = (dict(_settings(policy.model_dump(mode="json"))) for policy in (old, new))
    return tuple(
        PolicyChange(path=path, old=before.get(path, ""), new=after.get(path, ""))
        for path in dict.fromkeys((*before, *after))
        if before.get(path) != after.get(path)
    )


def _settings(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _settings(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        yield path, ", ".join(map(str, value)) or "none"
    else:
        yield path, "none" if value is None else str(value)
