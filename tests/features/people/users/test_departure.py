"""What happens to the things of a user who is removed."""

from ingot.identity.departures import marked_columns, writings
from ingot.kit.db import metadata
from tests.support.world import World


def test_what_a_removed_user_wrote_goes_to_the_ghost(world: World) -> None:
    owner, writer = world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, writer, "developer")
    world.commit(project, "their-work", {"a.txt": "a"})
    request = writer.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"source_branch": "their-work", "target_branch": "main", "title": "Theirs"},
    )
    note = {"json": {"body": "A word."}}
    writer.client.ok("POST", f"/projects/{project['id']}/merge_requests/{request['iid']}/notes", **note)

    assert world.admin.delete(f"/users/{writer.id}").status_code == 204

    shown = owner.client.ok("GET", f"/projects/{project['id']}/merge_requests/{request['iid']}")
    notes = owner.client.ok("GET", f"/projects/{project['id']}/merge_requests/{request['iid']}/notes")
    members = owner.client.ok("GET", f"/projects/{project['id']}/members")
    assert shown["author"]["username"].startswith("ghost")
    assert {one["author"]["username"] for one in notes if one["body"] == "A word."} == {shown["author"]["username"]}
    assert writer.id not in [one["id"] for one in members]


def test_the_ghost_stays_and_is_found(world: World) -> None:
    writer = world.user()
    world.admin.delete(f"/users/{writer.id}")

    ghost = next(one for one in world.admin.ok("GET", "/users?search=ghost") if one["name"] == "Ghost User")

    assert world.admin.delete(f"/users/{ghost['id']}").status_code == 403
    blocked = world.admin.post(f"/users/{ghost['id']}/block")
    assert blocked.json() == {"message": "403 Forbidden - An internal user cannot be blocked by the API"}
    assert world.admin.get("/users", search="ghost", exclude_internal=True).json() == []


def test_personal_projects_disappear_at_once_and_for_good(world: World) -> None:
    person = world.user()
    project = world.project(person)

    world.admin.delete(f"/users/{person.id}")

    assert world.admin.get(f"/projects/{project['id']}").status_code == 404
    world.run_jobs()
    with world.server.services.db.read() as conn:
        rows = conn.exec_driver_sql(f"SELECT id FROM projects WHERE id = {project['id']}").all()
    assert rows == []
    again = world.user(person.username)
    assert world.project(again, path=project["path"])["path_with_namespace"] == project["path_with_namespace"]


def test_the_only_owner_of_a_group_stays_unless_deleted_hard(world: World) -> None:
    person = world.user()
    group = world.group(person)

    refused = world.admin.delete(f"/users/{person.id}")
    assert (refused.status_code, refused.json()) == (
        409,
        {"message": "User cannot be removed while is the sole-owner of a group"},
    )

    assert world.admin.delete(f"/users/{person.id}", params={"hard_delete": "true"}).status_code == 204
    assert world.admin.get(f"/groups/{group['id']}").status_code == 404
    assert world.admin.get(f"/users/{person.id}").status_code == 404


def test_a_group_with_another_owner_keeps_living(world: World) -> None:
    person, other = world.user(), world.user()
    group = world.group(person)
    world.member(group, other, "owner", kind="groups")

    assert world.admin.delete(f"/users/{person.id}").status_code == 204
    assert other.client.get(f"/groups/{group['id']}").status_code == 200


def test_a_hard_deletion_takes_what_was_written(world: World) -> None:
    owner, writer = world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, writer, "developer")
    world.commit(project, "hard-work", {"a.txt": "a"})
    request = writer.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"source_branch": "hard-work", "target_branch": "main", "title": "Theirs"},
    )

    assert world.admin.delete(f"/users/{writer.id}", params={"hard_delete": "true"}).status_code == 204
    assert owner.client.get(f"/projects/{project['id']}/merge_requests/{request['iid']}").status_code == 404


# Columns that look as if they named a person and do not.
# Audit events keep the number and name of whoever it was.
NO_PERSON = {("archive_leftovers", "owner_id"), ("audit_events", "author_id")}


def _looks_like_a_person(name: str) -> bool:
    return name.endswith(("user_id", "_by_id", "author_id", "creator_id", "assignee_id", "reviewer_id", "owner_id"))


def test_every_column_that_names_a_person_says_what_happens_to_its_rows(world: World) -> None:
    declared = {(table.name, column.name) for table, column in marked_columns()}
    undeclared = set()
    for table in metadata.sorted_tables:
        for column in table.c:
            keys = [key for key in column.foreign_keys if key.target_fullname == "users.id"]
            goes_along = any((key.ondelete or "").upper() in ("CASCADE", "SET NULL") for key in keys)
            names_another_table = bool(column.foreign_keys) and not keys
            if goes_along or names_another_table or not (keys or _looks_like_a_person(column.name)):
                continue
            undeclared.add((table.name, column.name))

    assert undeclared - declared - NO_PERSON == set()
    assert ("merge_requests", "author_id") in declared
    assert ("pipeline_schedules", "owner_id") in declared


def test_only_what_people_wrote_goes_with_a_hard_delete(world: World) -> None:
    assert {table.name for table, _ in writings()} == {"issues", "merge_requests", "notes", "snippets", "todos"}
