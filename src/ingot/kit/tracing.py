"""Traces for OpenTelemetry: a span for each request and background job, below it its statements, git and object calls.

The parts are timed anyway, for the log of slow requests (`kit.times`). With traces on they are kept one by one, and
become spans when the whole has ended. With traces off nothing of OpenTelemetry is loaded.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ingot.kit import times
from ingot.kit.times import Times, noting_times

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

MOST_PARTS = 1000
LONGEST_NAME = 120


class _Part(NamedTuple):
    kind: str
    shape: str
    end: int  # nanoseconds since 1970
    seconds: float

    @property
    def begin(self) -> int:
        return self.end - int(self.seconds * 1e9)


class _KeptTimes(Times):
    """With each part as it was."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[_Part] = []

    def add(self, kind: str, shape: str, seconds: float) -> None:
        super().add(kind, shape, seconds)
        if len(self.parts) < MOST_PARTS:
            self.parts.append(_Part(kind, shape, time.time_ns(), seconds))


class Traces:
    """Writes spans. There is one while traces are on."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("ingot")
        self._kinds = {"request": SpanKind.SERVER, "job": SpanKind.CONSUMER}
        self._propagator = TraceContextTextMapPropagator()

    def write(
        self,
        kind: str,
        name: str,
        seconds: float,
        attributes: Mapping[str, str | int],
        parts: Times | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        failed: bool = False,
    ) -> None:
        """What has just ended, with its parts; below the caller's span where its headers name one."""
        from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

        parent: Context | None = None if headers is None else self._propagator.extract(headers)
        single_parts = parts.parts if isinstance(parts, _KeptTimes) else []
        end = time.time_ns()
        # The time that was spent waiting for the client is not in the seconds.
        begin = min([end - int(seconds * 1e9), *(part.begin for part in single_parts)])
        span = self._tracer.start_span(name, parent, self._kinds[kind], attributes, start_time=begin)
        if failed:
            span.set_status(Status(StatusCode.ERROR))
        if span.is_recording():
            below = set_span_in_context(span)
            for part in single_parts:
                text = " ".join(part.shape.split())
                title = f"{part.kind} {text}"[:LONGEST_NAME]
                shape = {f"ingot.{part.kind}": text[: times.LONGEST_SHAPE]}
                child = self._tracer.start_span(title, below, SpanKind.CLIENT, shape, start_time=part.begin)
                child.end(part.end)
        span.end(end)

    def close(self) -> None:
        """Send what is waiting."""
        self._provider.shutdown()


_traces: Traces | None = None


def current_traces() -> Traces | None:
    """None while traces are off."""
    return _traces


def send_to(endpoint: str) -> None:
    """Switch traces on, sent to this collector by OTLP over HTTP; nothing where it is empty."""
    if not endpoint:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    switch_on(BatchSpanProcessor(OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces")))


def switch_on(processor: SpanProcessor) -> None:
    """From here on requests and jobs of this process leave spans."""
    from opentelemetry.sdk.trace import TracerProvider

    global _traces  # noqa: PLW0603 - one for the process, as the library's own
    provider = TracerProvider(resource=resource())
    provider.add_span_processor(processor)
    _traces = Traces(provider)
    times.make = _KeptTimes


def resource() -> Resource:
    """What sends: the service, and the process, because each counts for itself."""
    from opentelemetry.sdk.resources import Resource

    name = os.environ.get("OTEL_SERVICE_NAME", "ingot")
    return Resource.create({"service.name": name, "service.instance.id": f"{socket.gethostname()}-{os.getpid()}"})


def switch_off() -> None:
    """Send what is waiting, and stop."""
    global _traces  # noqa: PLW0603
    times.make = Times
    if _traces is not None:
        _traces.close()
        _traces = None


@contextmanager
def tracing_job(kind: str, key: str) -> Iterator[None]:
    """The block is an attempt of a background job."""
    traces = _traces
    if traces is None:
        yield
        return
    noted, begun, failed = times.make(), time.perf_counter(), True
    try:
        with noting_times(noted):
            yield
        failed = False
    finally:
        attributes = {"ingot.job.kind": kind, "ingot.job.key": key}
        traces.write("job", f"job {kind}", time.perf_counter() - begun, attributes, noted, failed=failed)
