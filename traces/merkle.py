"""The hash tree over the records of a log, as RFC 6962 builds it; only its right edge is kept in memory."""

from collections.abc import Iterable
from hashlib import sha256

_LEAF = b"\x00"
_NODE = b"\x01"
HASH_BYTES = 32


def leaf_hash(body: bytes) -> bytes:
    """Return the 32-byte hash of a leaf: of a record's bytes as written."""
    return sha256(_LEAF + body).digest()


class MerkleTree:
    """A tree that leaves are added to. `edge` holds the roots of its full subtrees, the widest first."""

    __slots__ = ("edge", "size")

    def __init__(self, size: int = 0, edge: Iterable[bytes] = ()) -> None:
        """Begin empty, or go on from a size and its edge; raises ValueError when they do not fit."""
        self.size = size
        self.edge = list(edge)
        if len(self.edge) != size.bit_count() or any(len(each) != HASH_BYTES for each in self.edge):
            raise ValueError("a tree of this size has another edge")

    def add(self, leaf: bytes) -> None:
        """Add one leaf by its hash, the one of `leaf_hash`."""
        node, carry = leaf, self.size
        while carry & 1:
            node = sha256(_NODE + self.edge.pop() + node).digest()
            carry >>= 1
        self.edge.append(node)
        self.size += 1

    def copy(self) -> "MerkleTree":
        """Return a tree of the same leaves that grows on its own."""
        other = object.__new__(MerkleTree)
        other.size, other.edge = self.size, self.edge.copy()
        return other

    @property
    def root(self) -> bytes:
        """The 32-byte hash over every leaf so far; of none, that of no bytes."""
        if not self.edge:
            return sha256().digest()
        *rest, node = self.edge
        for left in reversed(rest):
            node = sha256(_NODE + left + node).digest()
        return node
