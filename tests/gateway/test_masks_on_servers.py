"""Every mask on every engine, made by the script of `setup sql`: the same part of a value is left on all."""

from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest

from gateway.operation.proof import prove_roles
from tests.gateway.lending_house import script_of
from tests.gateway.masked_house import (
    EMAILS,
    NORTH,
    PARTNER,
    MaskedHouse,
    over_bigquery,
    over_duckdb,
    over_postgres,
    over_snowflake,
    tenant_of,
    write_register,
)
from tests.gateway.shop_house import reviewed
from tests.servers.postgres import DEFAULT_VERSION, running, versions, why_missing
from traces.records import Caller

SERVERS = [
    pytest.param(name, marks=pytest.mark.engine(name)) for name in ("postgres", "bigquery", "snowflake")
]
TEXTS = "name, email"
UNMASKED, READS_KEYS = "shows values that the role's rules mask", "lets the user read the keys of its hashes"
SPOILT = {
    "postgres": (
        "CREATE OR REPLACE VIEW cellbound_reviewed.people AS"
        " SELECT id, name, email, region, born::text AS born, spent::text AS spent FROM people;"
        "GRANT USAGE ON SCHEMA cellbound_keys TO cellbound_hash;"
        "GRANT SELECT (key) ON cellbound_keys.masks TO cellbound_hash",
        (UNMASKED, READS_KEYS),
    ),
    "bigquery": (
        "CREATE OR REPLACE VIEW `acme-shop`.`cellbound_reviewed`.`people` AS SELECT * FROM `shop`.`people`;\n"
        'GRANT `roles/bigquery.dataViewer` ON TABLE `cellbound_keys`.`masks` TO "user:u_hash@example.com";',
        (UNMASKED, READS_KEYS),
    ),
    "snowflake": (
        'ALTER MASKING POLICY "cellbound_people_email" SET BODY -> val;\n'
        'GRANT SELECT ON TABLE "CELLBOUND_KEYS"."MASKS" TO ROLE "HASH";',
        (UNMASKED, READS_KEYS),
    ),
}
"""What takes a mask away and lets a role read the keys, by server, and what is said of it."""


@pytest.fixture(scope="module")
def duckdb_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MaskedHouse]:
    """The register in a file, which the others are held against."""
    with over_duckdb(tmp_path_factory.mktemp("duckdb")) as house:
        yield house


@pytest.fixture(scope="module", params=SERVERS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MaskedHouse]:
    """The register on a server, once its script was run and its view, where it shows one, was reviewed."""
    folder = tmp_path_factory.mktemp(request.param)
    with ExitStack() as stack:
        match request.param:
            case "postgres":
                if DEFAULT_VERSION not in versions():
                    pytest.skip(why_missing(DEFAULT_VERSION))
                server = stack.enter_context(running(DEFAULT_VERSION))
                yield stack.enter_context(over_postgres(folder, server))
            case "bigquery":
                yield stack.enter_context(over_bigquery(folder))
            case _:
                yield stack.enter_context(over_snowflake(folder))


@pytest.mark.parametrize("role", ["last_four", "first_letter", "domain", "generalise", "mask"])
def test_a_mask_leaves_the_same_part_as_on_duckdb(
    house: MaskedHouse, duckdb_house: MaskedHouse, role: str
) -> None:
    assert house.read(f"u_{role}", TEXTS) == duckdb_house.read(f"u_{role}", TEXTS)


def test_dates_and_numbers_are_generalised_alike_or_not_shown(
    house: MaskedHouse, duckdb_house: MaskedHouse
) -> None:
    """A masking policy of Snowflake returns the type that it takes, so a date has no year there."""
    there = duckdb_house.read("u_generalise", "born, spent")
    assert there[0] == ("1815", "1000")
    here = house.read("u_generalise", "born, spent")
    assert here == ([(None, None)] * 4 if house.name == "snowflake" else there)


def test_one_tenant_key_gives_a_value_the_same_token_on_every_engine(
    house: MaskedHouse, duckdb_house: MaskedHouse
) -> None:
    key = duckdb_house.gateway.house.keys.commitment("masks of house").hex()
    house.key("house", key)
    tokens = [row[1] for row in house.read("u_hash", TEXTS)]
    assert tokens == [row[1] for row in duckdb_house.read("u_hash", TEXTS)]
    assert tokens == [each and _token(key, each) for each in EMAILS]
    assert house.read("u_hash", "name")[1] == (_token(key, "Zoë O'Hara"),)


def test_tenants_do_not_share_tokens_and_a_role_sees_those_of_its_own_rows(house: MaskedHouse) -> None:
    own, partners, north = (
        [row[0] for row in house.read(user, "email")] for user in ("u_hash", PARTNER, f"u_{NORTH}")
    )
    assert len(own) == len(partners) == 4
    assert not {each for each in own if each} & {each for each in partners if each}
    assert north == [own[0], own[2]]


def test_a_question_that_shows_a_token_is_no_stranger_to_the_database(house: MaskedHouse) -> None:
    """What the mask itself looks up is beneath the relation, as the rows of a view are."""
    caller = Caller(user="u_hash", roles=("hash",), tenant=tenant_of("u_hash"))
    relation = house.gateway.house.layer.datasets["people"].relation
    reply = reviewed(house.gateway, caller, f"SELECT id, email FROM {relation} ORDER BY id LIMIT 9")
    assert reply.outcome == "answered", reply.issues
    assert [row[1] for row in reply.rows] == [row[0] for row in house.read("u_hash", "email")]


def test_a_role_that_sees_no_part_of_a_value_sees_none(house: MaskedHouse) -> None:
    relation = house.gateway.house.layer.datasets["people"].relation
    assert house.read("u_plain", "region") == [("EMEA",), ("AMER",), ("EMEA",), ("APAC",)]
    if relation != "people" and house.name == "bigquery":
        assert house.read("u_plain", TEXTS) == [(None, None)] * 4


def test_every_role_is_proved_once_the_script_was_run(house: MaskedHouse) -> None:
    found = [f"{each.name}: {each.detail}" for each in prove_roles(house.gateway.house) if not each.ok]
    if house.name == "snowflake":  # a grant cannot take a column out there, so plain roles see it, as NULL
        found = [each for each in found if "shows columns that the role may not see" not in each]
    assert found == []


def test_a_mask_that_is_gone_and_keys_that_can_be_read_are_named(house: MaskedHouse) -> None:
    spoilt, said = SPOILT[house.name]
    house.run(spoilt)
    try:
        found = [f"{each.name}: {each.detail}" for each in prove_roles(house.gateway.house)]
    finally:
        house.mend()
    (role,) = [each for each in found if each.startswith("role hash:")]
    for each in said:
        assert each in role


def test_an_account_of_several_tenants_has_no_key_on_bigquery(tmp_path: Path) -> None:
    """The service sees one account per role there: it could not say whose key a token is made with."""
    url = "bigquery://acme/shop?location=EU&authenticator=impersonate&principal={role}@acme.example"
    folder = write_register(tmp_path, url, 'credentials = "environment"')
    lone = script_of(folder, "bigquery")
    assert "STRUCT('hash@acme.example' AS asker, 'house' AS tenant)" in lone
    settings = folder / "cellbound.toml"
    second = '\n[identity.users.second]\nroles = ["hash"]\ntenant = "partners"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + second, encoding="utf-8")
    shared = script_of(folder, "bigquery")
    assert "AS asker, 'house' AS tenant" in shared and "STRUCT('hash@acme.example'" not in shared
    assert "-- No key, and so no token, for accounts of several tenants: hash@acme.example" in shared


def test_no_script_holds_a_key_and_a_second_run_keeps_each(house: MaskedHouse) -> None:
    key = "ab" * 32
    house.key("house", key)
    before = house.read("u_hash", "email")
    script = script_of(house.folder, house.name)
    assert key not in script
    house.run(script)
    assert house.read("u_hash", "email") == before


def test_a_question_over_a_masked_table_is_answered(house: MaskedHouse) -> None:
    caller = Caller(user="u_hash", roles=("hash",), tenant=tenant_of("u_hash"))
    plan = {"metrics": ["people_count"], "dimensions": ["region"], "dialect": house.name}
    reply = house.gateway.ask(caller, plan)
    assert reply.outcome == "answered", reply.issues
    assert sorted(reply.rows) == [("AMER", 1), ("APAC", 1), ("EMEA", 2)]
    joined = house.gateway.ask(caller, {**plan, "metrics": ["visit_count"]})
    assert joined.outcome == "answered", joined.issues
    assert sorted(joined.rows) == [("AMER", 1), ("APAC", 1), ("EMEA", 2)]
    trace = house.gateway.traces.read(joined.trace_id)
    assert trace is not None and trace.closed is not None
    assert "row_conservation" in {each.check for each in trace.closed.decisions}
    if house.name == "bigquery":
        assert trace.closed.pins is not None and trace.closed.pins.data.kind == "none", "a view has no past"


def _token(key: str, value: str) -> str:
    inner = sha256(f"{key}{value}".encode()).hexdigest()
    return sha256(f"{key}{inner}".encode()).hexdigest()[:16]
