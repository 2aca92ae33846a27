"""What fails around the move of a ref: the note of a move that took place stays and is told of, others go."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from ingot.events import ZERO_SHA
from ingot.features.code.pushing.jobs import announce_again
from ingot.features.code.pushing.later import LaterNotes
from ingot.features.code.pushing.notes import moving, noting, push_notes
from ingot.gitstore import refs
from ingot.gitstore.errors import RefChanged, RefExists
from ingot.gitstore.refs import RefUpdate
from ingot.kit.errors import Failure
from tests.support.databases import Databases
from tests.support.faults import no_listener_fails
from tests.support.server import RunningServer
from tests.support.world import World

REF = "refs/heads/topic"
CONFIG = {".gitlab-ci.yml": "build: {script: [make]}"}


class Scene:
    """A project with a branch, a commit that the branch may move to, and where the branch is."""

    def __init__(self, world: World) -> None:
        self.services = world.server.services
        self.owner = world.user()
        self.project = world.project(self.owner, initialize_with_readme=True)
        self.repository = world.repository(self.project)
        self.old = refs.find_branch(self.repository, "main") or ""
        world.commit(self.project, "main", CONFIG)
        self.new = refs.find_branch(self.repository, "main") or ""
        refs.create_branch(self.repository, "topic", self.old)
        with self.services.db.write() as tx:
            tx.execute(delete(push_notes))
        self.find = partial(refs.find_ref, self.repository)
        self.who = (self.services, self.project["id"], self.owner.id)

    def move(self, new: str, old: str) -> None:
        refs.update(self.repository, [RefUpdate(REF, new, old)])

    def notes(self) -> list[Any]:
        with self.services.db.read() as conn:
            return list(conn.execute(select(push_notes)).all())

    def pipelines(self) -> list[str]:
        path = f"/projects/{self.project['id']}/pipelines"
        return [row["sha"] for row in self.owner.client.ok("GET", f"{path}?ref=topic")]


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that does not follow up what was left by itself, however long a test takes."""
    data: Path = tmp_path_factory.mktemp("data")
    with no_listener_fails(), RunningServer(databases.fresh(data), data, worker=False) as running:
        yield running


@pytest.fixture
def scene(world: World) -> Scene:
    return Scene(world)


def test_a_failure_after_the_move_leaves_the_note_and_everybody_is_told_later(scene: Scene) -> None:
    def fail() -> None:
        with noting(*scene.who, scene.find) as held:
            held.about_to_move(REF, scene.old, scene.new)
            scene.move(scene.new, scene.old)
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail()

    (note,) = scene.notes()
    assert scene.pipelines() == []
    announce_again(scene.services, note, LaterNotes())
    assert scene.pipelines() == [scene.new]
    assert scene.notes() == []


def test_a_failure_after_some_of_several_refs_moved_leaves_the_note(scene: Scene) -> None:
    before, after = {REF: scene.old, "refs/heads/main": scene.new}, {REF: ZERO_SHA, "refs/heads/main": ZERO_SHA}

    def fail() -> None:
        with moving(*scene.who, before, after, scene.find):
            refs.delete_branch(scene.repository, "topic", scene.old)
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail()

    assert len(scene.notes()) == 1


def test_a_failure_before_the_move_takes_the_note_back(scene: Scene) -> None:
    def fail() -> None:
        with noting(*scene.who, scene.find) as held:
            held.about_to_move(REF, scene.old, scene.new)
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail()

    def fail_too() -> None:
        with moving(*scene.who, {REF: scene.old}, None, scene.find):
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail_too()

    assert scene.notes() == []


def test_who_lost_a_race_takes_the_note_back(scene: Scene) -> None:
    def fail() -> None:
        with noting(*scene.who, scene.find) as held:
            scene.move(scene.new, scene.old)
            held.about_to_move(REF, scene.old, "1" * 40)
            scene.move(scene.new, scene.old)

    with pytest.raises(RefChanged):
        fail()

    assert scene.notes() == []


@pytest.mark.parametrize("is_known", [True, False])
def test_of_two_who_make_the_same_branch_only_one_is_told_of(scene: Scene, is_known: bool) -> None:
    after = {"refs/heads/same": scene.new} if is_known else None

    def fail() -> None:
        with moving(*scene.who, {"refs/heads/same": ZERO_SHA}, after, scene.find):
            refs.create_branch(scene.repository, "same", scene.new)
            try:
                refs.create_branch(scene.repository, "same", scene.new)
            except RefExists:
                raise Failure(400, "Branch already exists") from None

    with pytest.raises(Failure):
        fail()

    assert scene.notes() == []
