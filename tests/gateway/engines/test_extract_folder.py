"""What several gateways make in one folder of extracts stays for as long as it is being made."""

import os
from pathlib import Path

from gateway.engines.extract_folder import remove_unread, workshop

OLD = f"{'0a' * 16}.duckdb"


def test_what_another_gateway_makes_right_now_stays(tmp_path: Path) -> None:
    with workshop(tmp_path / OLD) as making:
        making.write_bytes(b"half")
        os.utime(making.parent, (0, 0))
        remove_unread(tmp_path, ())
        assert making.read_bytes() == b"half"
        assert making.parent.stat().st_mode & 0o777 == 0o700
    assert not list(tmp_path.iterdir())
