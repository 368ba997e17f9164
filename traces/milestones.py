"""The checkpoints that a walk along a log still has to meet, and the tree that shows whether it does."""

from collections.abc import Iterable

from traces.checkpoint import Checkpoint
from traces.merkle import MerkleTree, leaf_hash


class Milestones:
    """Takes a log's records one by one; where a checkpoint was signed, the log must be the one it was."""

    def __init__(self, checkpoints: Iterable[Checkpoint], start: Checkpoint | None = None) -> None:
        """Begin at the first record, or after those that `start` vouches for."""
        self._tree = start.tree() if start else MerkleTree()
        self._ahead: dict[int, set[tuple[str, str]]] = {}
        for each in checkpoints:
            if each.size > self._tree.size:
                self._ahead.setdefault(each.size, set()).add((each.root, each.head))
        self.met = 0

    def passes(self, body: bytes, head: str) -> bool:
        """Take the next record and the chain hash after it; False where a checkpoint says otherwise."""
        if not self._ahead:
            return True
        self._tree.add(leaf_hash(body))
        here = self._ahead.pop(self._tree.size, set())
        self.met += len(here)
        return not here or here == {(self._tree.root.hex(), head)}

    @property
    def unmet(self) -> bool:
        """Whether the log ended before a checkpoint that was signed over it."""
        return bool(self._ahead)
