"""Row and masking policies of the stand-in: bodies in Snowflake's words, run with their owner's rights."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from tests.servers.snowflake_account import Account, Name, Policy, quoted


def masks_of(account: Account, role: str, user: str, name: Name) -> Mapping[str, str]:
    """Return what stands in the place of each column that has a masking policy, in DuckDB's words."""
    return {
        column: _applied(account, role, user, account.policies[policy], [column])
        for (table, column), policy in account.masked_by.items()
        if table == name
    }


def kept_of(account: Account, role: str, user: str, name: Name) -> str:
    """Return the condition of a table's row policy in DuckDB's words, "" without one."""
    if name not in account.kept_by:
        return ""
    policy, columns = account.kept_by[name]
    return _applied(account, role, user, account.policies[policy], columns)


def _applied(account: Account, role: str, user: str, policy: Policy, columns: Sequence[str]) -> str:
    body, roles = policy.body.copy(), account.closure(role)
    own = dict(zip(policy.takes, columns, strict=True))
    for node in list(body.walk()):
        if isinstance(node, exp.Identifier):
            node.set("this", node.name.upper())
            node.set("quoted", True)
        elif isinstance(node, exp.CurrentUser):
            node.replace(exp.Literal.string(user))
        elif isinstance(node, exp.Anonymous) and node.name.upper() == "IS_ROLE_IN_SESSION":
            node.replace(exp.Boolean(this=node.expressions[0].name in roles))
    for column in list(body.find_all(exp.Column)):
        if not column.table and column.name in own:
            column.set("this", exp.to_identifier(own[column.name], quoted=True))
    for table in list(body.find_all(exp.Table)):
        place = exp.to_table(quoted(account.full_name([part.name for part in table.parts])), dialect="duckdb")
        table.replace(exp.alias_(place, table.alias, table=True, quoted=True) if table.alias else place)
    return body.sql("duckdb")
