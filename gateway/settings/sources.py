"""Where each setting has its value from: the environment, cellbound.toml, or the default."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Literal

from metric_layer.record import Record

PREFIX = "CELLBOUND_"
HIDDEN = "(hidden)"
_SECRET = ("sha256", "secret", "password", "key", "webhook")
_NEST = "__"

Raw = Mapping[str, object]


class SettingSource(Record):
    """One setting in force. `name` is its key in the file, `source` the file, a variable or `default`."""

    name: str
    value: str
    kind: Literal["default", "file", "environment"]
    source: str


def overrides(environ: Mapping[str, str]) -> Mapping[tuple[str, ...], str]:
    """Return the variable of each setting that is set by one: CELLBOUND_SERVER__PORT sets server.port."""
    names = (name for name in environ if name.startswith(PREFIX) and _NEST in name[len(PREFIX) :])
    return {tuple(name[len(PREFIX) :].lower().split(_NEST)): name for name in sorted(names)}


def overridden(raw: Raw, environ: Mapping[str, str]) -> Raw:
    """Return what the file says with the environment's values in front of it."""
    for path, name in overrides(environ).items():
        raw = _put(raw, path, _value(environ[name]))
    return raw


def sources(settings: Record, raw: Raw, environ: Mapping[str, str], file: str) -> Iterator[SettingSource]:
    """Yield every setting with its value and where that is from; what is secret is not shown."""
    variables = overrides(environ)
    for path, value in _leaves(settings.model_dump(mode="json", exclude={"folder"})):
        name = ".".join(path)
        shown = HIDDEN if path[-1].endswith(_SECRET) else _shown(value)
        if path in variables:
            yield SettingSource(name=name, value=shown, kind="environment", source=variables[path])
        elif _has(raw, path):
            yield SettingSource(name=name, value=shown, kind="file", source=file)
        else:
            yield SettingSource(name=name, value=shown, kind="default", source="default")


def _value(text: str) -> object:
    """Read a variable as TOML reads a value; what is no TOML value is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _put(raw: Raw, path: tuple[str, ...], value: object) -> Raw:
    head, *rest = path
    if not rest:
        return {**raw, head: value}
    inner = raw.get(head)
    return {**raw, head: _put(inner if isinstance(inner, Mapping) else {}, tuple(rest), value)}


def _leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    inner: Iterator[tuple[str, object]] | None = None
    if isinstance(value, Mapping) and value:
        inner = ((str(key), item) for key, item in value.items())
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        inner = ((str(index), item) for index, item in enumerate(value))
    if inner is None:
        yield path, value
        return
    for key, item in inner:
        yield from _leaves(item, (*path, key))


def _has(raw: object, path: tuple[str, ...]) -> bool:
    for part in path:
        if isinstance(raw, Mapping) and part in raw:
            raw = raw[part]
        elif isinstance(raw, list) and part.isdigit() and int(part) < len(raw):
            raw = raw[int(part)]
        else:
            return False
    return True


def _shown(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return value
        case list():
            return ", ".join(_shown(item) for item in value)
        case dict():
            return ""
    return str(value)
