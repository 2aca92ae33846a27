"""Who takes part in a request; a long conversation costs no more than a short one."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from ingot.features.planning.notes import notes
from ingot.features.review.merge_requests import find_by_id
from ingot.features.review.merge_requests.participants import taking_part
from ingot.identity.tables import users
from ingot.kit.clock import now
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def test_everybody_who_takes_part_is_listed_once(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    people = {name: world.user() for name in ("assignee", "reviewer", "writer", "reactor", "named", "described")}
    other = world.user()
    for person in (*people.values(), other):
        world.member(project, person, "developer")
    created = world.merge_request(
        project, owner, assignee_ids=[people["assignee"].id], reviewer_ids=[people["reviewer"].id],
        description=f"as @{people['described'].username} said",
    )  # fmt: skip
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    for _ in range(3):
        people["writer"].client.ok("POST", f"{path}/notes", json={"body": f"@{people['named'].username}, look"})
    people["writer"].client.ok("POST", f"{path}/notes", json={"body": f"`@{other.username}` is code"})
    people["reactor"].client.ok("POST", f"{path}/award_emoji", json={"name": "rocket"})

    listed = owner.client.ok("GET", f"{path}/participants")

    assert sorted(one["id"] for one in listed) == sorted([owner.id, *(person.id for person in people.values())])


def test_a_comment_that_names_everybody_breaks_nothing(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    body = " ".join(f"@u{number}" for number in range(70_000))
    owner.client.ok("POST", f"{path}/notes", json={"body": body})

    assert [one["id"] for one in owner.client.ok("GET", f"{path}/participants")] == [owner.id]


def test_a_long_conversation_is_read_from_its_indexes(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    writers = [owner.id, world.user().id, world.user().id]
    moment = now()
    rows = [
        {
            "project_id": project["id"], "noteable_type": "MergeRequest", "noteable_id": created["id"],
            "author_id": writers[place % 3], "body": f"comment {place}", "discussion_id": f"{place:040x}",
            "created_at": moment + timedelta(seconds=place), "updated_at": moment,
        }
        for place in range(3000)
    ]  # fmt: skip
    db = world.server.services.db
    with db.write() as tx:
        tx.execute(insert(notes), rows)

    listed = owner.client.ok("GET", f"/projects/{project['id']}/merge_requests/{created['iid']}/participants")
    with db.read() as conn:
        row = find_by_id(conn, created["id"])
        queries = [select(users.c.id).where(taking_part(conn, row, with_internal=one)) for one in (True, False)]
        plans = [_plan(conn, query) if db.is_sqlite else "ix_notes_commenters" for query in queries]

    assert [one["id"] for one in listed] == sorted(writers)
    assert all("ix_notes_commenters" in plan for plan in plans)


def _plan(conn, result):  # type: ignore[no-untyped-def]
    compiled = result.compile(conn, compile_kwargs={"render_postcompile": True})
    values = [compiled.params[name] for name in compiled.positiontup]
    return str(conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", tuple(values)).all())
