"""The program as people start it: its own process, its sentences and its exit statuses."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.cli.jobs import STATES as SHOWN_STATES
from ingot.cli.processes import MOST_BY_ITSELF
from ingot.kit.cores import usable_cores
from ingot.kit.jobs.tables import STATES
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.forked_program import run_program
from tests.support.raw_http import connect
from tests.support.server import RunningServer
from tests.support.waiting import LIMIT, until
from tests.support.world import World

pytestmark = [pytest.mark.long, pytest.mark.costly]

SRC = Path(__file__).parents[2] / "src"
ROOT = "glpat-command-line-tests-1"


def environment(**more: str) -> dict[str, str]:
    remaining = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
    return {**remaining, "PYTHONPATH": str(SRC), "INGOT_SSH": "off", **more}


def ingot(*words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return run_program(*words, environment=environment(**more), folder=cwd)


@contextmanager
def serving(folder: Path, *words: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running server and its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot", "serve", "--port", "0", "--data", str(folder), *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder.parent, env=environment(**more),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Ingot is at "), line + (process.stderr.read() if process.stderr else "")
        url = line.split()[-1]
        wait_until_ready(url)
        yield process, url
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=120)


def wait_until_ready(url: str) -> None:
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        try:
            if plain_http.get(f"{url}/-/readiness").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.02)
    raise AssertionError("not ready in time")


def listens(url: str) -> bool:
    try:
        connect(url).close()
    except ConnectionError:
        return False
    return True


def refused(result: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert result.returncode != 0
    assert result.stderr.strip().startswith(f"ingot: {sentence}"), result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_the_first_start_tells_the_token_once(tmp_path: Path) -> None:
    first = ingot("init", "--data", "data", cwd=tmp_path)
    second = ingot("init", "--data", "data", cwd=tmp_path)

    assert "Administrator root, token (shown once): glpat-" in first.stdout
    assert (first.returncode, second.returncode) == (0, 0)
    assert second.stdout == f"{tmp_path / 'data'} is already set up.\n"


def test_a_server_greets_answers_and_stops_cleanly(tmp_path: Path) -> None:
    with serving(tmp_path / "data", INGOT_ROOT_TOKEN=ROOT) as (process, url):
        reply = plain_http.get(f"{url}/api/v4/user", headers={"PRIVATE-TOKEN": ROOT})
        plain_http.get(f"{url}/api/v4/user?private_token={ROOT}")
        plain_http.get(f"{url}/api/v4/users?page=x", headers={"Authorization": f"Bearer {ROOT}"})
        assert process.stdout is not None
        out = "".join(process.stdout.readline() for _ in range(3))
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=120)

    assert reply.json()["username"] == "root"
    assert process.returncode == 0
    assert f"One-time sign-in link for root: {url}/users/sign_in_link/" in out
    assert f"Administrator root, token (shown once): {ROOT}" in out
    assert f'Try: curl --header "PRIVATE-TOKEN: {ROOT}" {url}/api/v4/user' in out
    assert ROOT not in err
    lines = [json.loads(line) for line in err.splitlines() if '"request"' in line]
    assert [(line["route"], line["status"], line["user_id"]) for line in lines] == [
        ("/user", 200, 1),
        ("/user", 200, 1),
        ("/users", 400, 1),
    ]
    assert reply.headers["x-request-id"] == lines[0]["request_id"]


def test_requests_under_way_finish_after_sigterm(tmp_path: Path) -> None:
    with serving(tmp_path / "data", INGOT_ROOT_TOKEN=ROOT) as (process, url):
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            body = b'{"bio": "late"}'
            head = f"PUT /api/v4/users/1 HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: {ROOT}\r\nConnection: close\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body[:5])
            assert plain_http.get(f"{url}/-/liveness").status_code == 200  # it came later, so ours was accepted
            process.send_signal(signal.SIGTERM)
            until(lambda: not listens(url))
            connection.sendall(body[5:])
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
        process.communicate(timeout=120)

    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"bio":"late"' in answer
    assert process.returncode == 0


def test_a_process_that_is_told_to_stop_before_it_serves_stops(tmp_path: Path) -> None:
    # Python drops what is raised while an object is taken apart.
    program = """
import os, signal, sys
from ingot.cli.early_end import end_at_once_when_told
class Thing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        sum(range(1000))
end_at_once_when_told()
Thing()
sys.exit(3)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment(), cwd=tmp_path, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_worker_stops_whichever_of_its_threads_the_signal_reaches(tmp_path: Path) -> None:
    """The system may hand a signal to any thread, and Python acts on it in the first alone."""
    assert ingot("init", "--data", str(tmp_path / "data"), cwd=tmp_path).returncode == 0
    words = [sys.executable, "-m", "ingot", "worker", "--data", str(tmp_path / "data")]
    with subprocess.Popen(words, env=environment(), cwd=tmp_path, stdout=subprocess.PIPE, text=True) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "Ingot worker is running.\n"
            threads = Path(f"/proc/{worker.pid}/task")
            other = until(lambda: [int(each.name) for each in threads.iterdir() if each.name != str(worker.pid)][2:])
            assert ctypes.CDLL(None).tgkill(worker.pid, other[0], signal.SIGTERM) == 0
            assert worker.wait(LIMIT) == 0
        finally:
            worker.kill()


def test_several_processes_share_the_port(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--workers", "2", INGOT_ROOT_TOKEN=ROOT) as (process, url):
        parent = Path(f"/proc/{process.pid}")
        children = (parent / "task" / parent.name / "children").read_text().split()
        # Neither of them would live on in a fork.
        parent_threads = len(list((parent / "task").iterdir()))
        parent_files = [place for one in (parent / "fd").iterdir() if str(tmp_path) in (place := str(one.readlink()))]
        codes: list[int] = []

        def ask() -> None:
            headers = {"PRIVATE-TOKEN": ROOT}
            codes.extend(plain_http.get(f"{url}/api/v4/user", headers=headers).status_code for _ in range(5))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)

    assert len(children) == 2
    assert (parent_threads, parent_files) == (1, [])
    assert codes == [200] * 20
    assert process.returncode == 0


def test_by_itself_a_process_serves_for_each_core_and_all_count_together(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--workers", "0", INGOT_ROOT_TOKEN=ROOT) as (process, url):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        # One connection each, so that every process gets some of them.
        for _ in range(20):
            plain_http.get(f"{url}/api/v4/version", headers={"PRIVATE-TOKEN": ROOT})
        line = 'ingot_http_requests_total{method="GET",route="/version",status="200"} 20'
        until(lambda: line in plain_http.get(f"{url}/-/metrics").text)

        # Killed, it stops nobody by itself: its children notice, and the port is free again.
        process.kill()
        process.communicate(timeout=120)
        until(lambda: not any(Path(f"/proc/{child}/stat").exists() for child in children))

    cores = min(usable_cores(), MOST_BY_ITSELF)
    assert len(children) == (cores if cores > 1 else 0)


@pytest.mark.parametrize(("quota", "cores"), [("max 100000", None), ("150000 100000", 2), ("1000 100000", 1)])
def test_a_container_that_gets_less_time_has_fewer_cores(tmp_path: Path, quota: str, cores: int | None) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(f"{quota}\n")

    available = len(os.sched_getaffinity(0))
    assert usable_cores(file) == (available if cores is None else min(available, cores))


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = ingot("serve", "--port", str(port), "--data", "data", cwd=tmp_path)

    refused(result, f"Port {port} on 127.0.0.1 is already in use. Choose another one with --port.")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    result = ingot("serve", "--port", "0", "--data", "file/data", cwd=tmp_path)

    refused(result, f"The data folder {tmp_path / 'file/data'} cannot be created: Not a directory. Specify another")


def test_a_machine_without_git_is_told(tmp_path: Path) -> None:
    result = ingot("serve", "--port", "0", "--data", "data", cwd=tmp_path, PATH=str(tmp_path))

    refused(result, "git is not installed; Ingot needs git 2.38.3, 2.39.1 or newer.")


def test_an_old_git_is_told(tmp_path: Path) -> None:
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho git version 2.30.1\n")
    program.chmod(0o755)

    result = ingot("serve", "--port", "0", "--data", "data", cwd=tmp_path, PATH=f"{tmp_path}:/usr/bin:/bin")

    refused(
        result,
        "The git version is too old (git version 2.30.1): a vulnerability allows a pushed file to run code on "
        "this machine (CVE-2022-23521, CVE-2022-41903), and it cannot merge without a working tree; "
        "Ingot needs git 2.38.3, 2.39.1 or newer.",
    )


def test_a_newer_database_is_told(tmp_path: Path) -> None:
    import sqlite3

    ingot("init", "--data", "data", cwd=tmp_path)
    with sqlite3.connect(tmp_path / "data/ingot.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999', usable_from = '9999'")
    connection.close()

    refused(
        ingot("serve", "--port", "0", "--data", "data", cwd=tmp_path), "The database was upgraded by a newer version"
    )


@pytest.mark.parametrize(
    ("words", "more", "sentence"),
    [
        (("--port", "70000"), {}, "Invalid setting: port must be between 0 and 65535, not 70000."),
        ((), {"INGOT_PORT": "many"}, "Invalid setting: port must be a whole number, not 'many'."),
        ((), {"INGOT_TIER": "gold"}, "Invalid setting: tier must be one of free, premium, ultimate, not gold."),
        ((), {"INGOT_DATABASE_URL": "nonsense"}, "Invalid setting: database_url"),
        ((), {"INGOT_DATABASE_URL": "postgresql://127.0.0.1:1/x"}, "The database cannot be used:"),
        ((), {"INGOT_WORKERS": "-1"}, "Invalid setting: workers must be at least 0, not -1."),
        ((), {"INGOT_WORK_THREADS": "0"}, "Invalid setting: work_threads must be at least 1, not 0."),
        ((), {"INGOT_BASE_URL": "git.example.com"}, "Invalid setting: base_url must look like https://host or"),
    ],
)
def test_bad_settings_are_told(tmp_path: Path, words: tuple[str, ...], more: dict[str, Any], sentence: str) -> None:
    more = {"INGOT_PORT": "0", **more}

    refused(ingot("serve", "--data", "data", *words, cwd=tmp_path, **more), sentence)


def test_addresses_are_built_without_a_double_slash(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, base_url="https://git.example.com/") as server:
        world = World(server)
        project = world.project()
        listed = world.admin.get("/projects", per_page=1)

    assert project["web_url"] == f"https://git.example.com/{project['path_with_namespace']}"
    assert listed.links["first"]["url"].startswith("https://git.example.com/api/v4/projects?")


def test_a_broken_settings_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "ingot.toml").write_text("port = = 3")

    refused(ingot("serve", "--data", "data", cwd=tmp_path), "Invalid setting: ingot.toml cannot be read")


def test_users_and_tokens_are_made_on_the_command_line(tmp_path: Path) -> None:
    ingot("init", cwd=tmp_path)
    created = ingot(
        "user", "create", "smith", "--email", "smith@example.com", "--admin", "--data", "data", cwd=tmp_path
    )
    twice = ingot("user", "create", "smith", "--email", "other@example.com", "--data", "data", cwd=tmp_path)
    token = ingot("token", "create", "smith", "--scopes", "api,sudo", "--data", "data", cwd=tmp_path)
    nobody = ingot("token", "create", "jones", "--data", "data", cwd=tmp_path)
    scope = ingot("token", "create", "smith", "--scopes", "all", "--data", "data", cwd=tmp_path)
    factor = ingot("user", "disable-two-factor", "smith", "--data", "data", cwd=tmp_path)

    assert created.stdout.startswith("Created user smith with ID "), created.stderr
    refused(twice, "Username has already been taken. Choose another one. Run `ingot user list` to see existing users.")
    refused(factor, "smith does not use two-factor authentication.")
    assert token.stdout.startswith("glpat-")
    refused(nobody, "There is no user jones. Run `ingot user list` to see all users.")
    refused(scope, "Unknown scope: all. Valid scopes are api,")


def test_the_version_and_the_description_are_printed(tmp_path: Path) -> None:
    version = ingot("version", cwd=tmp_path)
    document = ingot("openapi", cwd=tmp_path)

    assert version.stdout.startswith("ingot ")
    assert '"openapi": "3.1.0"' in document.stdout


def test_the_words_for_job_states_are_the_engine_s() -> None:
    assert SHOWN_STATES == STATES


def loaded_by(program: str, folder: Path) -> set[str]:
    """The modules that a program of a few statements leaves loaded."""
    result = subprocess.run(
        [sys.executable, "-c", f"import sys; {program}; print(*sorted(sys.modules))"],
        capture_output=True, text=True, cwd=folder, env=environment(), timeout=300, check=True,
    )  # fmt: skip
    return set(result.stdout.split())


# Needed by some requests, verbs and databases only, which import them.
RARELY_NEEDED = {
    "aiohttp", "alembic", "ariadne", "asyncssh", "cryptography", "graphql", "jinja2", "lxml", "markdown_it", "moto",
    "psycopg", "pydantic", "pygments", "pytest", "rich", "signxml", "sqlalchemy.dialects.postgresql", "yaml",
}  # fmt: skip


def test_serving_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    """The start stays short and the process small."""
    serving_modules = loaded_by(
        "from ingot.cli.ready import load_settings, ready_services; from ingot import app, cli;"
        " app.build(ready_services(load_settings(data='data')))",
        tmp_path,
    )

    assert "ingot.app" in serving_modules
    assert RARELY_NEEDED & serving_modules == set()


def test_commands_load_nothing_that_they_do_not_need(tmp_path: Path) -> None:
    """One that asks the interface loads no server; one that only prints does not even load the database's library."""
    ingot("init", "--data", "data", cwd=tmp_path)

    reading = loaded_by("from ingot.cli.local_api import LocalApi; LocalApi('data', None).rows('/users', 1)", tmp_path)
    printing = loaded_by("from ingot import cli", tmp_path)

    assert "ingot.features.people.users" in reading
    assert {*RARELY_NEEDED, "uvicorn", "uvloop", "httptools"} & reading == set()
    assert "ingot.cli.users" in printing
    assert {*RARELY_NEEDED, "asyncio", "ssl", "sqlalchemy", "starlette", "pygit2"} & printing == set()
