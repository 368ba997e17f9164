"""A small project over a real PostgreSQL, reached through a network that a test can break."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import yaml

from tests.servers.postgres import Server
from tests.simulation.project import DEFINITIONS, ROLES
from traces.records import Caller

PLAN: dict[str, object] = {"metrics": ["parcel_count"], "dimensions": ["region"], "dialect": "postgres"}
TOKEN = "a token for ana"
SETTINGS = """
[project]
name = "post"

[engine]
url = "postgresql://127.0.0.1:{port}/{database}"
connections = 4

[identity]
cli_user = "post_ana"

[identity.users.post_ana]
roles = ["everywhere"]
tenant = "post"

[identity.users.post_rita]
roles = ["reviewer"]
tenant = "post"

[[identity.tokens]]
user = "post_ana"
sha256 = "{digest}"

[server]
port = 0
"""
TABLES = """
CREATE TABLE parcels (parcel_id int PRIMARY KEY, region text);
INSERT INTO parcels SELECT i, CASE WHEN i % 3 = 0 THEN 'north' ELSE 'south' END
FROM generate_series(1, 90) AS i;
ANALYZE parcels;
GRANT SELECT ON parcels TO post_ana, post_rita;
"""
USERS = ("post_ana", "post_rita")
ANA, RITA = (
    Caller(user=user, roles=(role,), tenant="post")
    for user, role in zip(USERS, ("everywhere", "reviewer"), strict=True)
)
SLOW = """
ALTER TABLE parcels RENAME TO parcels_now;
CREATE FUNCTION waited(seconds float8) RETURNS bool LANGUAGE sql VOLATILE AS
$$ SELECT pg_sleep(seconds) IS NOT NULL $$;
CREATE VIEW parcels AS SELECT p.* FROM parcels_now AS p, (SELECT waited({seconds}) AS done) AS w WHERE w.done;
GRANT SELECT ON parcels TO post_ana, post_rita;
"""


@dataclass(frozen=True, slots=True)
class PostOffice:
    """A database with parcels; `execute` runs SQL in it as its owner."""

    server: Server
    database: str

    @property
    def socket(self) -> str:
        """Where the server lets everybody in; a network of ours leads there."""
        return str(self.server.folder / f".s.PGSQL.{self.server.port}")

    def execute(self, sql: str) -> None:
        self.server.execute(sql, self.database)

    def slow(self, seconds: float) -> None:
        """Make every question to the parcels take at least so long."""
        self.execute(SLOW.format(seconds=seconds))

    def project(self, folder: Path, port: int, seconds: float = 30.0) -> Path:
        """Write a project that reaches the database at a port; a question may take `seconds`."""
        (folder / "metrics").mkdir(parents=True)
        (folder / "policies").mkdir()
        (folder / "metrics" / "post.yml").write_text(DEFINITIONS, encoding="utf-8")
        roles = {name: ROLES[name] for name in ("everywhere", "reviewer")}
        policy = {
            "name": "post",
            "roles": roles,
            "caps": {"seconds": seconds},
            "budget": {"unknown": "hard_caps"},
            "answers": {"min_group": 1},
            "release": {"governed": "autonomous"},
        }
        (folder / "policies" / "policy.yml").write_text(yaml.safe_dump(policy), encoding="utf-8")
        settings = SETTINGS.format(
            port=port, database=self.database, digest=sha256(TOKEN.encode()).hexdigest()
        )
        (folder / "cellbound.toml").write_text(settings, encoding="utf-8")
        return folder


def post_office_on(server: Server, database: str) -> PostOffice:
    """Fill an empty database, and make the logins where they are not there yet."""
    for user in USERS:
        server.execute(
            f"DO $$ BEGIN CREATE ROLE {user} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
        )
    server.execute(TABLES, database)
    return PostOffice(server, database)
