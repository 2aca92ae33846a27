"""Projects made from a repository elsewhere: here, from another project of the same server."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from ingot.features.spaces.projects import jobs
from ingot.features.spaces.projects.commands.import_url import queue_import
from ingot.features.spaces.projects.tables import project_import_logins
from ingot.kit.jobs.tables import QUEUED, RUNNING
from ingot.kit.jobs.tables import jobs as background_jobs
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that may call local addresses."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True) as running:
        yield running


@pytest.fixture(scope="module")
def ada(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def source(world: World, ada: Person) -> dict[str, Any]:
    return world.project(ada, initialize_with_readme=True, default_branch="trunk")


def with_login(source: dict[str, Any], ada: Person) -> str:
    return str(source["http_url_to_repo"]).replace("://", f"://oauth2:{ada.token}@")


def finished(person: Person, project: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = until(
        lambda: (
            (read := person.client.ok("GET", f"/projects/{project['id']}"))["import_status"] in ("finished", "failed")
            and read
        )
    )
    return result


def test_a_repository_is_imported_with_its_login_and_forgets_it(
    world: World, ada: Person, source: dict[str, Any]
) -> None:
    created = world.project(ada, import_url=with_login(source, ada))
    done = finished(ada, created)

    assert (created["import_status"], created["import_type"]) == ("scheduled", "git")
    assert created["import_url"] == source["http_url_to_repo"]
    assert (done["import_status"], done["import_error"]) == ("finished", None)
    assert (done["default_branch"], done["empty_repo"]) == ("trunk", False)
    assert done["readme_url"].endswith("/-/blob/trunk/README.md")
    with world.server.services.db.read() as conn:
        remaining = conn.execute(select(project_import_logins.c.project_id)).scalars().all()
    assert created["id"] not in remaining
    assert created["id"] in [entry["id"] for entry in ada.client.get("/projects", imported=True).json()]


def test_addresses_that_do_not_answer_are_refused(world: World, ada: Person, source: dict[str, Any]) -> None:
    def refused(url: str) -> tuple[int, Any]:
        answer = ada.client.post("/projects", json={"name": world.name("x"), "import_url": url})
        return answer.status_code, answer.json()

    private = source["http_url_to_repo"]
    assert refused(private) == (422, {"message": f"{private} endpoint error: 401"})
    nowhere = private.replace(source["path"], "nothing")
    assert refused(nowhere)[0] == 422
    assert refused("file:///etc")[1] == {
        "message": {"import_url": ["is blocked: Only allowed schemes are http, https"]}
    }


def test_a_mirror_follows_its_origin(world: World, ada: Person, source: dict[str, Any]) -> None:
    created = world.project(ada, import_url=with_login(source, ada), mirror=True)
    finished(ada, created)
    here = f"/projects/{created['id']}"
    ada.client.ok(
        "POST",
        f"/projects/{source['id']}/repository/files/new.txt",
        json={"branch": "trunk", "commit_message": "new", "content": "x"},
    )

    assert ada.client.post(f"{here}/mirror/pull").json() == 200

    until(lambda: ada.client.get(f"{here}/repository/files/new.txt", ref="trunk").status_code == 200)
    assert ada.client.post(f"/projects/{source['id']}/mirror/pull").status_code == 400


def test_a_pull_that_is_asked_for_during_another_is_not_lost(world: World, ada: Person) -> None:
    """The one that runs may have read its origin before the change that is asked for."""
    project_id = world.project(ada)["id"]
    mine = background_jobs.c.key == f"import_repository-{project_id}"
    with world.server.services.db.write() as tx:
        queue_import(tx, project_id)
        tx.execute(update(background_jobs).where(mine).values(state=RUNNING))
        queue_import(tx, project_id)
        queue_import(tx, project_id)
        states = tx.execute(select(background_jobs.c.state).where(mine)).scalars().all()
        tx.execute(delete(background_jobs).where(mine))

    assert sorted(states) == [QUEUED, RUNNING]


def test_a_project_becomes_a_mirror_and_is_pulled_at_once(world: World, ada: Person, source: dict[str, Any]) -> None:
    project = world.project(ada)
    here = f"/projects/{project['id']}"
    assert ada.client.get(f"{here}/mirror/pull").json() == {"message": "The project is not mirrored"}

    edited = ada.client.ok("PUT", here, json={"import_url": with_login(source, ada), "mirror": True})

    assert (edited["mirror"], edited["mirror_user_id"]) == (True, ada.id)
    assert edited["import_status"] in ("scheduled", "started", "finished")
    assert finished(ada, project)["import_status"] == "finished"
    assert ada.client.get(f"{here}/repository/files/README.md", ref="trunk").status_code == 200
    shown = ada.client.ok("GET", f"{here}/mirror/pull")
    assert shown.items() >= {
        "id": project["id"], "update_status": "finished", "url": source["http_url_to_repo"], "last_error": None,
        "enabled": True, "mirror_trigger_builds": False, "only_mirror_protected_branches": False,
        "mirror_overwrites_diverged_branches": False, "mirror_branch_regex": None,
    }.items()  # fmt: skip
    assert shown["last_successful_update_at"] == shown["last_update_at"] >= shown["last_update_started_at"]
    developer = world.user()
    world.member(project, developer, "developer")
    assert developer.client.get(f"{here}/mirror/pull").status_code == 403
    assert world.user().client.get(f"{here}/mirror/pull").status_code == 404


def test_a_mirror_takes_chosen_branches_and_loses_nothing(world: World, ada: Person, source: dict[str, Any]) -> None:
    project = world.project(ada)
    pull, call = f"/projects/{project['id']}/mirror/pull", ada.client.ok
    files, origin = f"/projects/{project['id']}/repository/files", f"/projects/{source['id']}/repository/files"
    body = {"url": source["http_url_to_repo"], "auth_user": "oauth2", "auth_password": ada.token, "enabled": True}
    mirror = call("PUT", pull, json={**body, "mirror_branch_regex": "^(trunk|kept)$", "mirror_trigger_builds": True})
    assert (mirror["enabled"], mirror["url"]) == (True, source["http_url_to_repo"])
    assert mirror["mirror_branch_regex"] == "^(trunk|kept)$"
    finished(ada, project)
    for branch in ("kept", "left"):
        body = {"branch": branch, "start_branch": "trunk", "commit_message": branch, "content": branch}
        call("POST", f"{origin}/{branch}.txt", json=body)
    ci = {"branch": "trunk", "commit_message": "ci", "content": "a: {script: x}"}
    call("POST", f"{origin}/.gitlab-ci.yml", json=ci)
    own = {"branch": "own", "start_branch": "trunk", "commit_message": "own", "content": "own"}
    call("POST", f"{files}/own.txt", json=own)

    call("POST", pull)
    until(lambda: ada.client.get(f"{files}/kept.txt", ref="kept").status_code == 200)

    (pipeline,) = until(lambda: ada.client.get(f"/projects/{project['id']}/pipelines").json())
    assert (pipeline["ref"], pipeline["source"]) == ("trunk", "push")
    names = [one["name"] for one in call("GET", f"/projects/{project['id']}/repository/branches")]
    assert names == ["kept", "own", "trunk"]
    both = ada.client.put(pull, json={"only_mirror_protected_branches": True, "mirror_branch_regex": "a"})
    text = "only_mirror_protected_branches, mirror_branch_regex are mutually exclusive"
    assert (both.status_code, both.json()) == (400, {"error": text})
    bad = ada.client.put(pull, json={"mirror_branch_regex": "("})
    assert bad.status_code == 400
    assert call("PUT", pull, json={"only_mirror_protected_branches": True})["mirror_branch_regex"] is None
    assert call("PUT", pull, json={"enabled": False})["enabled"] is False
    assert ada.client.get(pull).json() == {"message": "The project is not mirrored"}
    # What does not answer yet can be named; its updates fail until it does.
    absent = "https://gitlab.invalid/root/mirror.git"
    assert call("PUT", pull, json={"url": absent})["url"] == absent


def test_a_new_mirror_belongs_to_its_maker(world: World, ada: Person, source: dict[str, Any]) -> None:
    project = world.project(ada, import_url=with_login(source, ada), mirror=True)

    assert project["mirror_user_id"] == ada.id
    # Its pipelines run as the one who chose what they run.
    ben, pull = world.user(), f"/projects/{project['id']}/mirror/pull"
    world.member(project, ben, "maintainer")
    world.member(source, ben, "reporter")
    finished(ada, project)
    for choice in ({"url": with_login(source, ben)}, {"mirror_trigger_builds": True}):
        ada.client.ok("PUT", pull, json={"enabled": True})
        ben.client.ok("PUT", pull, json=choice)
        assert world.admin.ok("GET", f"/projects/{project['id']}")["mirror_user_id"] == ben.id


def test_mirrors_are_found_by_the_periodic_work(world: World, ada: Person, source: dict[str, Any]) -> None:
    created = world.project(ada, import_url=with_login(source, ada), mirror=True)
    finished(ada, created)

    class Run:
        db = world.server.services.db

    jobs.update_mirrors(Run())

    finished(ada, created)


def test_imports_by_url_can_be_switched_off(world: World, ada: Person, source: dict[str, Any]) -> None:
    world.admin.ok("PUT", "/application/settings", json={"import_sources": ["gitlab_project"]})

    answer = ada.client.post("/projects", json={"name": "x", "import_url": with_login(source, ada)})

    world.admin.ok("PUT", "/application/settings", json={"import_sources": ["gitlab_project", "git"]})
    assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})


def test_a_repository_above_the_limit_of_its_place_goes_again(world: World, ada: Person) -> None:
    large = world.project(ada, initialize_with_readme=True)
    content = base64.b64encode(os.urandom(2 << 20)).decode()
    world.commit(large, "main", {"large.txt": content})
    group = world.group(ada)
    world.admin.ok("PUT", f"/groups/{group['id']}", json={"repository_size_limit": 1})

    done = finished(ada, world.project(ada, namespace_id=group["id"], import_url=with_login(large, ada)))

    assert (done["import_status"], done["empty_repo"]) == ("failed", True)
    assert "because this repository has exceeded its size limit of 1 MB by" in done["import_error"]
    statistics = ada.client.get(f"/projects/{done['id']}", statistics=True).json()["statistics"]
    assert statistics["repository_size"] < 1 << 20
