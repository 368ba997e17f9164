"""One record as one line: `{"h":"<chain hash>","s":<number>,"r":<record>}`, and how its hash is made."""

import hmac
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from traces.merkle import leaf_hash

GENESIS = "0" * 64

_START = b'{"h":"'
_AFTER_HASH = b'","s":'
_AFTER_SEQ = b',"r":'
LINE_END = b"}\n"
_HASH_END = len(_START) + 64
_SEQ_AT = _HASH_END + len(_AFTER_HASH)
_MOST_DIGITS = 19
_BY_LEAF = 3
"""The first format whose records are linked by their leaf hash; those before are by all their bytes."""
_HEAD = re.compile(rb'\{"kind":"[a-z_]+","v":([0-9]{1,9})[,}]')


@dataclass(frozen=True, slots=True)
class ChainKey:
    """The key that links the records of a log, and its id, which every segment names.

    `older` are the keys that were in force before: new records are never linked with them. `begun` is an HMAC
    under this key to copy and go on with: a small record then keeps the interpreter for its microsecond.
    """

    id: str
    secret: bytes = field(repr=False)
    older: tuple["ChainKey", ...] = field(default=(), repr=False)
    begun: hmac.HMAC = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "begun", hmac.new(self.secret, digestmod="sha256"))

    def named(self, key_id: str) -> "ChainKey | None":
        """Return this key or an older one by its id; None for a key of another project."""
        return next((key for key in (self, *self.older) if key.id == key_id), None)


class Line(NamedTuple):
    """A line taken apart. `body` is the record's bytes exactly as written."""

    seq: int
    hash: str
    body: bytes


def link(previous: str, body: bytes, key: ChainKey, leaf: bytes = b"") -> str:
    """Return the chain hash: HMAC-SHA-256 over the hash before, in hex, followed by the record's leaf hash.

    `leaf` is that hash where it is known already. A record of format 1 or 2 stands there with its bytes. What
    is no record never does: 32 bytes that are another one's leaf hash would link as that one.
    """
    head = _HEAD.match(body)
    by_bytes = head is not None and int(head[1]) < _BY_LEAF
    linked = key.begun.copy()
    linked.update(previous.encode("latin-1") + (body if by_bytes else leaf or leaf_hash(body)))
    return linked.hexdigest()


def line_start(seq: int, digest: str) -> bytes:
    """Return what stands before a record in its line; after it stands LINE_END."""
    return b'{"h":"%b","s":%d,"r":' % (digest.encode(), seq)


def write_line(seq: int, digest: str, body: bytes) -> bytes:
    """Return the bytes of a line, newline included."""
    return b"".join((line_start(seq, digest), body, LINE_END))


def read_line(raw: bytes) -> Line | None:
    """Take a line apart (without its newline); None when it is not framed as `write_line` frames."""
    if raw[: len(_START)] != _START or raw[_HASH_END:_SEQ_AT] != _AFTER_HASH or raw[-1:] != b"}":
        return None
    end = raw.find(_AFTER_SEQ, _SEQ_AT, _SEQ_AT + _MOST_DIGITS + len(_AFTER_SEQ))
    digits = raw[_SEQ_AT:end]
    if end < 0 or not digits.isdigit() or (digits[:1] == b"0" and digits != b"0"):
        return None
    return Line(
        seq=int(digits),
        hash=raw[len(_START) : _HASH_END].decode("latin-1"),
        body=raw[end + len(_AFTER_SEQ) : -1],
    )


def follows(line: Line | None, seq: int, previous: str, key: ChainKey) -> bool:
    """Say whether a line is the record `seq` of the chain whose hash so far is `previous`."""
    return line is not None and line.seq == seq and line.hash == link(previous, line.body, key)
