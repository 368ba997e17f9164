"""Why one definition of a foreign file is left out."""


class Refused(Exception):
    """A definition cannot be kept; `code` is a row of the table of constructs, `why` the detail."""

    def __init__(self, code: str, why: str = "", seen: object = "") -> None:
        super().__init__(why or code)
        self.code = code
        self.why = why
        self.seen = seen
