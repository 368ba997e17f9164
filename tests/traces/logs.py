"""What the tests of the chain do with a log on disk: read its lines, write them anew, ask the verifier."""

from pathlib import Path

from tests.traces.samples import KEY
from traces.chain import Damage, Verified, segments_in, verify
from traces.damage import DamageKind
from traces.records import Receipt


def check(path: Path, receipts: tuple[Receipt, ...] = ()) -> Verified | Damage:
    return verify(segments_in(path.parent)["a"], KEY, receipts)


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def rewrite(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def damage(path: Path, receipts: tuple[Receipt, ...] = ()) -> tuple[DamageKind, int, int]:
    found = check(path, receipts)
    assert isinstance(found, Damage), found
    return found.kind, found.seq, found.line
