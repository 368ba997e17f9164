"""A stand-in for BigQuery: enough of its REST API for the real client, on loopback, over DuckDB.

What only a cloud account can prove is listed in docs/engines.md.
"""

import gzip
import json
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.servers.bigquery_bytes import stored
from tests.servers.bigquery_jobs import Jobs
from tests.servers.bigquery_project import Failure, Name, Project
from tests.servers.bigquery_rows import field_of
from tests.servers.bigquery_sql import Read, denied

Reply = dict[str, Any]
HOUR = timedelta(hours=1)
STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}
NOT_ADMITTED = Failure(
    401,
    "authError",
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other"
    " valid authentication credential.",
)


@dataclass(slots=True)
class Standin:
    """A running stand-in: where it listens, what it holds, and what runs in it."""

    project: Project
    jobs: Jobs
    port: int


@contextmanager
def running(project: Project) -> Iterator[Standin]:
    """Serve a project on a loopback port."""
    service = _Service(project, Jobs(project))
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"service": service}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield Standin(project, service.jobs, server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        for each in list(service.jobs.jobs.values()):
            each.stop("The service is gone")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that broke off."""


@dataclass(slots=True)
class _Service:
    """What the routes below answer for `user`, by path, query and body."""

    project: Project
    jobs: Jobs

    def routed(self, verb: str, path: str, query: Mapping[str, str], body: Reply, token: str) -> Reply:
        if found := re.fullmatch(r"/v1/projects/-/serviceAccounts/(.+):generateAccessToken", path):
            return self._token(found[1], token)
        user = self.project.tokens.get(token)
        if user is None:
            raise NOT_ADMITTED
        for method, pattern, answer in self._routes():
            if method == verb and (found := re.fullmatch(rf"/bigquery/v2/projects/([^/]+){pattern}", path)):
                project, *names = found.groups()
                if project != self.project.name:
                    raise Failure(404, "notFound", f"Not found: Project {project}")
                return answer(user, query, body, *names)
        raise Failure(404, "notFound", "Not Found")

    def _routes(self) -> tuple[tuple[str, str, Callable[..., Reply]], ...]:
        table = r"/datasets/([^/]+)/tables/([^/:]+)"
        return (
            ("POST", "/jobs", self._insert),
            ("GET", "/jobs/([^/]+)", self._job),
            ("POST", "/jobs/([^/]+)/cancel", self._cancel),
            ("POST", "/queries", self._query),
            ("GET", "/queries/([^/]+)", self._results),
            ("GET", "/datasets/([^/]+)/tables", self._tables),
            ("GET", table, self._table),
            ("POST", f"{table}:testIamPermissions", self._permissions),
        )

    def _token(self, account: str, source: str) -> Reply:
        if account not in self.project.impersonators.get(source, ()):
            said = "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist)."
            raise Failure(403, "forbidden", said)
        token = secrets.token_hex(16)
        self.project.tokens[token] = account
        return {"accessToken": token, "expireTime": f"{datetime.now(UTC) + HOUR:%Y-%m-%dT%H:%M:%SZ}"}

    def _insert(self, user: str, _: object, body: Reply) -> Reply:
        self._require_location(body.get("jobReference", {}).get("location"))
        reply = self.jobs.insert(user, body)
        if self.project.lost:
            self.project.lost -= 1
            raise Failure(503, "backendError", "Service Unavailable")
        return reply

    def _query(self, user: str, _: object, body: Reply) -> Reply:
        self._require_location(body.get("location"))
        job: Reply = {key: body[key] for key in ("dryRun", "labels", "jobTimeoutMs") if key in body}
        kept = ("query", "useLegacySql", "defaultDataset", "maximumBytesBilled", "useQueryCache")
        job["query"] = {key: body[key] for key in kept if key in body}
        begun = self.jobs.insert(user, {"configuration": job})
        if job.get("dryRun"):
            return {"kind": "bigquery#queryResponse", "jobComplete": True, **begun["statistics"]["query"]}
        given: dict[str, str] = {key: str(body[key]) for key in ("timeoutMs", "maxResults") if key in body}
        return self.jobs.results(self.jobs.get(begun["jobReference"]["jobId"]), given)

    def _job(self, user: str, _: object, __: object, job_id: str) -> Reply:
        return self.jobs.resource(self.jobs.get(job_id))

    def _cancel(self, user: str, _: object, __: object, job_id: str) -> Reply:
        return {
            "kind": "bigquery#jobCancelResponse",
            "job": self.jobs.resource(self.jobs.cancel(job_id)),
        }

    def _results(self, user: str, query: Mapping[str, str], _: object, job_id: str) -> Reply:
        return self.jobs.results(self.jobs.get(job_id), query)

    def _tables(self, user: str, _: object, __: object, dataset: str) -> Reply:
        names = [name for name in self.project.versions if name[0] == dataset]
        return {
            "kind": "bigquery#tableList",
            "totalItems": len(names),
            "tables": [{"tableReference": self._reference(name), "type": "TABLE"} for name in names],
        }

    def _table(self, user: str, _: object, __: object, dataset: str, table: str) -> Reply:
        project, name = self.project, (dataset, table)
        if not project.may(user, "bigquery.tables.get", name):
            raise denied(project, name)
        version = project.at(name, None)
        types = project.columns(name)
        with project.duck.cursor() as cursor:
            rows, size = stored(project, cursor, Read(name, version.place, frozenset(types), ()))
        column = project.partitioned.get(name)
        return {
            "kind": "bigquery#table",
            "tableReference": self._reference(name),
            "type": project.kinds.get(name, "TABLE"),
            "schema": {"fields": [self._field(name, each, type_) for each, type_ in types.items()]},
            "numRows": str(rows),
            "numBytes": str(size),
            "lastModifiedTime": str(int(version.since.timestamp() * 1000)),
            **project.declared(name),
            **({"timePartitioning": {"type": "DAY", "field": column}} if column else {}),
            **({"clustering": {"fields": [next(iter(types))]}} if name in project.clustered else {}),
            **({"streamingBuffer": {"estimatedRows": "1"}} if name in project.streaming else {}),
        }

    def _field(self, name: Name, column: str, type_: str) -> Reply:
        found = field_of(column, type_)
        if column in self.project.required(name):
            found["mode"] = "REQUIRED"
        return found

    def _permissions(self, user: str, _: object, body: Reply, dataset: str, table: str) -> Reply:
        held = self.project.rights.get((user, (dataset, table)), frozenset())
        return {"permissions": [each for each in body["permissions"] if each in held]}

    def _reference(self, name: Name) -> Reply:
        return {"projectId": self.project.name, "datasetId": name[0], "tableId": name[1]}

    def _require_location(self, location: str | None) -> None:
        if location != self.project.location:
            raise Failure(404, "notFound", f"Not found: Dataset was not found in location {location}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: _Service

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        project, where = self.service.project, urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(where.query).items()}
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        try:
            _stand(project)
            body = json.loads(data) if data else {}
            self._send(200, self.service.routed(self.command, unquote(where.path), query, body, token))
        except Failure as failure:
            self._send(failure.status, _error(failure))

    def _send(self, status: int, reply: Reply) -> None:
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json; charset=UTF-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _stand(project: Project) -> None:
    if project.broken > 0:
        project.broken -= 1
        raise Failure(503, "backendError", "Service Unavailable")


def _error(failure: Failure) -> Reply:
    each = {"message": failure.said, "domain": "global", "reason": failure.reason}
    return {
        "error": {
            "code": failure.status,
            "message": failure.said,
            "errors": [each],
            "status": STATUS.get(failure.status, "UNAVAILABLE"),
        }
    }
