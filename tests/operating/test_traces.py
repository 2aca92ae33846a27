"""With a collector, requests, git transfers and jobs leave spans with their parts below them, and metrics."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from ingot import settings as configuration
from tests.features.code.git_http.git_client import GitClient
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import World

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@dataclass
class Collector:
    """What reached a collector."""

    address: str
    spans: list[Any] = field(default_factory=list)
    metrics: list[Any] = field(default_factory=list)

    def receive(self, path: str, body: bytes) -> None:
        if path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.spans.extend(span for scope in resource.scope_spans for span in scope.spans)
        else:
            assert path == "/v1/metrics"
            for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.metrics.extend(metric for scope in resource.scope_metrics for metric in scope.metrics)

    def below(self, span: Any) -> list[dict[str, Any]]:
        """The attributes of a span's parts."""
        return [attributes(part) for part in self.spans if part.parent_span_id == span.span_id]

    def points(self, name: str) -> list[dict[str, Any]]:
        """The labels of all points of a metric that are above zero."""
        points = [point for metric in self.metrics if metric.name == name for point in metric.sum.data_points]
        return [attributes(point) for point in points if point.as_int or point.as_double]


@contextmanager
def collector() -> Iterator[Collector]:
    """A collector as exporters see it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            result.receive(self.path, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    result = Collector(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield result
    finally:
        server.shutdown()
        server.server_close()


def attributes(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def is_exported(server: RunningServer, project: dict[str, Any]) -> bool:
    return server.client().get(f"/projects/{project['id']}/export").json()["export_status"] == "finished"


def test_requests_and_jobs_leave_spans(databases: Databases, tmp_path: Path) -> None:
    with (
        collector() as seen,
        RunningServer(databases.fresh(tmp_path), tmp_path, otlp_endpoint=seen.address, worker=True) as server,
    ):
        project = World(server).project(initialize_with_readme=True)
        client = server.client()
        blame = client.get(
            f"/projects/{project['id']}/repository/files/README.md/blame?ref=main", headers={"traceparent": CALLER}
        )
        assert blame.status_code == 200
        client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("a.txt", b"hello")})
        client.ok("POST", f"/projects/{project['id']}/export")
        headers = {"PRIVATE-TOKEN": ROOT_TOKEN}
        query = {"query": "{ currentUser { username } }"}
        assert plain_http.post(f"{server.url}/api/graphql", headers=headers, json=query).status_code == 200
        assert plain_http.get(f"{server.url}/explore/projects").status_code == 200
        until(lambda: is_exported(server, project))
    # What waited was sent when the server stopped.
    spans = seen.spans
    named = {span.name: span for span in spans}
    request = named["GET /projects/{id}/repository/files/{file_path}/blame"]
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == tuple(CALLER.split("-")[1:3])
    assert attributes(request)["http.response.status_code"] == 200
    below = [span for span in spans if span.parent_span_id == request.span_id]
    assert any(attributes(span).get("ingot.git") == "blame" for span in below)
    assert any("SELECT" in str(attributes(span).get("ingot.statement")) for span in below)
    assert all(request.start_time_unix_nano <= span.end_time_unix_nano <= request.end_time_unix_nano for span in below)
    job = named["job project_export"]
    assert attributes(job)["ingot.job.kind"] == "project_export"
    parts = {name for span in spans if span.parent_span_id == job.span_id for name in attributes(span)}
    assert {"ingot.statement", "ingot.git", "ingot.object"} <= parts
    for name in ("POST /api/graphql", "GET page /explore/projects"):
        assert any("SELECT" in str(part.get("ingot.statement")) for part in seen.below(named[name]))
    uploaded = named["POST /projects/{id}/uploads"]
    assert any("ingot.object" in attributes(span) for span in spans if span.parent_span_id == uploaded.span_id)


def test_all_routes_are_counted_apart() -> None:
    program = (
        "import sys; from ingot.kit import telemetry; from ingot.kit.observe import measures;"
        "[measures.add('GET', f'/route-{number}', 200, None) for number in range(5000)];"
        "telemetry.send_to(sys.argv[1]); telemetry.switch_off()"
    )
    with collector() as seen:
        subprocess.run([sys.executable, "-c", program, seen.address], check=True)
    assert len(seen.points("ingot_http_requests")) == 5000


def test_clones_and_pushes_leave_spans_and_every_part_is_counted(databases: Databases, tmp_path: Path) -> None:
    with (
        collector() as seen,
        RunningServer(databases.fresh(tmp_path), tmp_path, otlp_endpoint=seen.address, worker=True) as server,
    ):
        project = World(server).project(initialize_with_readme=True)
        server.client().ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("a.txt", b"hello")})
        here = GitClient(tmp_path / "clone")
        url = f"http://root:{ROOT_TOKEN}@{server.url.removeprefix('http://')}/{project['path_with_namespace']}.git"
        here.ok("clone", "-q", url, ".")
        here.commit("file.txt")
        here.ok("push", "-q", "origin", "HEAD:topic")
        here.refused("push", "-q", url.replace(ROOT_TOKEN, "wrong"), "HEAD:topic")
        server.client().ok("POST", f"/projects/{project['id']}/export")
        until(lambda: is_exported(server, project))

    named = {(span.name, attributes(span)["http.response.status_code"]): span for span in seen.spans if span.kind == 2}
    fetch = seen.below(named["POST /{project}.git/git-upload-pack", 200])
    push = seen.below(named["POST /{project}.git/git-receive-pack", 200])
    assert ("GET /{project}.git/refs", 401) in named
    assert any(part.get("ingot.git") == "upload-pack" for part in fetch)
    assert any(part.get("ingot.git") == "receive-pack" for part in push)
    assert any("SELECT" in str(part.get("ingot.statement")) for part in push)
    assert {"command": "receive-pack", "result": "ok"} in seen.points("ingot_git_processes")
    assert {"command": "receive-pack", "result": "ok"} in seen.points("ingot_git_process_seconds")
    assert {"kind": "write", "result": "ok"} in seen.points("ingot_database_statement_seconds")
    assert {"call": "put", "result": "ok"} in seen.points("ingot_object_calls")
    assert any(point["result"] == "ok" for point in seen.points("ingot_job_attempts"))
    refused = {"method": "GET", "route": "/{project}.git/refs", "status": "401"}
    assert refused in seen.points("ingot_http_requests")
    assert seen.points("ingot_http_request_seconds")


def test_without_a_collector_nothing_of_it_is_loaded() -> None:
    program = (
        "import sys; from ingot import app, settings; from ingot.kit.jobs import serving; app.load_features();"
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(configuration.SettingError, match="otlp_endpoint must begin with http"):
        configuration.make({"otlp_endpoint": "collector:4318"})
