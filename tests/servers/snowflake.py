"""A stand-in for Snowflake: enough of its wire protocol for the real connector, on loopback, over DuckDB.

What only a cloud account can prove is listed in docs/engines.md.
"""

import gzip
import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.snowflake_account import Account, Failure
from tests.servers.snowflake_service import Running, Service
from tests.servers.snowflake_sql import Session

Reply = dict[str, Any]
STILL_RUNNING = "333333"
STARTED = "333334"
NO_SESSION = Failure("390111", "08001", "Session no longer exists. New login required to access the service.")


@dataclass(slots=True)
class Standin:
    """A running stand-in: where it listens, what it holds, and who is in it."""

    account: Account
    service: Service
    port: int

    def at_work(self) -> bool:
        """Say whether the service is working on a statement."""
        return any(not each.done.is_set() for each in list(self.service.running.values()))


@contextmanager
def running(account: Account) -> Iterator[Standin]:
    """Serve an account on a loopback port."""
    # The connector asks the addresses of cloud metadata services where it runs.
    os.environ["SNOWFLAKE_DISABLE_PLATFORM_DETECTION"] = "true"
    service = Service(account)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"service": service}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield Standin(account, service, server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        for each in list(service.running.values()):
            each.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that broke off."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Service

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        body, account = self._body(), self.service.account
        if account.broken > 0:
            account.broken -= 1
            self._send(503, {})
            return
        where = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(where.query).items()}
        try:
            reply = _routed(self.service, where.path, query, body, self.headers.get("authorization", ""))
        except Failure as failure:
            reply = _failed(failure, "")
        self._send(200, reply)

    def _body(self) -> Reply:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        found: Reply = json.loads(data) if data else {}
        return found

    def _send(self, status: int, reply: Reply) -> None:
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _routed(service: Service, path: str, query: Mapping[str, str], body: Reply, authorization: str) -> Reply:
    if path == "/session/v1/login-request":
        return _logged_in(service, body["data"], query)
    if path.startswith("/telemetry"):
        return _succeeded({})
    token = authorization.partition('Token="')[2].rstrip('"')
    if path == "/session/token-request":
        return _renewed(service, token)
    session = service.sessions.get(token)
    if session is None:
        raise NO_SESSION
    if path == "/session" and query.get("delete"):
        service.log_out(token)
    elif path == "/queries/v1/query-request":
        return _queried(service, session, query["requestId"], body)
    elif path == "/queries/v1/abort-request":
        service.abort(body["requestId"])
    elif path.startswith("/queries/") and path.endswith("/result"):
        return _waited(service, session, service.running[path.split("/")[2]])
    elif path.startswith("/monitoring/queries/"):
        return _status(service.running[path.rpartition("/")[2]])
    return _succeeded({})


def _logged_in(service: Service, data: Mapping[str, Any], query: Mapping[str, str]) -> Reply:
    token, master, session = service.log_in(data, query)
    return _succeeded(
        {
            "token": token,
            "masterToken": master,
            "validityInSeconds": 3600,
            "masterValidityInSeconds": 14_400,
            "sessionId": len(service.masters),
            "displayUserName": session.user,
            "serverVersion": "9.99.0",
            "firstLogin": False,
            "parameters": [{"name": "TIMEZONE", "value": session.parameters.get("TIMEZONE", "UTC")}],
            "sessionInfo": _names(session, ""),
        }
    )


def _renewed(service: Service, master: str) -> Reply:
    token = service.masters.get(master)
    if token is None or token not in service.sessions:
        raise Failure(
            "390114", "08001", "Authentication token has expired.  The user must authenticate again."
        )
    return _succeeded(
        {
            "sessionToken": token,
            "masterToken": master,
            "validityInSecondsST": 3600,
            "validityInSecondsMT": 14_400,
        }
    )


def _queried(service: Service, session: Session, request_id: str, body: Reply) -> Reply:
    started = service.start(session, request_id, body["sqlText"], body.get("parameters") or {})
    if body.get("asyncExec"):
        return _pending(started, STARTED)
    return _waited(service, session, started)


def _waited(service: Service, session: Session, started: Running) -> Reply:
    if not started.done.wait(service.account.patience):
        return _pending(started, STILL_RUNNING)
    answer = started.answer
    if isinstance(answer, Failure):
        return _failed(answer, started.query_id)
    types, rows = answer
    return _succeeded(
        {
            "parameters": [],
            "rowtype": types,
            "rowset": rows,
            "total": len(rows),
            "returned": len(rows),
            "queryId": started.query_id,
            "queryResultFormat": "json",
            "statementTypeId": 4096,
            "numberOfBinds": 0,
            "arrayBindSupported": False,
            "version": 1,
            **_names(session, "final"),
        }
    )


def _names(session: Session, before: str) -> Reply:
    names = {"database": session.database, "schema": session.schema, "warehouse": session.warehouse}
    return {
        (f"{before}{key.title()}Name" if before else f"{key}Name"): value
        for key, value in {**names, "role": session.role}.items()
    }


def _pending(started: Running, code: str) -> Reply:
    data = {"queryId": started.query_id, "getResultUrl": f"/queries/{started.query_id}/result"}
    return {"data": data, "code": code, "message": "Query execution in progress", "success": True}


def _status(started: Running) -> Reply:
    if not started.done.is_set():
        state = "RUNNING"
    else:
        state = "FAILED_WITH_ERROR" if isinstance(started.answer, Failure) else "SUCCESS"
    return _succeeded({"queries": [{"id": started.query_id, "status": state}]})


def _succeeded(data: Reply) -> Reply:
    return {"data": data, "code": None, "message": None, "success": True}


def _failed(failure: Failure, query_id: str) -> Reply:
    data = {
        "errorCode": failure.code,
        "sqlState": failure.sqlstate,
        "queryId": query_id,
        "internalError": False,
    }
    return {"data": data, "code": failure.code, "message": failure.said, "success": False}
