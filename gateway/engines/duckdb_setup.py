"""Commands that make a DuckDB file hold what a file without users can hold; for a person to run."""

import shlex
from collections.abc import Iterator

from gateway.engines.setup import Setup, commented

NO_FILE = ":memory:"

TEXT = """\
# What a DuckDB file can hold for the project {project}, so that its limits outlive the gateway's bugs.
# Written by `cellbound setup sql` from metrics/, policies/ and cellbound.toml. Nothing was run.
# DuckDB has no users: whoever can open the file sees all of it. Two walls are left, and both are made here.
# `cellbound doctor` says whether something is still missing.

# 1. The operating system's rights. The gateway runs as a user of its own, who reads a published copy and
#    writes nothing but var/; nobody else may open the file.
sudo useradd --system --shell /usr/sbin/nologin cellbound
{published}

# 2. A file per role that holds its rows and columns only. Write into cellbound.toml:
#        [engine.duckdb]
#        mode = "hard"
#    With Parquet files it is so without being written. These roles would read:
{roles}

# Memory and time of everything together: a service with limits of the system's own.
sudo systemd-run --uid=cellbound --property=MemoryMax={memory}M --property=CPUQuota=200% \\
  --property=NoNewPrivileges=yes --property=ProtectSystem=strict --property=ReadWritePaths="$PWD/var" \\
  --working-directory="$PWD" cellbound serve
"""


def duckdb_setup(setup: Setup) -> str:
    """Return the commands. The same project gives the same text."""
    roles = [
        f"{role.name}: {', '.join(_said(each.dataset, bool(each.rules)) for each in role.readings)}"
        for role in setup.roles
    ]
    return TEXT.format(
        project=" ".join(setup.project.split()),
        published="\n".join(_published(setup)),
        roles=commented("\n".join(roles), "#      "),
        memory=setup.limits.memory_mb * 2 + 2048,
    )


def _published(setup: Setup) -> Iterator[str]:
    """Yield what makes each file readable for the gateway and for nobody else."""
    file = (
        setup.url.partition(":")[2].removeprefix("//") if setup.url.startswith("duckdb:") else "FILE.duckdb"
    )
    if file != NO_FILE:
        yield f"sudo install --owner=root --group=cellbound --mode=640 NEW.duckdb {shlex.quote(file)}"
    for path in setup.parquet:
        # A star outside the quotes is the shell's own.
        written = "*".join(shlex.quote(part) if part else "" for part in path.split("*"))
        yield f"sudo chown root:cellbound -- {written} && sudo chmod 640 -- {written}"


def _said(dataset: str, ruled: bool) -> str:
    return f"{dataset} (some rows)" if ruled else dataset
