"""Names that the shell offers after a Tab: only what `identity.cli_user` may see, and nothing on a fault."""

from gateway.doors.project import definitions_of


def metric_names(incomplete: str) -> list[str]:
    """Return the visible metrics of the nearest project that begin like this."""
    try:
        given = definitions_of(None)
        visible = given.visible_to("")
    except Exception:  # a shell that waits for a Tab wants no error text
        return []
    return [name for name in given.layer.metrics if name.startswith(incomplete) and visible.metric(name)]


def codes(incomplete: str) -> list[str]:
    """Return the codes that begin like this."""
    from gateway.doors.explaining import known_codes

    return [code for code in known_codes() if code.startswith(incomplete)]
