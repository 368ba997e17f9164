"""Which saved analysis a question was a step of: by name, version and content hash."""

from metric_layer.record import Record


class AnalysisPin(Record):
    """A saved analysis as it was when it ran, and the step of it that a trace is of."""

    name: str
    version: int
    digest: str
    step: str
