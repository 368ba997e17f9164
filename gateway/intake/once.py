"""The words of a layer, indexed at the first question in words and kept for all others."""

import threading

from gateway.intake.prepared import Prepared, prepare
from metric_layer.layer import Layer


class PreparedOnce:
    """Holds what `prepare` made of one layer; threads that ask at once wait for the one that makes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: Prepared | None = None

    def of(self, layer: Layer) -> Prepared:
        """Return the words of a layer under its owner's rules."""
        with self._lock:
            if self._kept is None or self._kept.layer is not layer:
                self._kept = prepare(layer, layer.asking)
            return self._kept
