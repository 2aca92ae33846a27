"""More git work of one address than it may have: plain refusals, and pushes that have begun go on."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World


def test_clients_of_git_are_refused_with_429(databases: Databases, tmp_path: Path) -> None:
    with (
        RunningServer(databases.fresh(tmp_path), tmp_path, git_calls_per_address=1, git_call_wait=0.001) as server,
        ThreadPoolExecutor(12) as threads,
    ):
        project = World(server).project(visibility="public", initialize_with_readme=True)
        address = f"{server.url}/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"
        seen: dict[int, str] = {}

        def burst() -> bool:
            for answer in threads.map(lambda _: plain_http.get(address), range(24)):
                seen[answer.status_code] = answer.text
                assert answer.status_code != 429 or answer.headers["Retry-After"] == "5"
            return 429 in seen

        until(burst)

    assert set(seen) <= {200, 429}
    assert seen[429] == "Too many of your requests are under way. Wait for their answers."
