"""Clients that send or take next to nothing: they are disconnected, and everybody else is answered meanwhile."""

import contextlib
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.raw_http import connect, read_all, statuses
from tests.support.server import ROOT_TOKEN
from tests.support.waiting import until

pytestmark = pytest.mark.costly

CROWD = 1000
BODY_TIMEOUT = 4.0
HEAD = b"GET /-/liveness HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/v4/projects HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
OPENINGS: dict[str, bytes] = {
    "silent": b"",
    "half a request line": b"GET /-/live",
    "headers that do not end": HEAD,
    "a body that does not come": POST + b"Content-Length: 1000\r\n\r\n{",
    "chunks that do not come": POST + b"Transfer-Encoding: chunked\r\n\r\n3e8\r\n{",
    "idle after an answer": HEAD + b"\r\n",
}


@contextlib.contextmanager
def serving(databases: Databases, data: Path, **settings: Any) -> Iterator[ServerProcess]:
    variables = {f"INGOT_{name.upper()}": str(value) for name, value in settings.items()}
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false", **variables) as process:
        yield process


def served(databases: Databases, factory: pytest.TempPathFactory, **settings: Any) -> Iterator[ServerProcess]:
    with serving(databases, factory.mktemp("data"), **settings) as process:
        yield process


@pytest.fixture(scope="module")
def patient(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    # Nobody is sent away while the test runs, however slow the machine is.
    yield from served(databases, tmp_path_factory, header_timeout=300, body_timeout=300)


@pytest.fixture(scope="module")
def strict(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    yield from served(databases, tmp_path_factory, header_timeout=2.0, body_timeout=BODY_TIMEOUT, max_connections=20)


@pytest.fixture
def many_files() -> Iterator[None]:
    """The crowd needs more sockets than a process may open by default."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[1], CROWD + 2000), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def crowd(many_files: None) -> Iterator[list[socket.socket]]:
    held: list[socket.socket] = []
    yield held
    for connection in held:
        connection.close()


def is_closed(connection: socket.socket) -> bool:
    """The server has ended it; what it sent before is thrown away."""
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


def test_a_crowd_of_slow_clients_stops_nobody(patient: ServerProcess, crowd: list[socket.socket]) -> None:
    for number in range(CROWD):
        connection = connect(patient.url)
        crowd.append(connection)
        connection.sendall(list(OPENINGS.values())[number % len(OPENINGS)])

    answers = [plain_http.get(f"{patient.url}/-/readiness").status_code for _ in range(20)]
    created = patient.call("POST", "/projects", json={"name": "beside the crowd"})

    assert answers == [200] * 20
    assert patient.call("GET", f"/projects/{created['id']}")["name"] == "beside the crowd"
    assert sum(not is_closed(connection) for connection in crowd) > CROWD * 0.9


@pytest.mark.parametrize("name", [name for name in OPENINGS if not name.startswith("idle")])
def test_a_client_that_sends_nothing_more_is_disconnected(strict: ServerProcess, name: str) -> None:
    with connect(strict.url) as slow:
        slow.sendall(OPENINGS[name])

        answer = read_all(slow)

    # Without a length the server asks first who sends; the connection ends in any case.
    assert statuses(answer) in ([], [408], [401])


def test_headers_that_drip_are_cut_off(strict: ServerProcess) -> None:
    with connect(strict.url) as slow:
        slow.sendall(HEAD)
        ended = time.monotonic() + 120
        with contextlib.suppress(ConnectionError):
            while not is_closed(slow) and time.monotonic() < ended:
                slow.setblocking(True)
                slow.sendall(b"X-Drip: 1\r\n")
                time.sleep(0.2)

        assert time.monotonic() < ended


def test_a_body_that_drips_is_cut_off(strict: ServerProcess) -> None:
    with connect(strict.url) as slow:
        slow.sendall(POST + b"Content-Length: 1000\r\n\r\n{")
        ended = time.monotonic() + 120
        with contextlib.suppress(ConnectionError):
            while not is_closed(slow) and time.monotonic() < ended:
                slow.setblocking(True)
                slow.sendall(b" ")
                time.sleep(0.2)

        assert time.monotonic() < ended


def test_a_client_that_takes_no_answer_is_disconnected(strict: ServerProcess) -> None:
    project = strict.call("POST", "/projects", json={"name": "large"})
    file = {"branch": "main", "commit_message": "Add", "content": "x" * 20_000_000}
    strict.call("POST", f"/projects/{project['id']}/repository/files/large.txt", json=file)
    target = f"/api/v4/projects/{project['id']}/repository/files/large.txt/raw?ref=main"
    with connect(strict.url) as slow:
        slow.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nPRIVATE-TOKEN: {ROOT_TOKEN}\r\n\r\n".encode())
        until(lambda: connections(strict) == 1)
        until(lambda: connections(strict) == 0)

        assert len(read_all(slow)) < 20_000_000


def connections(server: ServerProcess) -> int:
    """Established connections of the server's port, by the kernel's own table, in the server's direction."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{server.port:04X}") and row[3] == "01" for row in rows)


def test_a_slow_but_steady_upload_is_let_through(strict: ServerProcess) -> None:
    project = strict.call("POST", "/projects", json={"name": "steady"})

    pauses: list[float] = []

    def pieces() -> Iterator[bytes]:
        yield b'{"title": "Steady", "description": "'
        for _ in range(10):
            begin = time.monotonic()
            time.sleep(0.5)
            yield b"x" * 8192
            pauses.append(time.monotonic() - begin)
        yield b'"}'

    def upload() -> httpx.Response | None:
        pauses.clear()
        url = f"{strict.url}/api/v4/projects/{project['id']}/issues"
        headers = {"PRIVATE-TOKEN": ROOT_TOKEN, "Content-Type": "application/json"}
        with contextlib.suppress(httpx.TransportError):
            return httpx.post(url, content=pieces(), headers=headers, timeout=60)
        return None

    answer = upload()
    while (answer is None or answer.status_code != 201) and max(pauses, default=BODY_TIMEOUT) > BODY_TIMEOUT / 2:
        answer = upload()  # a busy machine made it unsteady

    assert answer is not None
    assert answer.status_code == 201
    assert answer.json()["description"] == "x" * 10 * 8192


def test_a_full_server_lets_go_of_idle_connections(strict: ServerProcess) -> None:
    idle = [connect(strict.url) for _ in range(40)]
    for connection in idle:
        connection.sendall(HEAD)

    answers = [plain_http.get(f"{strict.url}/-/liveness").status_code for _ in range(10)]

    assert answers == [200] * 10
    until(lambda: sum(is_closed(connection) for connection in idle) >= 20)
    for connection in idle:
        connection.close()


def test_one_address_has_a_limited_number_of_connections(databases: Databases, tmp_path: Path) -> None:
    options = {"max_connections_per_address": 5, "trusted_proxies": "", "header_timeout": 60}
    with serving(databases, tmp_path, **options) as server:
        until(lambda: connections(server) == 0)
        idle = [connect(server.url) for _ in range(5)]
        for connection in idle:
            connection.sendall(HEAD)
        until(lambda: connections(server) == 5)
        with connect(server.url) as sixth:
            refused = read_all(sixth)
        for connection in idle:
            connection.close()
        until(lambda: connections(server) == 0)

        assert statuses(refused) == [503]
        # The kernel knows of the ends before the server does.
        until(lambda: plain_http.get(f"{server.url}/-/liveness").status_code == 200)
