"""Every byte that a run of the tests leaves or says is searched for what was planted: people, words, secrets.

A pytest plugin. Planted are the e-mail addresses and telephone numbers of the demo shop, which stand in the
database of nearly every test, the words and secrets of `tests/gateway/test_canar*.py`, tokens that the
gateway made, the keys of every key file, private keys, and a secret in the environment of the run. Searched
are all files under the run's temporary folder (stores, segments, indexes, pages, reports, logs), what the
terminal was told, what processes said, what HTTP answered, and what a failed test would show.

Not searched are the places where they were planted: database files, key files, and what a test gives to
`forgive`. What an asker typed, and a token just made, may be said to them; in a file they are a finding.
"""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, Final

import httpx
import httpx2
import pytest
from httpx2 import _sse as server_sent

PLANTED: Final = ".planted"
ENVIRONMENT: Final = "SECRET_OF_THE_TEST_RUN"
DATA = (b"@example.com", b"+1 555 01", b"Zephyrine", b"canary.invalid", b"0CANARY0", b"typed-canary-note")
"""Values of people, as they stand in databases: nobody is told them, in no form."""
WORDS = (b"Canarybird", b"canary-secret-5d1f", b"canary-token-of", b"canary-of-the-environment")
SECRETS = (b"cellbound_", b"PRIVATE KEY-----")
EXACTLY = {
    b"@example.com": re.compile(rb"[a-z]+\.[a-z]+\d+@example\.com"),
    b"+1 555 01": re.compile(rb"\+1 555 01\d\d \d{4}"),
    b"cellbound_": re.compile(rb"cellbound_[0-9a-f]*_?[0-9A-Za-z_-]{40,}"),
    b"PRIVATE KEY-----": re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
}
"""What follows a needle that has to be met in full: the form of the demo's values, of our tokens, of PEM."""
LETTER = rb"[A-Za-z0-9+/]"
KEY_END = re.compile(rb"=(?<=%b{43}=)(?<!%b{44}=)(?![=A-Za-z0-9+/])" % (LETTER, LETTER))
"""The last character of a key: looked for from behind, as few bytes of a run are one."""
KEYS: Final = "keys.json"
DATABASES = (".duckdb", ".wal")
MOUTHS = (
    (pytest.CaptureFixture, "readouterr"),
    (subprocess.Popen, "communicate"),
    (httpx.Response, "read"),
    (httpx2.Response, "read"),
    (server_sent._SSEEventDecoder, "decode"),
)
SHOWN: Final = 20
FOLDER: Final = pytest.StashKey[Path]()
HEARD: Final = "canaries"


def forgive(file: Path) -> None:
    """Say of a file or folder that a test plants a canary in it on purpose: it is not searched."""
    with (file.parent / PLANTED).open("a", encoding="utf-8") as marks:
        marks.write(f"{file.name}\n")


def sung(content: bytes, needles: tuple[bytes, ...]) -> Iterator[bytes]:
    """Yield the canaries in some bytes, as they are or as UTF-16."""
    wide = b"\0" in content
    for needle in needles:
        if wide and needle.decode().encode("utf-16-le") in content:
            yield needle
        if needle in content:
            yield from EXACTLY[needle].findall(content) if needle in EXACTLY else (needle,)


def keys_in(content: bytes) -> set[bytes]:
    """Return what has the form of a key, 32 bytes in base64, and nothing of its letters around it."""
    return {content[found.end() - 44 : found.end()] for found in KEY_END.finditer(content)}


def files_under(folder: Path) -> Iterator[Path]:
    """Yield the files of a run, without those in which something was planted."""
    for place, folders, names in os.walk(folder):
        here = Path(place)
        forgiven = set((here / PLANTED).read_text("utf-8").splitlines()) if PLANTED in names else set()
        folders[:] = [each for each in folders if each not in forgiven]
        for name in names:
            file = here / name
            if (
                name not in forgiven
                and file.suffix not in DATABASES
                and file.is_file()
                and not file.is_symlink()
            ):
                yield file


class Canaries:
    """What one process of a run has searched, and what it found."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.findings: list[str] = []
        self._running = "no test"
        self._patches = pytest.MonkeyPatch()

    def hear(self, place: str, content: bytes, needles: tuple[bytes, ...] = DATA) -> None:
        """Search some bytes; a finding names the place and never quotes more than the canary."""
        self.seen["bytes"] += len(content)
        for canary in set(sung(content, needles)):
            self.findings.append(f"{canary[:40].decode(errors='replace')!r} in {place}")

    def overhear(self, said: object) -> None:
        """Search what a door said while a test ran."""
        for text in said if isinstance(said, tuple) else (said,):
            if text:
                self.seen["sayings"] += 1
                content = text if isinstance(text, bytes) else str(text).encode(errors="surrogatepass")
                self.hear(f"what was said in {self._running}", content)

    def listen(self) -> None:
        """Overhear terminals, processes and HTTP from now on; plant the secret of the environment."""
        self._patches.setenv(ENVIRONMENT, "canary-of-the-environment-5d1f")
        for owner, name in MOUTHS:
            self._patches.setattr(owner, name, self._overheard(getattr(owner, name)))
        for client in (httpx.Response, httpx2.Response):
            self._patches.setattr(client, "aread", self._awaited(client.aread))

    def _overheard(self, speak: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(speak)
        def spoken(*given: Any, **named: Any) -> Any:
            said = speak(*given, **named)
            self.overhear(said)
            return said

        return spoken

    def _awaited(self, speak: Callable[..., Awaitable[bytes]]) -> Callable[..., Awaitable[bytes]]:
        @wraps(speak)
        async def spoken(*given: Any, **named: Any) -> bytes:
            said = await speak(*given, **named)
            self.overhear(said)
            return said

        return spoken

    def search(self, folder: Path) -> None:
        """Search every file of the run; keys of the key files among them stand in no other file."""
        keys: set[bytes] = set()
        holders: dict[bytes, Path] = {}
        for file in files_under(folder):
            content = file.read_bytes()
            self.seen["files"] += 1
            found = keys_in(content)
            if file.name == KEYS:
                keys |= found
                continue
            holders.update(dict.fromkeys(found, file))
            self.hear(str(file), content, (*DATA, *WORDS, *SECRETS))
        self.findings += [f"a key of a key file in {holders[key]}" for key in keys & holders.keys()]
        self.seen["keys"] += len(keys)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._running = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Search what a failed test would show, once it has all of it. Raw records of a log are no output."""
        for title, text in report.sections if report.when == "teardown" else ():
            if "log" not in title:
                said = text.encode(errors="surrogatepass")
                self.hear(f"{title} of {report.nodeid}", said, (*DATA, *SECRETS))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._patches.undo()
        folder = session.config.stash.get(FOLDER, None)
        if folder is not None:
            self.search(folder)
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[HEARD] = (dict(self.seen), self.findings)
        elif self.findings and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a process of the run has found."""
        seen, findings = getattr(node, "workeroutput", {}).get(HEARD, ({}, []))
        self.seen.update(seen)
        self.findings += findings

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        said = ", ".join(f"{self.seen[name]:,} {name}" for name in ("files", "sayings", "bytes", "keys"))
        terminalreporter.write_line(f"canaries: {said}, {len(self.findings)} findings")
        for finding in self.findings[:SHOWN]:
            terminalreporter.write_line(f"  {finding}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    canaries = Canaries()
    config.pluginmanager.register(canaries, HEARD)
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        canaries.listen()


@pytest.fixture(scope="session", autouse=True)
def run_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> None:
    """Keep where this process of the run writes, for the search at its end."""
    request.config.stash[FOLDER] = tmp_path_factory.getbasetemp()
