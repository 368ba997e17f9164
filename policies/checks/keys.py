"""Checks on the keys that joins rest on: what was attested before a run, and what the guard counted in it."""

from collections.abc import Iterator

from policies.facts import Finding, GuardFacts, PlanFacts, SuspectKey


def check_key_attestation(facts: PlanFacts) -> Iterator[Finding]:
    """Deny a plan that joins along a key which was found not to be one."""
    for key in facts.broken_keys:
        yield Finding(
            "hard",
            f"{key.dataset} holds several rows with the same {key.columns or 'key'}, so"
            f" {key.relationship} would count rows more than once",
            seen=f"{key.repeated:,} repeated rows",
            place=key.relationship,
            next_step=_mend((key,), ", then run `cellbound metrics attest`"),
        )


def check_stale_attestation(facts: PlanFacts) -> Iterator[Finding]:
    """Hold a plan that joins on a key which was not counted lately, where the policy asks for that."""
    for relationship in facts.stale_keys:
        yield Finding(
            "hold",
            f"the key of {relationship} was not attested lately",
            seen="no attestation of that age",
            threshold=f"{facts.policy.evidence.attested_hours:g} hours",
            place=relationship,
            next_step="Run `cellbound metrics attest`, or let a reviewer decide.",
        )


def check_row_conservation(facts: GuardFacts) -> Iterator[Finding]:
    """A branch joins as many rows as its fact has under the same filters: none is lost or repeated."""
    if facts.skipped:
        yield Finding("skipped", facts.skipped)
    if facts.blocked:
        reason = f"the guard could not run: {facts.blocked}"
        yield Finding("hold", reason, next_step="Run `cellbound metrics attest`.")
    for branch in facts.branches:
        few = branch.own < facts.smallest
        seen = "few rows" if few else f"{branch.joined:,} joined, {branch.own:,} of its own"
        if branch.joined == branch.own:
            yield Finding("allow", f"{branch.leaves}: no row lost or repeated", seen=seen)
            continue
        did = "repeated" if branch.joined > branch.own else "lost"
        keys = ", ".join(f"{key.dataset} ({key.columns or 'its key'})" for key in branch.suspects)
        yield Finding(
            "hard",
            f"{branch.leaves}: joining {did} rows; a declared key is not one: {keys}",
            seen=seen,
            place=", ".join(key.relationship for key in branch.suspects),
            next_step=_mend(branch.suspects),
        )


def _mend(suspects: tuple[SuspectKey, ...], then: str = "") -> str:
    queries = "; ".join(key.query for key in suspects if key.query)
    if not queries:
        return f"Ask the owner of the data to mend its keys{then}."
    return f"Mend the rows that this shows{then}: {queries}"
