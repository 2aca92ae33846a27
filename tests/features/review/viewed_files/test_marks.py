"""Marks of viewed files: one of a person at a path, of the newest content, and seen by nobody else."""

import pytest

from ingot.features.review.viewed_files import mark_viewed, unmark_viewed, viewed_blobs
from ingot.kit.errors import BadRequest
from tests.support.server import RunningServer
from tests.support.world import World

PATH, OTHER = "a" * 40, "b" * 40


def test_a_mark_is_of_one_person_and_of_the_newest_content(server: RunningServer, world: World) -> None:
    author, reader = world.user(), world.user()
    project = world.project(author, initialize_with_readme=True, visibility="public")
    request = world.merge_request(project, author, files={"text.txt": "one\n"})["id"]
    with server.services.db.write() as tx:
        mark_viewed(tx, request, author.id, PATH, "1" * 40)
        mark_viewed(tx, request, author.id, PATH, "2" * 40)
        mark_viewed(tx, request, author.id, OTHER, "3" * 64)
        with pytest.raises(BadRequest):
            mark_viewed(tx, request, author.id, "no path", "1" * 40)
        unmark_viewed(tx, request, author.id, OTHER)
    with server.services.db.read() as conn:
        assert viewed_blobs(conn, request, author.id) == {PATH: "2" * 40}
        assert viewed_blobs(conn, request, reader.id) == {}
