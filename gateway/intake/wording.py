"""The sentences of questions back and abstentions: what was seen, and what to say instead."""

from gateway.intake.outcome import Problem

_SENTENCES: dict[str, tuple[str, str]] = {
    "ambiguous_metric": ("{term!r} may mean several metrics.", "Say which: {options}."),
    "ambiguous_value": ("{term!r} can be read in more than one way.", "Say which: {options}."),
    "ambiguous_date": ("{term!r} may mean different days.", "Say which: {options}."),
    "invalid_date": ("{term!r} is on no calendar.", "Give a date or period that exists."),
    "vague_time": ("{term!r} names no exact days.", "Name a period, such as last month, Q3 or two dates."),
    "missing_time": ("The question names no period.", "Add one, such as last month or since 1 October."),
    "missing_metric": ("The question names no metric.", "Say which figure is wanted."),
    "missing_dimension": ("There is nothing to rank or to split by.", "Say by what, such as by month."),
    "unknown_value": ("{term!r} is no known value.", "Did you mean {options}?"),
    "unknown_metric": ("{term!r} is no metric of this layer.", "Ask for a metric that is listed."),
    "unknown_dimension": ("{term!r} is no dimension of this layer.", "Split by a dimension that is listed."),
    "incompatible_dimension": (
        "The definition does not allow {term}.",
        "Split or filter by another dimension.",
    ),
    "unsupported": ("Questions of this kind ({term}) are not answered.", "Ask for a figure of a period."),
    "future_window": ("{term!r} lies after today.", "Ask about a period that has begun."),
    "out_of_data_range": ("There is no data for all of {term!r}.", "Ask about a period that has data."),
}

_NEAR = {
    "incompatible_dimension": "It goes with: {options}.",
    "invalid_date": "Give a date or period that exists; the nearest date is {options}.",
    "out_of_data_range": "The nearest day with data is {options}.",
}


def told(problem: Problem) -> Problem:
    """Return a problem with its sentence and its next step."""
    message, step = _SENTENCES[problem.reason]
    options = problem.options or problem.near
    if problem.near and (problem.action == "abstain" or problem.reason in _NEAR):
        step = _NEAR.get(problem.reason, "Did you mean {options}?")
    if not options and "{options}" in step:
        step = "Say it in other words."
    filled = {"term": problem.term, "options": ", ".join(options)}
    return problem.model_copy(
        update={"message": message.format(**filled), "next_step": step.format(**filled)}
    )
