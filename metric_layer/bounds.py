"""What a value must be and what to write instead, in our own words, by the rule that it broke."""

from collections.abc import Mapping

KINDS = {
    "string": "text",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "finite": "a finite number",
    "is_instance_of": "a number",
    "date": "a date as YYYY-MM-DD",
    "time": "a time as HH:MM",
    "tuple": "a list",
    "list": "a list",
    "dict": "a mapping",
    "mapping": "a mapping",
    "model": "a mapping",
    "none_required": "nothing",
}
"""What a value must be, by how the name of pydantic's error begins."""
RULES = frozenset(
    (
        "string_too_short",
        "string_too_long",
        "string_pattern_mismatch",
        "decimal_max_digits",
        "decimal_max_places",
        "decimal_whole_digits",
    )
)
"""Errors whose name begins like that of a kind although the kind is right."""
NAME = "lower-case letters, digits and underscores, beginning with a letter"
PATTERNS = (
    (r"\..+", "a dataset, a dot and a column: orders.amount"),
    ("[a-z][a-z0-9_]", NAME),
    ("hook:", "one of its words, a hook:MODULE:FUNCTION or a files:FOLDER"),
    ("https?://", "an address that begins with http:// or https://"),
    ("postgres", "an address that begins with postgres://"),
    ("[0-9a-f]{64}", "the 64 hexadecimal digits of a SHA-256"),
    ("[A-Z]{2}", "two capital letters: the code of a country"),
    ("[A-Z][A-Z0-9_]", "the name of an environment variable, in capitals"),
    ("[A-Za-z0-9-]", "the name of an HTTP header"),
)
"""What a text must be, by a part of the pattern that it does not match."""
SIDES = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))


def kind_of(error: str) -> str:
    """Return what a value must be where it is of the wrong kind; nothing for another error."""
    if error in RULES:
        return ""
    return next((words for begins, words in KINDS.items() if error.startswith(begins)), "")


def bound_of(error: str, context: Mapping[str, object]) -> tuple[str, str]:
    """Return (what a value must do, what to do about it) for a value of the right kind."""
    if error == "string_pattern_mismatch":
        pattern = str(context.get("pattern"))
        words = next((words for part, words in PATTERNS if part in pattern), f"a text that matches {pattern}")
        return f"must be {words}", f"Write {words}."
    if error in ("too_short", "string_too_short"):
        least = context.get("min_length")
        must = "must not be empty" if least == 1 else f"must hold at least {least}"
        return must, "Fill it in." if least == 1 else f"Write {least} or more."
    if error in ("too_long", "string_too_long"):
        most = context.get("max_length")
        return f"must hold at most {most}", f"Shorten it to {most}."
    for key, words in SIDES:
        if key in context:
            side = f"{words} {_number(context[key])}"
            return f"must be {side}", f"Write a number of {side}."
    if "error" in context:
        said = str(context["error"]).rstrip(".")
        return f"will not do: {said}", "Correct it as this says."
    return "is not a value that is allowed here", "Leave it out, or write another."


def _number(side: object) -> str:
    return f"{side:g}" if isinstance(side, float) else str(side)
