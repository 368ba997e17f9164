"""Logins that a certificate proves, over TCP: whose it is decides, and a bad one is said to be bad."""

import logging
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gateway.engines.base import EngineError, Identity
from gateway.engines.postgres import PostgresEngine, open_postgres
from gateway.engines.postgres_setup import postgres_setup
from gateway.engines.setup import RoleSetup, Setup
from gateway.settings.file import EngineSettings
from tests.canaries import forgive
from tests.gateway.engines.warehouse import ALICE, BOB, LIMITS
from tests.servers.certificates import Authority, encrypt
from tests.servers.postgres import Server, running, versions, why_missing

pytestmark = pytest.mark.engine("postgres")

ENCRYPTING = [15, 17]
"""The wheel of 18 was built without encryption."""
EVE = Identity("eve", "seller")
LOGINS = "SELECT session_user::text, current_user::text"
DATABASES = ("own", "mapped", "mailed")
HBA = (
    "hostssl own +askers 127.0.0.1/32 cert",
    "hostssl mapped +askers 127.0.0.1/32 cert map=gw",
    "hostssl mailed +askers 127.0.0.1/32 cert map=mail",
    "hostssl own,mapped,mailed all 127.0.0.1/32 reject",
)
MAIL = r"mail /^(.*)@example\.org$ \1"
ROLES = "CREATE ROLE askers; CREATE ROLE eve LOGIN;" + "".join(
    f"CREATE ROLE {name} LOGIN IN ROLE askers;" for name in ("alice", "bob")
)


@dataclass(slots=True)
class Place:
    """A server that asks for certificates, an authority, and a folder that holds what it signed."""

    server: Server
    authority: Authority
    folder: Path
    engines: list[PostgresEngine] = field(default_factory=list)

    def engine(self, database: str, credentials: str = "server", **files: Path) -> PostgresEngine:
        """Open an engine over TCP; `files` stand in its url."""
        keys = {"sslrootcert": self.folder / "root.crt", **files}
        more = "".join(f"&{name}={file}" for name, file in keys.items())
        url = f"postgresql://127.0.0.1:{self.server.port}/{database}?sslmode=verify-full{more}"
        settings = EngineSettings(url=url, credentials=credentials)
        members = {"seller": ("alice", "bob", "eve")}
        self.engines.append(open_postgres(settings, LIMITS, members, self.folder))
        return self.engines[-1]

    def sign(self, common_name: str, folder: str = "certificates", stem: str = "", days: int = 1) -> Path:
        """Sign for a login; return the certificate."""
        (self.folder / folder).mkdir(exist_ok=True)
        forgive(self.folder / folder)
        return self.authority.sign(common_name, self.folder / folder, stem, days=days)[0]

    def close(self) -> None:
        """Close every engine."""
        while self.engines:
            self.engines.pop().close()


@pytest.fixture(scope="module", params=ENCRYPTING)
def servers(request: pytest.FixtureRequest) -> Iterator[tuple[Server, Authority]]:
    """A server whose databases ask for certificates in three ways, and who signs them."""
    version: int = request.param
    if version not in versions():
        pytest.skip(why_missing(version))
    group = ("+askers",) if version >= 16 else ("alice", "bob")
    with running(version, hba=HBA, ident=(MAIL, *(f"gw cellbound {name}" for name in group))) as server:
        server.execute(ROLES)
        for name in DATABASES:
            server.create_database(name)
        authority = Authority("house")
        encrypt(server, authority)
        yield server, authority


@pytest.fixture
def place(servers: tuple[Server, Authority], tmp_path: Path) -> Iterator[Place]:
    """The server, with a folder of the test's own."""
    found = Place(*servers, tmp_path)
    found.authority.write(tmp_path / "root.crt")
    yield found
    found.close()


def _fault(engine: PostgresEngine, who: Identity) -> EngineError:
    with pytest.raises(EngineError) as caught:
        engine.run(LOGINS, who, LIMITS, "q")
    return caught.value


@pytest.mark.parametrize(("database", "named"), [("own", "{}"), ("mailed", "{}@example.org")])
def test_each_asker_logs_in_by_a_certificate_of_their_own(place: Place, database: str, named: str) -> None:
    for who in (ALICE, BOB):
        place.sign(named.format(who.user), stem=who.user)
    engine = place.engine(database, "certificates:certificates")
    for who in (ALICE, BOB, ALICE):
        assert engine.run(LOGINS, who, LIMITS, "q").rows == ((who.user, who.user),)


def test_the_gateways_certificate_is_mapped_to_its_askers_and_to_nobody_else(place: Place) -> None:
    certificate = place.sign("cellbound")
    engine = place.engine("mapped", sslcert=certificate, sslkey=certificate.with_suffix(".key"))
    for who in (ALICE, BOB):
        assert engine.run(LOGINS, who, LIMITS, "q").rows == ((who.user, who.user),)
    assert _fault(engine, EVE).code == "login_refused"


@pytest.mark.parametrize(
    ("database", "named"), [("own", "{}"), ("mailed", "{}@example.org"), ("mapped", "{}")]
)
def test_nobodys_certificate_logs_in_as_somebody_else(place: Place, database: str, named: str) -> None:
    place.sign(named.format("alice"), stem="bob")
    fault = _fault(place.engine(database, "certificates:certificates"), BOB)
    assert (fault.code, fault.retryable) == ("login_refused", False)


def test_a_certificate_that_was_changed_counts_for_the_next_session(place: Place) -> None:
    place.sign("alice", stem="bob")
    engine = place.engine("own", "certificates:certificates")
    assert _fault(engine, BOB).code == "login_refused"
    for file in (place.folder / "certificates").iterdir():
        file.unlink()
    place.sign("bob")
    assert engine.run(LOGINS, BOB, LIMITS, "q").rows == (("bob", "bob"),)


def _spoiled(place: Place, how: str) -> dict[str, Path]:
    """Make alice's certificate and key bad; return what the url names beside them."""
    foreign = Authority("elsewhere")
    certificate = place.sign("alice", days=-1 if how == "has expired" else 1)
    key = certificate.with_suffix(".key")
    match how:
        case "is signed by another authority":
            certificate.unlink()
            key.unlink()
            foreign.sign("alice", certificate.parent)
        case "has another key":
            shutil.copyfile(place.sign("bob").with_suffix(".key"), key)
        case "has a key that is none":
            key.write_text(key.read_text().replace("PRIVATE", "PIRATE"))
        case "is none":
            shutil.copyfile(key, certificate)
        case "has a key that others may read":
            key.chmod(0o644)
        case "is not there":
            certificate.unlink()
        case "is shown to another server":
            return {"sslrootcert": foreign.write(place.folder / "foreign.crt")}
    return {}


SPOILED = {
    "is signed by another authority": "certificate_refused",
    "has expired": "certificate_refused",
    "has another key": "certificate_unusable",
    "has a key that is none": "certificate_unusable",
    "is none": "certificate_unusable",
    "has a key that others may read": "credential_missing",
    "is not there": "credential_missing",
    "is shown to another server": "server_not_proved",
}


@pytest.mark.parametrize(("how", "code"), SPOILED.items())
def test_a_certificate_that_is_no_good_is_refused_in_our_words_and_its_key_is_told_to_nobody(
    place: Place, how: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    files = _spoiled(place, how)
    secret = (place.folder / "certificates" / "alice.key").read_text().splitlines()[1]
    fault = _fault(place.engine("own", "certificates:certificates", **files), ALICE)
    assert (fault.code, fault.retryable) == (code, False)
    assert fault.next_step
    told = f"{fault} {fault.next_step} {fault.__cause__} {caplog.text}"
    assert all(hidden not in told for hidden in (secret, str(place.folder), "127.0.0.1", "PRIVATE KEY"))


def test_who_shows_no_certificate_or_does_not_encrypt_is_refused(place: Place) -> None:
    assert _fault(place.engine("own"), ALICE).code == "login_refused"
    certificate = place.sign("cellbound")
    url = f"postgresql://127.0.0.1:{place.server.port}/mapped?sslmode=disable&sslcert={certificate}"
    plain = open_postgres(EngineSettings(url=url), LIMITS, {"seller": ("alice",)}, place.folder)
    place.engines.append(plain)
    fault = _fault(plain, ALICE)
    assert (fault.code, fault.retryable) == ("login_refused", False)


def test_a_certificate_is_never_shown_in_the_clear_where_the_url_says_nothing(place: Place) -> None:
    place.sign("alice")
    url = f"postgresql://127.0.0.1:{place.server.port}/own"
    settings = EngineSettings(url=url, credentials="certificates:certificates")
    engine = open_postgres(settings, LIMITS, {"seller": ("alice",)}, place.folder)
    place.engines.append(engine)
    encrypted = "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    assert engine.run(encrypted, ALICE, LIMITS, "q").rows == (("true",),)


@pytest.mark.parametrize("login", ["../alice", "a/../alice", ".."])
def test_a_login_reaches_no_file_outside_the_folder(place: Place, login: str) -> None:
    place.sign("alice")
    (place.folder / "inner").mkdir()
    assert _fault(place.engine("own", "certificates:inner"), Identity(login, "seller")).code == (
        "credential_missing"
    )


def _printed(text: str) -> tuple[list[str], list[list[str]]]:
    """Return the lines for pg_hba.conf, and each block of lines for pg_ident.conf, that a script shows."""
    blocks = [
        [line.removeprefix("--   ") for line in block.splitlines()]
        for block in re.findall(r"(?m)(?:^--   (?:local|hostssl|cellbound)  .*\n?)+", text)
    ]
    return blocks[0], blocks[1:]


@pytest.mark.parametrize("version", ENCRYPTING)
@pytest.mark.parametrize("credentials", ["server", "certificates:certificates"])
def test_the_lines_that_setup_prints_let_every_asker_in_and_no_other(
    version: int, credentials: str, tmp_path: Path
) -> None:
    if version not in versions():
        pytest.skip(why_missing(version))
    setup = Setup(
        project="shop",
        url="postgresql://db.example/shop",
        credentials=credentials,
        login="",
        connections=4,
        limits=LIMITS,
        roles=(RoleSetup("seller", ("alice",), ()), RoleSetup("old hand", ("bob", "d\"o'ra"), ())),
        types={},
    )
    hba, ident = _printed(text := postgres_setup(setup))
    here = [line.replace("DATABASE", "shop").replace("ADDRESS", "127.0.0.1/32") for line in hba]
    block = ident[0 if version >= 16 else 1] if ident else []
    mapped = [line.replace("COMMON_NAME", "cellbound") for line in block]
    with running(version, hba=(*here, "host all all 127.0.0.1/32 reject"), ident=mapped) as server:
        server.create_database("shop")
        server.execute(text, "shop")
        server.execute("CREATE ROLE eve LOGIN")
        encrypt(server, authority := Authority("house"))
        place = Place(server, authority, tmp_path)
        authority.write(tmp_path / "root.crt")
        for name in ("cellbound", "alice", "bob", "d\"o'ra", "eve"):
            certificate = place.sign(name)
        gateway = certificate.with_name("cellbound.crt")
        files = {} if ident == [] else {"sslcert": gateway, "sslkey": gateway.with_suffix(".key")}
        engine = place.engine("shop", credentials, **files)
        for name in ("alice", "bob", "d\"o'ra"):
            assert engine.run(LOGINS, Identity(name, "seller"), LIMITS, "q").rows == ((name, name),)
        assert _fault(engine, EVE).code == "login_refused"
        place.close()
