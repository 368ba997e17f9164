"""The engine's url -> the one project, dataset and location of every job, and who an asker is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from gateway.engines.base import EngineError, Identity
from metric_layer.vocabulary import near

KNOWN = ("location", "principal", "authenticator", "maximum_bytes_billed", "endpoint")
AUTHENTICATORS = ("oauth", "impersonate")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SERVICE = "https://bigquery.googleapis.com"
LEAST_BILLED = 10 * 1024**2
MOST_BILLED = 10 * 1024**3
EXAMPLE = "Write bigquery://PROJECT/DATASET?location=EU&principal={user}@example.com in cellbound.toml."


@dataclass(frozen=True, slots=True)
class Target:
    """Where jobs run, and what one may be billed for at most, in bytes.

    `principal` is who an asker is to the service, with {user} and {role} to be filled in. `authenticator`
    says how they prove it: with a token of their own, or with one that may act as that account.
    """

    project: str
    dataset: str
    location: str
    principal: str
    authenticator: str
    endpoint: str
    most_billed: int

    def principal_of(self, who: Identity) -> str:
        """Return the e-mail address by which the service knows an asker."""
        return self.principal.replace("{user}", who.user).replace("{role}", who.role)

    def place(self) -> Mapping[str, str]:
        """Return what a credential hook is told of it."""
        return {"project": self.project, "dataset": self.dataset, "authenticator": self.authenticator}


def target_of(url: str) -> Target:
    """Return where a url points. Nothing of it is left to the environment.

    Raises EngineError for a url that pins too little, that holds a secret, or that says what is not known.
    """
    parts = urlsplit(url)
    given = dict(parse_qsl(parts.query))
    if parts.username or parts.password:
        raise EngineError(
            "secret_in_url",
            "the engine's url holds a login or a secret",
            next_step="Take it out and name its source in `credentials` under [engine].",
        )
    if unknown := sorted(set(given) - set(KNOWN)):
        raise _bad(f"may not say {', '.join(unknown)}", near(unknown[0], KNOWN) or KNOWN)
    names = [unquote(name) for name in parts.path.split("/") if name]
    if not parts.netloc or len(names) != 1 or not given.get("location") or not given.get("principal"):
        raise EngineError(
            "database_not_pinned",
            "the engine's url names no project, dataset, location or principal, or more than one",
            next_step=EXAMPLE,
        )
    authenticator = given.get("authenticator", AUTHENTICATORS[0])
    if authenticator not in AUTHENTICATORS:
        raise _bad(f"names the authenticator {authenticator!r}", AUTHENTICATORS)
    return Target(
        project=parts.netloc,
        dataset=names[0],
        location=given["location"],
        principal=given["principal"],
        authenticator=authenticator,
        endpoint=_endpoint(given.get("endpoint", SERVICE)),
        most_billed=_most_billed(given.get("maximum_bytes_billed", str(MOST_BILLED))),
    )


def on_this_machine(endpoint: str) -> bool:
    """Say whether an endpoint is a server on this machine."""
    return urlsplit(endpoint).hostname in LOOPBACK


def _endpoint(given: str) -> str:
    if not given.startswith("https://") and not (given.startswith("http://") and on_this_machine(given)):
        raise EngineError(
            "insecure_url",
            f"the engine's url sends tokens to {given!r} without encryption, or nowhere",
            next_step="Take `endpoint` out of the url, or write one that begins with https.",
        )
    return given.rstrip("/")


def _most_billed(given: str) -> int:
    if not given.isdecimal() or int(given) < LEAST_BILLED:
        raise EngineError(
            "bad_byte_cap",
            f"maximum_bytes_billed in the engine's url is {given!r}",
            next_step=f"Write bytes, at least {LEAST_BILLED}: less than that fails every query.",
        )
    return int(given)


def _bad(what: str, known: tuple[str, ...]) -> EngineError:
    return EngineError("unknown_url_key", f"the engine's url {what}", next_step=f"Known: {', '.join(known)}.")
