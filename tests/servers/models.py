"""Scripted models on loopback that speak the real wire formats: OpenAI-compatible and Anthropic.

A script is a function from what was asked to what is done: say something, fail, be slow, break off. Nothing
in here knows the agent; which purpose a request has is read from its fields.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: the fields of its message, the instructions, the schema, and the whole body."""

    number: int
    wire: str
    purpose: str
    fields: Mapping[str, Any]
    instructions: str
    schema: Mapping[str, Any]
    body: Mapping[str, Any]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Say:
    """A reply with this text, after a while, ended as `finish` says; `tokens` as the endpoint counts them."""

    text: str
    after: float = 0.0
    finish: str = "stop"
    tokens: tuple[int, int] = (200, 50)


@dataclass(frozen=True, slots=True)
class Fail:
    """An error of the provider."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection breaks before a reply."""


Act = Say | Fail | Drop
Script = Callable[[Asked], Act]


@dataclass(slots=True)
class Endpoint:
    """A running endpoint. `script` may be changed at any time; `asked` is what came so far."""

    port: int
    script: Script
    asked: list[Asked] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        """Return the base for the OpenAI wire."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_url(self) -> str:
        """Return the base for the Anthropic wire."""
        return f"http://127.0.0.1:{self.port}"

    def purposes(self) -> list[str]:
        """Return what the requests so far were for."""
        return [each.purpose for each in self.asked]


def say(reply: object, **more: Any) -> Say:
    """Return a reply with a JSON text."""
    return Say(json.dumps(reply), **more)


def in_turn(*acts: Act) -> Script:
    """Return a script that does one after the other and stays at the last."""
    return lambda asked: acts[min(asked.number, len(acts) - 1)]


def by_purpose(scripts: Mapping[str, Act | Sequence[Act]]) -> Script:
    """Return a script with its acts per purpose, the last of each repeated."""
    counts: dict[str, int] = {}

    def act(asked: Asked) -> Act:
        found = scripts[asked.purpose]
        if not isinstance(found, Sequence):
            return found
        at = counts.get(asked.purpose, 0)
        counts[asked.purpose] = at + 1
        return found[min(at, len(found) - 1)]

    return act


@contextmanager
def running(script: Script) -> Iterator[Endpoint]:
    """Serve a scripted model on a loopback port."""
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {}))
    endpoint = Endpoint(server.server_port, script)
    server.endpoint = endpoint
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    endpoint: Endpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that broke off."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        """Answer one request by the script."""
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        wire = "openai" if self.path.endswith("/chat/completions") else "anthropic"
        endpoint = self.server.endpoint
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = _asked(len(endpoint.asked), wire, body, headers)
        endpoint.asked.append(asked)
        act = endpoint.script(asked)
        if isinstance(act, Drop):
            self.close_connection = True
            self.connection.close()
            return
        if isinstance(act, Fail):
            self._send(act.status, _error(wire), dict(act.headers))
            return
        time.sleep(act.after)
        if wire == "openai":
            self._send(200, _completion(body, act))
        elif body.get("stream"):
            self._stream(body, act)
        else:
            self._send(200, _message(body, act))

    def _send(self, status: int, reply: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(reply).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, body: Mapping[str, Any], act: Say) -> None:
        message = _message(body, act)
        events: list[tuple[str, dict[str, Any]]] = [
            ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
            ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
            ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": act.text}}),
            ("content_block_stop", {"index": 0}),
            (
                "message_delta",
                {
                    "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
                    "usage": {"output_tokens": act.tokens[1]},
                },
            ),
            ("message_stop", {}),
        ]
        data = "".join(
            f"event: {name}\ndata: {json.dumps({'type': name, **said})}\n\n" for name, said in events
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _asked(number: int, wire: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
    """Read a request of either wire."""
    if wire == "openai":
        said = [m for m in body["messages"] if m["role"] in ("system", "developer")]
        instructions = "\n".join(_text(m["content"]) for m in said)
        user = next(m for m in body["messages"] if m["role"] == "user")
        schema = body["response_format"]["json_schema"]["schema"]
    else:
        instructions = _text(body.get("system", ""))
        user = body["messages"][0]
        schema = (body.get("output_config") or {}).get("format", body.get("output_format") or {})["schema"]
    fields = json.loads(_text(user["content"]))
    return Asked(number, wire, _purpose(fields), fields, instructions, schema, body, headers)


def _purpose(fields: Mapping[str, Any]) -> str:
    for purpose, key in (("draft", "slots"), ("revise", "problem"), ("sql", "tables")):
        if key in fields:
            return purpose
    return "plan"


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _completion(body: Mapping[str, Any], act: Say) -> Mapping[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": act.finish,
                "message": {"role": "assistant", "content": act.text},
            }
        ],
        "usage": {
            "prompt_tokens": act.tokens[0],
            "completion_tokens": act.tokens[1],
            "total_tokens": sum(act.tokens),
        },
    }


def _message(body: Mapping[str, Any], act: Say) -> Mapping[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": act.text}],
        "stop_reason": {"stop": "end_turn", "length": "max_tokens"}[act.finish],
        "stop_sequence": None,
        "usage": {"input_tokens": act.tokens[0], "output_tokens": act.tokens[1]},
    }


def _error(wire: str) -> Mapping[str, Any]:
    if wire == "openai":
        return {"error": {"message": "sorry", "type": "error", "code": None, "param": None}}
    return {"type": "error", "error": {"type": "api_error", "message": "sorry"}}
