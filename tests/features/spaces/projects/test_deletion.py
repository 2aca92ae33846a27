"""What a deletion leaves behind: nothing; and when it happens by itself."""

from datetime import timedelta
from typing import Any

from sqlalchemy import func, select, update

from ingot.access.tables import projects
from ingot.features.code.code_search import stale_projects
from ingot.features.spaces.projects import jobs
from ingot.features.spaces.projects.commands import settling
from ingot.gitstore import Person
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.kit.clock import now, today
from ingot.kit.db import metadata
from tests.support.code_index import index_code
from tests.support.waiting import until
from tests.support.world import World


def row_of(world: World, project_id: int) -> Any:
    with world.server.services.db.read() as conn:
        return conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()


def rows_of_project(world: World, project_id: int) -> dict[str, int]:
    """Rows that still name the project, by table."""
    result = {}
    with world.server.services.db.read() as conn:
        for table in metadata.tables.values():
            column = table.columns.get("project_id")
            if column is not None:
                number = conn.execute(select(func.count()).where(column == project_id)).scalar_one()
                if number:
                    result[table.name] = number
    return result


def test_a_deleted_project_leaves_nothing_behind(world: World) -> None:
    ada, ben = world.user(), world.user()
    project = world.project(ada, initialize_with_readme=True, visibility="public", topics=["gone"])
    here = f"/projects/{project['id']}"
    ben.client.ok("POST", f"{here}/star")
    fork = ben.client.ok("POST", f"{here}/fork")
    until(lambda: ben.client.ok("GET", f"/projects/{fork['id']}")["import_status"] == "finished")
    ada.client.ok("POST", f"{here}/repository/branches", json={"branch": "topic", "ref": "main"})
    ada.client.ok(
        "POST",
        f"{here}/repository/files/new.txt",
        json={"branch": "topic", "commit_message": "new", "content": "x"},
    )
    ada.client.ok(
        "POST", f"{here}/merge_requests", json={"source_branch": "topic", "target_branch": "main", "title": "T"}
    )
    services = world.server.services
    repository = services.storages.repository("default", project["id"])

    assert ada.client.delete(here).status_code == 202
    again = ada.client.post("/projects", json={"name": project["name"], "path": project["path"]})
    until(lambda: row_of(world, project["id"]) is None)

    assert again.status_code == 201  # the path is free at once, whenever the background work is done
    assert ada.client.ok("GET", f"/projects/{again.json()['id']}")["path"] == project["path"]
    until(lambda: not repository.exists())
    assert rows_of_project(world, project["id"]) == {}
    assert "forked_from_project" not in ben.client.ok("GET", f"/projects/{fork['id']}")
    topics = world.anonymous.get("/topics", search="gone").json()
    assert [topic["total_projects_count"] for topic in topics] == [0]


def test_a_marked_project_goes_when_its_days_are_over(world: World) -> None:
    ada = world.user()
    group = world.group(ada)
    early, late = (world.project(ada, namespace_id=group["id"]) for _ in range(2))
    for project in (early, late):
        ada.client.delete(f"/projects/{project['id']}")
    with world.server.services.db.write() as tx:
        tx.execute(
            update(projects)
            .where(projects.c.id == early["id"])
            .values(marked_for_deletion_on=today() - timedelta(days=7))
        )

    class Run:
        db = world.server.services.db

    jobs.delete_marked_projects(Run())

    until(lambda: row_of(world, early["id"]) is None)
    assert row_of(world, late["id"]) is not None


def test_restricted_visibility_and_locked_sharing_are_refused(world: World) -> None:
    ada = world.user()
    group = world.group(ada, share_with_group_lock=True)
    project = world.project(ada, namespace_id=group["id"])
    other = world.group(ada)
    world.admin.ok("PUT", "/application/settings", json={"restricted_visibility_levels": ["public"]})

    created = ada.client.post("/projects", json={"name": "x", "visibility": "public"})
    edited = ada.client.put(f"/projects/{project['id']}", json={"visibility": "public"})
    shared = ada.client.post(f"/projects/{project['id']}/share", json={"group_id": other["id"], "group_access": 30})

    world.admin.ok("PUT", "/application/settings", json={"restricted_visibility_levels": []})
    text = "public has been restricted by your GitLab administrator"
    assert (created.status_code, created.json()) == (400, {"message": {"visibility_level": [text]}})
    assert (edited.status_code, edited.json()) == (400, {"message": {"visibility_level": [text]}})
    assert (shared.status_code, shared.json()) == (400, {"message": "The project sharing with group is disabled"})


def test_the_integrity_check_marks_a_damaged_repository_and_finds_untold_commits(world: World) -> None:
    ada = world.user()
    project = world.project(ada, initialize_with_readme=True)
    services = world.server.services
    untold = world.project(ada)
    action = FileAction("create", "README.md", "hello")
    there = services.storages.repository("default", untold["id"])
    create_commit(there, CommitOptions("main", "Initial commit", [action], Person.now("Ada", "ada@example.com")))
    assert ada.client.ok("GET", f"/projects/{untold['id']}")["empty_repo"]
    repository = services.storages.repository("default", project["id"])
    for item in repository.path.glob("objects/??/*"):
        item.unlink()
        break

    unreadable, young, being_made = world.project(ada), world.project(ada), world.project(ada)
    options = CommitOptions("main", "Initial commit", [action], Person.now("Ada", "ada@example.com"))
    for project_id in (young["id"], being_made["id"]):
        create_commit(services.storages.repository("default", project_id), options)
    unread = services.storages.repository("default", unreadable["id"]).path
    (unread / "packed-refs").write_bytes(b"0" * 41 + b"refs/heads/main that git cannot read\n")
    with services.db.write() as tx:
        earlier = update(projects).where(projects.c.id.in_([unreadable["id"], young["id"]]))
        tx.execute(earlier.values(created_at=now() - settling.PATIENCE))
    assert being_made["id"] not in {project.id for project in stale_projects(services)}

    class Run:
        db, check, progress = services.db, staticmethod(lambda: None), staticmethod(lambda **_: None)

    Run.services = services  # type: ignore[attr-defined]
    jobs.settle_new_projects(Run())
    found = {one["id"]: ada.client.ok("GET", f"/projects/{one['id']}")["empty_repo"] for one in (young, being_made)}
    assert found == {young["id"]: False, being_made["id"]: True}
    jobs.check_repositories(Run())

    found_ids = {entry["id"] for entry in world.admin.get("/projects", repository_checksum_failed=True).json()}
    assert found_ids == {project["id"], unreadable["id"]}
    assert not ada.client.ok("GET", f"/projects/{untold['id']}")["empty_repo"]


def test_a_first_commit_that_only_a_read_found_is_in_the_index(world: World) -> None:
    ada = world.user()
    project = world.project(ada)
    services = world.server.services
    options = CommitOptions(
        "main", "Untold", [FileAction("create", "a.txt", "okapi")], Person.now("Ada", "ada@example.com")
    )
    create_commit(services.storages.repository("default", project["id"]), options)

    assert len(ada.client.ok("GET", f"/projects/{project['id']}/repository/tree")) == 1
    index_code(world.server)

    assert project["id"] not in {stale.id for stale in stale_projects(services)}
