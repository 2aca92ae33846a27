"""With a collector, requests and jobs leave spans, with their statements, git commands and object calls below them."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from ingot import settings as configuration
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@contextmanager
def collector() -> Iterator[tuple[str, list[Any]]]:
    """A collector as exporters see it, and the spans that reached it."""
    spans: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                spans.extend(span for scope in resource.scope_spans for span in scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", spans
    finally:
        server.shutdown()
        server.server_close()


def attributes(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_requests_and_jobs_leave_spans(databases: Databases, tmp_path: Path) -> None:
    with (
        collector() as (address, spans),
        RunningServer(databases.fresh(tmp_path), tmp_path, otlp_endpoint=address, worker=True) as server,
    ):
        project = World(server).project(initialize_with_readme=True)
        client = server.client()
        blame = client.get(
            f"/projects/{project['id']}/repository/files/README.md/blame?ref=main", headers={"traceparent": CALLER}
        )
        assert blame.status_code == 200
        client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("a.txt", b"hello")})
        client.ok("POST", f"/projects/{project['id']}/export")
        until(lambda: client.get(f"/projects/{project['id']}/export").json()["export_status"] == "finished")
    # What waited was sent when the server stopped.
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
    uploaded = named["POST /projects/{id}/uploads"]
    assert any("ingot.object" in attributes(span) for span in spans if span.parent_span_id == uploaded.span_id)


def test_without_a_collector_nothing_of_it_is_loaded() -> None:
    program = (
        "import sys; from ingot import app, settings; from ingot.kit.jobs import serving; app.load_features();"
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(configuration.SettingError, match="otlp_endpoint must begin with http"):
        configuration.make({"otlp_endpoint": "collector:4318"})
