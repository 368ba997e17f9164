"""Whether the model of the settings could be asked: client, key and way there, without asking it."""

import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from gateway.models.configured import KEY_VARIABLE, ConfiguredModel, is_installed
from gateway.reply import Finding

OWN: Mapping[str, str] = {"openai": "https://api.openai.com", "anthropic": "https://api.anthropic.com"}
"""Where a provider answers when no base_url is set."""
SECONDS = 3.0


def look_at(model: ConfiguredModel) -> Finding:
    """Return what stands between the gateway and its model. Nothing is sent to it, and no key is shown."""
    settings = model.settings
    parts = urlsplit(settings.base_url or OWN[settings.provider])
    place = f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    if not is_installed():
        return _wrong("its client is not installed", "Install cellbound[agent].")
    if model.lacks_key:
        return _wrong(f"{KEY_VARIABLE} is not set", f"Set {KEY_VARIABLE} where the gateway runs.")
    try:
        host, _, port = place.rpartition(":")
        socket.create_connection((host, int(port)), timeout=SECONDS).close()
    except OSError as fault:
        why = fault.strerror or "no answer"
        return _wrong(f"nothing answers at {place} ({why})", "Look at base_url under [agent].")
    key = "a key is set" if model.key else f"no key ({KEY_VARIABLE} is not set)"
    return Finding(name="model", ok=True, detail=f"{settings.model} at {place}; {key}")


def _wrong(detail: str, step: str) -> Finding:
    """Return a finding that stops nothing: questions in the words of the layer need no model."""
    return Finding(name="model", ok=False, needed=False, detail=detail, next_step=step)
