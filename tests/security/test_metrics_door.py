"""Figures of the instance are for operators: strangers get 404, whatever they or a proxy say about their address."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

STRANGER = "203.0.113.9"


def status(server: RunningServer, token: str | None = None, **headers: str) -> int:
    credentials = {"PRIVATE-TOKEN": token} if token else {}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return plain_http.get(f"{server.url}/-/metrics", headers={**sent, **credentials}).status_code


@pytest.fixture(scope="module")
def public(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that people reach by another address: something on this machine forwards them."""
    data: Path = tmp_path_factory.mktemp("public")
    with RunningServer(databases.fresh(data), data, base_url="https://git.example.com") as running:
        yield running


def test_this_machine_reads_the_metrics(server: RunningServer) -> None:
    assert status(server) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Forwarded_For": STRANGER},
        {"X_Forwarded_For": "127.0.0.1"},
        {"X_Forwarded_For": f"127.0.0.1, {STRANGER}"},
        {"X_Forwarded_For": f"{STRANGER}, 127.0.0.1"},
        {"X_Forwarded_For": "::1"},
        {"X_Forwarded_For": "not an address"},
        {"X_Real_IP": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"X_Forwarded_Proto": "https"},
        {"Host": "git.example.com"},
    ],
)
def test_a_request_that_a_proxy_forwards_is_not_of_this_machine(server: RunningServer, headers: dict[str, str]) -> None:
    assert status(server, **headers) == 404


def test_behind_a_silent_proxy_loopback_is_nobody(public: RunningServer) -> None:
    assert status(public) == 404
    assert status(public, Host="localhost") == 404


def test_trust_in_this_machine_can_be_switched_off(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, metrics_loopback=False) as running:
        assert status(running) == 404
        assert status(running, Host="localhost") == 404
        assert status(running, running.client().token) == 200


def test_answers_tell_no_number_of_statements_unless_asked_to(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, query_count_header=False) as running:
        silent = plain_http.get(f"{running.url}/api/v4/projects")

    assert silent.status_code == 200
    assert "X-Query-Count" not in silent.headers


def test_administrators_read_the_metrics_from_anywhere(public: RunningServer) -> None:
    world = World(public)
    person = world.user()
    narrow = world.token(1, ["read_user"])

    assert status(public, public.client().token, X_Forwarded_For=STRANGER) == 200
    assert status(public, person.token, X_Forwarded_For=STRANGER) == 404
    assert status(public, narrow) == 404
    assert status(public, "glpat-of-nobody-at-all-000") == 404


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"metrics_addresses": "203.0.113.0/24"}, (404, 200, 404)),
        ({"metrics_addresses": "127.0.0.1, 2001:db8::/32"}, (200, 404, 200)),
        # Without trusted proxies a header says nothing about anybody.
        ({"metrics_addresses": "203.0.113.0/24", "trusted_proxies": ""}, (404, 404, 404)),
    ],
)
def test_addresses_of_the_setting_read_the_metrics(
    databases: Databases, tmp_path: Path, options: dict[str, Any], expected: tuple[int, ...]
) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, base_url="https://git.example.com", **options) as running:
        answers = (
            status(running, Host="localhost"),
            status(running, X_Forwarded_For=STRANGER),
            status(running, X_Forwarded_For="2001:db8::7"),
        )

    assert answers == expected


@pytest.mark.parametrize("page", ["health", "liveness", "readiness"])
def test_pages_about_health_stay_open(public: RunningServer, page: str) -> None:
    answer = plain_http.get(f"{public.url}/-/{page}", headers={"X-Forwarded-For": STRANGER})

    assert answer.status_code == 200
