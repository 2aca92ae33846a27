"""The dashboard, the alerts and the manual name metrics that the server reports, with the labels that they have."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ingot.kit import tallies
from ingot.kit.jobs.measure import Measures
from tests.features.code.git_http.git_client import GitClient
from tests.support import plain_http
from tests.support.server import RunningServer
from tests.support.world import World

ROOT = Path(__file__).parents[2]
MONITORING = ROOT / "deploy" / "monitoring"
# Added by Prometheus to whatever it reads, and by histograms.
COMMON_LABELS = {"instance", "le"}
USE = re.compile(r"(ingot_\w+)(?:\{([^}]*)\})?")
GROUPING = re.compile(r"by \(([^)]*)\)")


def alert_expressions() -> list[str]:
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return [rule["expr"] for group in groups for rule in group["rules"]]


def dashboard() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((MONITORING / "grafana-dashboard.json").read_text())
    return content


def dashboard_expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


def documented() -> list[str]:
    page = (ROOT / "docs" / "operating.md").read_text().partition("## Monitoring")[2]
    return re.findall(r"`(ingot_\w+(?:\{[^}]*\})?)`", page)


@pytest.fixture(scope="module")
def reported(server: RunningServer) -> dict[str, set[str]]:
    """The labels of each metric: of a server that has had work, and of jobs in every state."""
    project = World(server).project(initialize_with_readme=True)
    client = server.client()
    client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("a.txt", b"hello")})
    assert client.get(f"/projects/{project['id']}/repository/archive").status_code == 200
    tallies.add(tallies.SSH, "greeting", 0.0)  # a process of its own answers them
    lines = plain_http.get(f"{server.url}/-/metrics").text.splitlines()
    jobs = {"queued": {"merge": 1}, "running": {"merge": 1}, "seconds": {"merge": 1.0}}
    lines += Measures(**jobs, events={("merge", "failed"): 1}).lines()
    labels: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("# TYPE"):
            labels.setdefault(line.split()[2], set())
        elif use := USE.match(line):
            labels.setdefault(use[1], set()).update(re.findall(r'(\w+)="', use[2] or ""))
    return labels


@pytest.mark.parametrize("expression", [*alert_expressions(), *dashboard_expressions()])
def test_an_expression_uses_what_is_reported(expression: str, reported: dict[str, set[str]]) -> None:
    uses = USE.findall(expression)
    assert uses
    for name, matchers in uses:
        assert name in reported
        labels = set(re.findall(r"(\w+)\s*=", matchers))
        labels |= {label.strip() for group in GROUPING.findall(expression) for label in group.split(",")}
        assert labels <= reported[name] | COMMON_LABELS


def test_the_manual_names_what_is_reported(reported: dict[str, set[str]]) -> None:
    names = documented()
    assert len(names) > 5
    for metric in names:
        name, _, labels = metric.rstrip("}").partition("{")
        assert name in reported
        assert set(filter(None, labels.split(","))) == reported[name]


def test_the_dashboard_shows_every_metric(reported: dict[str, set[str]]) -> None:
    shown = {name for expression in dashboard_expressions() for name, _ in USE.findall(expression)}
    # The sums and numbers of the histogram are in its buckets; seconds over SSH depend on the clients' lines.
    others = {"ingot_http_request_duration_seconds", "ingot_http_request_duration_seconds_sum",
              "ingot_http_request_duration_seconds_count", "ingot_ssh_command_seconds_total"}  # fmt: skip
    assert set(reported) - shown == others


def test_work_is_counted_by_what_it_asked_of(server: RunningServer) -> None:
    project = World(server).project(initialize_with_readme=True)
    client = server.client()
    before = tallies.totals()

    client.get(f"/projects/{project['id']}/repository/archive?sha=main")
    client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("a.txt", b"hello")})
    client.get(f"/projects/{project['id']}/repository/files/README.md/blame?ref=main")

    after = tallies.totals()
    for key in (
        ("git", "archive", "ok"),
        ("git", "blame", "ok"),
        ("object", "put", "ok"),
        ("statement", "read", "ok"),
        ("statement", "write", "ok"),
        ("statement", "commit", "ok"),
    ):
        assert after[key].number > before.get(key, tallies.Tally()).number, key
        assert after[key].seconds > before.get(key, tallies.Tally()).seconds, key


def test_transfers_of_git_are_counted_and_not_among_the_durations(server: RunningServer, tmp_path: Path) -> None:
    project = World(server).project(initialize_with_readme=True, visibility="public")

    def counted() -> tuple[int, int, int]:
        lines = plain_http.get(f"{server.url}/-/metrics").text.splitlines()
        read = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        numbers = {name: int(float(value)) for name, _, value in read}
        counts = {name: value for name, value in numbers.items() if name.startswith("ingot_http_requests_total{")}
        transfers = sum(value for name, value in counts.items() if "/git-upload-pack" in name)
        return transfers, sum(counts.values()), numbers["ingot_http_request_duration_seconds_count"]

    before = counted()
    GitClient(tmp_path / "git").ok("clone", "-q", f"{server.url}/{project['path_with_namespace']}.git", ".")
    transfers, all_counted, timed = (new - old for new, old in zip(counted(), before, strict=True))

    assert transfers > 0
    assert all_counted - timed == transfers


def test_the_alert_about_the_object_store_asks_of_each_call_but_the_hasty_one() -> None:
    [expression] = [text for text in alert_expressions() if "ingot_object_calls_total" in text]
    uses = USE.findall(expression)
    assert len(uses) == 2
    assert all('call!="recall"' in matchers for _, matchers in uses)
    assert GROUPING.findall(expression) == ["call", "call"]


def test_panels_do_not_overlap() -> None:
    places = [
        (row, column)
        for panel in dashboard()["panels"]
        for row in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
        for column in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
    ]
    assert len(places) == len(set(places))
    assert max(column for _, column in places) < 24
