"""Traces and metrics for OpenTelemetry, switched on together. The spans are written by `kit.tracing`.

Each process sends its own counts, workers included, which `/-/metrics` does not show. The names are those of
`/-/metrics` without `_total`, so that a collector which serves Prometheus has the same metrics.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from ingot.kit import tallies, tracing
from ingot.kit.observe import measures
from ingot.kit.tallies import JOB, METRICS, Metric

if TYPE_CHECKING:
    from opentelemetry.metrics import CallbackOptions, Observation
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import MetricReader

# Of methods, routes and statuses. The library's own limit puts what comes after 2,000 under one name without labels.
MOST_REQUESTS = 50_000
_provider: MeterProvider | None = None
_JOBS = Metric("ingot_job_attempts_total", "ingot_job_seconds_total", "kind")


def send_to(endpoint: str) -> None:
    """Send spans and metrics to this collector by OTLP over HTTP; nothing where it is empty."""
    tracing.send_to(endpoint)
    # The standard's own way to have traces only.
    if not endpoint or os.environ.get("OTEL_METRICS_EXPORTER") == "none":
        return
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    _measure_for(PeriodicExportingMetricReader(OTLPMetricExporter(f"{endpoint.rstrip('/')}/v1/metrics")))


def switch_off() -> None:
    """Send what is waiting, and stop."""
    global _provider  # noqa: PLW0603 - one for the process, as the library's own
    tracing.switch_off()
    if _provider is not None:
        _provider.shutdown()
        _provider = None


def _measure_for(reader: MetricReader) -> None:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.view import View

    global _provider  # noqa: PLW0603
    requests = View(instrument_name="ingot_http_requests", aggregation_cardinality_limit=MOST_REQUESTS)
    _provider = MeterProvider([reader], tracing.resource(), views=[requests])
    meter = _provider.get_meter("ingot")
    meter.create_observable_counter("ingot_http_requests", [_observing(_requests)])
    meter.create_observable_counter("ingot_http_request_seconds", [_observing(_request_seconds)], unit="s")
    for part, metric in {**METRICS, JOB: _JOBS}.items():
        number, seconds = metric.number.removesuffix("_total"), metric.seconds.removesuffix("_total")
        meter.create_observable_counter(number, [_observing(partial(_numbers, part, metric))])
        meter.create_observable_counter(seconds, [_observing(partial(_seconds, part, metric))], unit="s")


_Values = Iterable[tuple[dict[str, str], float]]


def _requests() -> _Values:
    counts = measures.own()
    for (method, route, status), number in counts.requests.items():
        yield {"method": method, "route": route, "status": str(status)}, number


def _request_seconds() -> _Values:
    yield {}, measures.own().seconds


def _numbers(part: str, metric: Metric) -> _Values:
    for (key, name, result), tally in tallies.totals().items():
        if key == part:
            yield {metric.label: name, "result": result}, tally.number


def _seconds(part: str, metric: Metric) -> _Values:
    for (key, name, result), tally in tallies.totals().items():
        if key == part:
            yield {metric.label: name, "result": result}, tally.seconds


def _observing(source: Callable[[], _Values]) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def observe(_: CallbackOptions) -> Iterable[Observation]:
        from opentelemetry.metrics import Observation

        return [Observation(value, labels) for labels, value in source()]

    return observe
