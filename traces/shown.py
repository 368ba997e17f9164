"""What records show again and again, made once: verdicts that come again, SQL without its literals."""

from functools import lru_cache

from metric_layer.plan import Dialect
from traces.literals import without_literals
from traces.private import Known, Private
from traces.records import Decision

VERDICTS = 4096
TEXTS = 256
_LONG = 20_000


class Shown:
    """Remembers what records show, whoever's they are; nothing that it returns is private.

    A decision is known by being the very same object, and only one that took no time of its question's is
    remembered: it was found for an earlier question, so it comes again. It is held beside what was made of
    it, so that its id stays its own; after `VERDICTS` of them the memory begins anew. Safe from any thread.
    """

    def __init__(self) -> None:
        self._verdicts: dict[tuple[int, str], tuple[Decision, Decision]] = {}
        self._texts = lru_cache(maxsize=TEXTS)(_bare)

    def verdict(self, decision: Decision, hashed: str) -> Decision:
        """Return a decision whose input is named by `hashed`."""
        if decision.duration_us:
            return decision.model_copy(update={"input": hashed})
        key = (id(decision), hashed)
        known = self._verdicts.get(key)
        if known is None:
            if len(self._verdicts) >= VERDICTS:
                self._verdicts.clear()
            known = (decision, decision.model_copy(update={"input": hashed}))
            self._verdicts[key] = known
        return known[1]

    def sql(self, text: str, dialect: Dialect, private: Private, known: Known) -> str:
        """Return SQL without its literals, as `without_literals` does; a long text is not remembered."""
        bare = self._texts if len(text) < _LONG else _bare
        return bare(text, dialect, private, known)

    def forget(self) -> None:
        """Remember nothing any more."""
        self._verdicts.clear()
        self._texts.cache_clear()


def _bare(text: str, dialect: Dialect, private: Private, known: Known) -> str:
    return without_literals(text, dialect, private.holds, known, whole=private.free)
