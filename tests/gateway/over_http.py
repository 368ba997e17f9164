"""A house behind its HTTP door, in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi.testclient import TestClient

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.service import Gateway
from gateway.settings.file import load_settings


@contextmanager
def over_http(house: Gateway, folder: Path) -> Iterator[TestClient]:
    """Give a client of the door, which lets in whom the settings of the house's folder name."""
    settings = load_settings(folder)
    callers = Callers(settings.identity, issued=house.state.tokens)
    with TestClient(build_http(house, callers, settings.server), base_url="http://127.0.0.1:8321") as client:
        yield client
