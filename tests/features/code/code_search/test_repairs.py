"""What `ingot doctor` says about the index of code, and how it repairs it."""

import pytest
from sqlalchemy import delete, func, select, update

from ingot import doctor
from ingot.features.code.code_search import rebuild_trigrams
from ingot.features.code.code_search.tables import code_files, code_indexes
from ingot.features.code.code_search.trigrams import CONTENTS, PATHS, clear, count
from ingot.kit.jobs import enqueue
from tests.support.client import Client
from tests.support.code_index import index_code
from tests.support.world import World


def examine(world: World, *, repair: bool = False) -> tuple[list[str], list[str]]:
    """Problems and notes."""
    findings = list(doctor.EXAMINATIONS["code index"](world.server.services, repair))
    return [one.sentence for one in findings if not one.is_note], [one.sentence for one in findings if one.is_note]


def paths(client: Client, word: str) -> list[str]:
    return [hit["path"] for hit in client.ok("GET", f"/search?scope=blobs&search={word}")]


@pytest.fixture(scope="module")
def place(world: World) -> tuple[int, str, Client]:
    owner = world.user()
    project = world.project(owner)
    world.commit(project, "main", {"a.txt": "pangolin\n", "b.txt": "pangolin\n"})
    index_code(world.server)
    return project["id"], project["path_with_namespace"], owner.client


def test_the_size_is_a_note(world: World, place: tuple[int, str, Client]) -> None:
    problems, [note] = examine(world)
    assert problems == []
    assert note.startswith("2 files with 0.0 MB of text in 1 contents; the index takes ")


def test_files_that_were_lost_are_put_back(world: World, place: tuple[int, str, Client]) -> None:
    number, name, client = place
    services = world.server.services
    problem = f"{name}: the code search index is behind the default branch."
    for damage in (
        delete(code_files).where(code_files.c.project_id == number, code_files.c.path == "a.txt"),
        delete(code_indexes).where(code_indexes.c.project_id == number),
        update(code_indexes).where(code_indexes.c.project_id == number).values(head="0" * 40),
    ):
        with services.db.write() as tx:
            tx.execute(damage)
        assert examine(world)[0] == [problem]
        assert examine(world, repair=True)[0] == [problem]
        assert examine(world)[0] == []
        assert paths(client, "pangolin") == ["a.txt", "b.txt"]


def test_a_lost_trigram_index_is_made_anew(world: World, place: tuple[int, str, Client]) -> None:
    _, _, client = place
    services = world.server.services
    with services.db.write() as tx:
        clear(tx, CONTENTS)
    assert paths(client, "pangolin") == []
    assert examine(world, repair=True)[0] == ["The code search index is incomplete for 1 file."]
    assert examine(world)[0] == []
    assert paths(client, "pangolin") == ["a.txt", "b.txt"]

    rebuild_trigrams(services)
    with services.db.read() as conn:
        assert (count(conn, CONTENTS), count(conn, PATHS)) == (1, 2)
        assert conn.execute(select(func.count()).select_from(code_files)).scalar_one() == 2


def test_projects_that_are_older_than_the_index_are_queued(world: World, place: tuple[int, str, Client]) -> None:
    number, _, client = place
    with world.server.services.db.write() as tx:
        tx.execute(delete(code_indexes).where(code_indexes.c.project_id == number))
        tx.execute(delete(code_files).where(code_files.c.project_id == number))
        enqueue(tx, "index_unknown_code", key="now")
    world.run_jobs()
    assert paths(client, "pangolin") == ["a.txt", "b.txt"]
