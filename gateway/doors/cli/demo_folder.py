"""Where the tour's project lives: made once per version of the demo in the user's cache, then used again."""

import os
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from gateway.demo.shop_data import SHOP_SQL
from gateway.errors import HouseError
from gateway.scaffold.project import scaffold, templates
from metric_layer.issues import Issue


def demo_project() -> Path:
    """Return the folder of the tour's project, made or not. Raises HouseError where there is no room."""
    tried: list[str] = []
    for cache in _caches():
        try:
            cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            if cache.stat().st_uid == os.getuid() and os.access(cache, os.W_OK):
                return cache / f"shop-{_digest()}"
        except OSError:
            pass
        tried.append(str(cache))
    raise HouseError(
        (
            Issue(
                code="no_cache",
                message=f"The demo needs a folder of yours to live in; tried {' and '.join(tried)}.",
                next_step="Set XDG_CACHE_HOME to a folder you may write.",
            ),
        )
    )


def make_demo_project(folder: Path) -> None:
    """Make the project with its data. Raises ScaffoldRefused."""
    scaffold(folder, "shop")


def _caches() -> Iterator[Path]:
    """Yield the user's cache, then a folder of the user's own among the temporary files."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    yield (Path(named) if named else Path("~/.cache").expanduser()) / "cellbound"
    yield Path(tempfile.gettempdir()) / f"cellbound-{os.getuid()}"


def _digest() -> str:
    """A changed template or generator gives a new folder, so that a stale demo is never shown."""
    template = templates() / "shop"
    files = sorted(path for path in template.rglob("*") if path.is_file() and "var" not in path.parts)
    text = sha256(SHOP_SQL.read_bytes())
    for path in files:
        text.update(str(path.relative_to(template)).encode() + path.read_bytes())
    return text.hexdigest()[:12]
