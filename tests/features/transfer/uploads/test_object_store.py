"""Uploads in an S3 store: streamed through the server, or fetched from the store by a redirect."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.s3_server import KEY_ID, SECRET, running_s3
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


@pytest.fixture(scope="module", params=[False, True], ids=["streamed", "redirected"])
def world(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("objects")
    with running_s3() as s3:
        s3.bucket("uploads")
        settings = {
            "object_store": "s3://uploads/objects",
            "s3_endpoint": s3.endpoint,
            "s3_access_key_id": KEY_ID,
            "s3_secret_access_key": SECRET,
            "object_redirect": request.param,
        }
        with RunningServer(databases.fresh(folder), folder, **settings) as server:
            yield World(server)


def test_files_live_in_the_store(world: World) -> None:
    anna = world.user()
    place = f"/projects/{world.project(anna)['id']}"
    picture, text = (
        anna.client.ok("POST", f"{place}/uploads", files={"file": (name, content)})
        for name, content in (("a.png", PNG), ("page.html", b"<script>"))
    )

    got = [
        plain_http.get(
            f"{world.server.url}{created['full_path']}", headers={"PRIVATE-TOKEN": anna.token}, follow_redirects=True
        )
        for created in (picture, text)
    ]

    assert [answer.content for answer in got] == [PNG, b"<script>"]
    assert bool(got[0].history) == world.server.services.settings.object_redirect
    assert got[0].headers["content-type"] == "image/png"
    assert not got[0].headers.get("content-disposition", "inline").startswith("attachment")
    assert got[1].headers["content-disposition"].startswith("attachment;")
    assert got[1].headers["content-type"] == "application/octet-stream"
    anna.client.ok("DELETE", f"{place}/uploads/{picture['id']}")
    assert len(list(world.server.services.blobs.list("uploads"))) == 1
