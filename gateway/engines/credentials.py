"""Where a login's secret comes from: the gateway keeps none and invents none."""

import importlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gateway.engines.base import EngineError

VARIABLE = "CELLBOUND_DB_PASSWORD_"
OTHERS_MAY_READ = 0o077

Hook = Callable[[str, Mapping[str, str]], str]


def kept_to_us(file: Path) -> bool:
    """Say whether a file is there and nobody but its owner reads it."""
    return file.is_file() and not file.stat().st_mode & OTHERS_MAY_READ


class Secrets(Protocol):
    """Asked anew for every connection, so that what expires or changes is read when it is needed."""

    def of(self, login: str, place: Mapping[str, str]) -> str:
        """Return the secret that proves a login at a place. Raises EngineError `credential_missing`."""
        ...


@dataclass(frozen=True, slots=True)
class FromEnvironment:
    """A secret per login in a variable: CELLBOUND_DB_PASSWORD_ANA_SMITH for the login ana.smith."""

    variables: Mapping[str, str]

    def of(self, login: str, place: Mapping[str, str]) -> str:
        """Return the login's secret."""
        name = VARIABLE + re.sub(r"\W", "_", login, flags=re.ASCII).upper()
        if not self.variables.get(name):
            raise EngineError(
                "credential_missing",
                f"no password, token or key for the login {login!r}",
                next_step=f"Set the variable {name}.",
            )
        return self.variables[name]


@dataclass(frozen=True, slots=True)
class FromFolder:
    """A secret per login in a file of the login's name: what a mounted secret store looks like."""

    folder: Path

    def of(self, login: str, place: Mapping[str, str]) -> str:
        """Return what the login's file holds."""
        file = self.folder / login
        if file.name != login or not kept_to_us(file):
            raise EngineError(
                "credential_missing",
                f"the folder {self.folder.name} holds no file for the login {login!r}, or others may read it",
                next_step="Make a file of the login's name with mode 600.",
            )
        return file.read_text(encoding="utf-8").strip()


@dataclass(frozen=True, slots=True)
class FromHook:
    """A function of the operator's own gives the secret of a login, for example a cloud's access token."""

    hook: Hook

    def of(self, login: str, place: Mapping[str, str]) -> str:
        """Return what the hook gives."""
        return self.hook(login, place)


@dataclass(frozen=True, slots=True)
class Logins:
    """The configured users of each role, and what gives the secrets of `credentials = "exchange"`."""

    members: Mapping[str, tuple[str, ...]]
    exchanged: Secrets | None = None


NO_LOGINS = Logins({})


def secrets_of(written: str, folder: Path, exchanged: Secrets | None = None) -> Secrets | None:
    """Return the source that the settings name: environment, files:FOLDER, hook:MODULE:FUNCTION or exchange.

    FOLDER is relative to `folder`; `exchanged` is what `exchange` means. None for another word: what it means
    is the engine's own business. Raises EngineError for a hook that cannot be imported.
    """
    kind, _, rest = written.partition(":")
    match kind:
        case "environment":
            return FromEnvironment(os.environ)
        case "files":
            return FromFolder(folder / rest)
        case "hook":
            return FromHook(_hook(rest))
        case "exchange":
            return exchanged or _no_exchange()
    return None


def _no_exchange() -> Secrets:
    raise EngineError(
        "exchange_missing",
        "credentials are to be exchanged, and no endpoint is named",
        next_step="Set the url under [engine.exchange].",
    )


def _hook(written: str) -> Hook:
    module, _, function = written.partition(":")
    try:
        found: Hook = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as fault:
        raise EngineError(
            "hook_missing",
            f"the credential hook {written} cannot be imported ({fault})",
            next_step='Write credentials = "hook:MODULE:FUNCTION" with a module on the Python path.',
        ) from None
    return found
