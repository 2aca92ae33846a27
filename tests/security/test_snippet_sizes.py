"""Snippets with large files: they have a limit, and reading one file leaves the others alone."""

import pytest

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess

pytestmark = pytest.mark.costly

MEGABYTE = 1024 * 1024
GROWTH = 64 * MEGABYTE


def test_large_snippets_are_refused_and_large_files_are_read_alone(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("data")
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false") as server:
        files = [{"file_path": f"{number}.txt", "content": "x" * MEGABYTE} for number in range(10)]
        snippet = server.call("POST", "/snippets", json={"title": "Large", "visibility": "public", "files": files})
        one = f"/snippets/{snippet['id']}"

        def read() -> int:
            paths = (f"{one}/raw", f"{one}/files/main/9.txt/raw")
            return sum(len(plain_http.get(f"{server.url}/api/v4{path}").content) for path in paths)

        read()
        size, growth = server.growth(read)
        files[0]["content"] += "x"
        with pytest.raises(AssertionError, match="Snippet files are too large"):
            server.call("POST", "/snippets", json={"title": "Too large", "files": files})
        change = [{"action": "update", "file_path": "0.txt", "content": "x" * (MEGABYTE + 1)}]
        with pytest.raises(AssertionError, match="Snippet files are too large"):
            server.call("PUT", one, json={"files": change})

    assert size == 2 * MEGABYTE
    assert growth < GROWTH
