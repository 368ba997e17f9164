"""What `setup sql` calls things in PostgreSQL, and by which `doctor` knows them again."""

from hashlib import sha256

LONGEST = 63
RULES = "cellbound_rules"
"""The schema of the lists of keys that row policies look into; an asker may read those of their own role."""
PREFIX = "cellbound_"


def group_of(role: str) -> str:
    """Return the database role that holds the rights of a role of the policy."""
    return _fitting(f"{PREFIX}{role}")


def lists_of(role: str) -> str:
    """Return what the names of a role's lists of keys begin with, and no other role's."""
    return f"{sha256(role.encode()).hexdigest()[:8]} "


def list_of(role: str, dataset: str, number: int) -> str:
    """Return the view that lists the keys which a role's rule on a dataset keeps."""
    return _fitting(f"{lists_of(role)}{role} {dataset} {number}")


def quoted(*names: str) -> str:
    """Return names as one quoted identifier, dots between them."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def text(value: str) -> str:
    """Return a text as a literal of standard SQL."""
    return "'" + value.replace("'", "''") + "'"


def _fitting(name: str) -> str:
    """Return a name that the server does not cut: two long ones stay two."""
    if len(name.encode()) <= LONGEST:
        return name
    return f"{name.encode()[: LONGEST - 9].decode(errors='ignore')}_{sha256(name.encode()).hexdigest()[:8]}"
