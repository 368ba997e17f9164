"""A library's project over PostgreSQL: two branches that may not see each other's loans."""

from pathlib import Path
from urllib.parse import quote

from gateway.operation.setup import SetupEngine, setup_text
from gateway.settings.file import load_settings
from metric_layer.load import load_layer
from policies.load import load_policy
from tests.servers.postgres import Server

TABLES = """
CREATE TABLE branches (branch_id int PRIMARY KEY, town text);
CREATE TABLE readers (
    reader_id int PRIMARY KEY, branch_id int, email text,
    "phone
; DROP TABLE cellar; --" text);
CREATE TABLE loans (loan_id int PRIMARY KEY, reader_id int, lent_on date, fee numeric(8, 2));
CREATE TABLE "Odd ""Names" (id int PRIMARY KEY, "loan id" int, note text);
CREATE TABLE cellar (secret text);
"""
SETTINGS = """
[project]
name = "lending"

[engine]
url = "{url}"
mode = "{mode}"
connections = 4

[identity.users.alice]
roles = ["north"]

[identity.users.bob]
roles = ["south"]

[identity.users.olga]
roles = ["owner"]
"""
METRICS = """
datasets:
  - name: branches
    relation: branches
    primary_key: [branch_id]
    columns: [{name: branch_id, type: integer}, {name: town, type: string}]
  - name: readers
    relation: readers
    primary_key: [reader_id]
    columns:
      - {name: reader_id, type: integer}
      - {name: branch_id, type: integer}
      - {name: email, type: string, personal: contact}
      - {name: "phone\\n; DROP TABLE cellar; --", type: string, personal: contact}
  - name: loans
    relation: public.loans
    primary_key: [loan_id]
    columns:
      - {name: loan_id, type: integer}
      - {name: reader_id, type: integer}
      - {name: lent_on, type: date}
      - {name: fee, type: decimal}
  - name: notes
    relation: '"Odd ""Names"'
    primary_key: [id]
    columns: [{name: id, type: integer}, {name: loan id, type: integer}, {name: note, type: string}]
relationships:
  - name: reader_branch
    from_dataset: readers
    from_columns: [branch_id]
    to_dataset: branches
    to_columns: [branch_id]
  - name: loan_reader
    from_dataset: loans
    from_columns: [reader_id]
    to_dataset: readers
    to_columns: [reader_id]
  - name: note_loan
    from_dataset: notes
    from_columns: [loan id]
    to_dataset: loans
    to_columns: [loan_id]
dimensions:
  - {name: town, dataset: branches, column: town}
  - {name: lent_on, dataset: loans, column: lent_on}
metrics:
  - name: loan_count
    type: count
    version: 1
    owner: desk
    description: Loans.
    dataset: loans
    time_field: lent_on
"""
# The north reads loans and notes, but neither readers nor branches, which its rule is about.
POLICY = """
name: lending
roles:
  north:
    datasets: [loans, notes]
    rows: [{field: town, op: in, values: ["O'Hara\\\\s End"]}]
  south:
    datasets: [branches, readers, loans, notes]
    hidden_columns: [loans.fee]
    rows: [{field: town, op: in, values: [South]}, {field: lent_on, op: ge, values: ["2024-01-01"]}]
  owner:
    datasets: [branches, readers, loans, notes]
caps: {seconds: 20, spill_mb: 64}
release: {governed: autonomous}
"""
NORTH = "O'Hara\\s End"


def write_lending(folder: Path, server: Server, database: str, *, login: str = "") -> Path:
    """Write the project over a database of a server; with the gateway's own login it switches roles."""
    who, place = f"{login}@" if login else "", quote(str(server.folder), safe="")
    url = f"postgresql://{who}/{database}?host={place}&port={server.port}"
    for name, text in (
        ("cellbound.toml", SETTINGS.format(url=url, mode="set_role" if login else "login")),
        ("metrics/lending.yml", METRICS),
        ("policies/policy.yml", POLICY),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def script_of(project: Path, engine: SetupEngine = "postgres") -> str:
    """Return what `setup sql` prints for a project."""
    settings = load_settings(project)
    layer = load_layer(settings.at(settings.paths.metrics))
    return setup_text(
        settings, layer, load_policy(settings.at(settings.paths.policies), layer).policy, engine
    )
