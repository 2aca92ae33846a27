"""`labels=None`, `labels=Any` and counts of labels follow every way in which a request gets and loses labels."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import insert, select

from ingot.features.review.merge_requests import merge_request_labels
from ingot.kit.db import Database
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def found(owner: Person, project: dict[str, Any], word: str) -> list[int]:
    listed = owner.client.get(f"/projects/{project['id']}/merge_requests", labels=word).json()
    return sorted(one["iid"] for one in listed)


def test_editing_and_deleting_labels(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{project['id']}"
    world.merge_request(project, owner, labels="one,two")
    world.merge_request(project, owner)
    assert (found(owner, project, "Any"), found(owner, project, "None")) == ([1], [2])

    owner.client.ok("PUT", f"{path}/merge_requests/2", json={"add_labels": "three"})
    owner.client.ok("PUT", f"{path}/merge_requests/1", json={"remove_labels": "one"})
    assert (found(owner, project, "Any"), found(owner, project, "None")) == ([1, 2], [])

    assert owner.client.delete(f"{path}/labels/three").status_code == 204
    assert (found(owner, project, "Any"), found(owner, project, "None")) == ([1], [2])

    owner.client.ok("PUT", f"{path}/merge_requests/1", json={"labels": ""})
    assert (found(owner, project, "Any"), found(owner, project, "None")) == ([], [1, 2])


def test_promoting_a_label_keeps_it_on_its_requests(world: World, owner: Person) -> None:
    group = world.group(owner)
    projects = [world.project(owner, initialize_with_readme=True, namespace_id=group["id"]) for _ in range(2)]
    for project in projects:
        world.merge_request(project, owner, labels="shared")
    label = owner.client.ok("GET", f"/projects/{projects[0]['id']}/labels")[0]

    owner.client.ok("PUT", f"/projects/{projects[0]['id']}/labels/{label['id']}/promote")

    assert [found(owner, project, "Any") for project in projects] == [[1], [1]]
    assert [found(owner, project, "shared") for project in projects] == [[1], [1]]


def test_links_follow_the_state_of_their_request(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner, labels="one")
    path = f"/projects/{project['id']}/merge_requests/1"

    def states() -> list[str]:
        links = merge_request_labels.c
        with world.server.services.db.read() as conn:
            rows = conn.execute(select(links.state).where(links.merge_request_id == created["id"]))
            return list(rows.scalars())

    assert states() == ["opened"]
    owner.client.ok("PUT", path, json={"state_event": "close"})
    assert states() == ["closed"]
    owner.client.ok("PUT", path, json={"add_labels": "two"})
    assert states() == ["closed", "closed"]
    owner.client.ok("PUT", path, json={"state_event": "reopen"})
    assert states() == ["opened", "opened"]


def wait_until_somebody_waits(db: Database) -> None:
    """For a row that this transaction holds; the one writer of SQLite is waited for by all."""
    end = time.monotonic() + 60
    while not db.is_sqlite and time.monotonic() < end:
        with db.read() as conn:
            if conn.exec_driver_sql("SELECT 1 FROM pg_locks WHERE NOT granted").first() is not None:
                return


def test_a_label_that_goes_while_another_comes_is_not_the_last(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner, labels="old")
    db, path = world.server.services.db, f"/projects/{project['id']}/labels"
    coming = owner.client.ok("POST", path, json={"name": "new", "color": "#ffffff"})["id"]

    with ThreadPoolExecutor(1) as pool:
        with db.write() as tx:
            tx.execute(insert(merge_request_labels).values(merge_request_id=created["id"], label_id=coming))
            going = pool.submit(owner.client.delete, f"{path}/old")
            wait_until_somebody_waits(db)
        assert going.result().status_code == 204

    assert (found(owner, project, "Any"), found(owner, project, "None")) == ([1], [])
