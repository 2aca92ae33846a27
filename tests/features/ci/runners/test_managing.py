"""Making, listing, changing and removing runners, with the rights of each role and the limits of the plan."""

from datetime import timedelta
from typing import Any

import gitlab
import pytest
from sqlalchemy import update

from ingot.features.ci.runners.tables import runners
from ingot.kit.clock import now
from tests.support.runner import INFO, WireRunner, project_runner
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def create(person: Person, **fields: Any) -> dict[str, Any]:
    created: dict[str, Any] = person.client.ok("POST", "/user/runners", json=fields)
    return created


def seen(world: World, runner_id: int, days: float) -> None:
    with world.server.services.db.write() as tx:
        moment = now() - timedelta(days=days)
        tx.execute(update(runners).where(runners.c.id == runner_id).values(contacted_at=moment))


def test_people_make_runners_where_their_role_allows(world: World, owner: Person, project: dict[str, Any]) -> None:
    group = world.group(owner)
    developer = world.user()
    world.member(project, developer, "developer")
    world.member(group, developer, "maintainer", "groups")

    created = create(owner, runner_type="project_type", project_id=project["id"], description="mine", tag_list="b,a")
    assert created["token"].startswith("glrt-")
    assert created["token_expires_at"] is None
    assert create(owner, runner_type="group_type", group_id=group["id"])["id"] > created["id"]
    for body, status in (
        ({"runner_type": "project_type", "project_id": project["id"]}, 403),
        ({"runner_type": "group_type", "group_id": group["id"]}, 403),
        ({"runner_type": "instance_type"}, 403),
        ({"runner_type": "project_type"}, 400),
        ({"runner_type": "project_type", "project_id": 99999999}, 404),
        ({"runner_type": "strange"}, 400),
        ({}, 400),
    ):
        assert developer.client.post("/user/runners", json=body).status_code == status, body
    assert world.anonymous.post("/user/runners", json={"runner_type": "instance_type"}).status_code == 401
    scoped = world.server.client(world.token(owner.id, ["create_runner"]))
    body = {"runner_type": "project_type", "project_id": project["id"]}
    assert scoped.post("/user/runners", json=body).status_code == 201
    untagged = owner.client.post("/user/runners", json={**body, "run_untagged": False})
    assert (untagged.status_code, untagged.json()) == (
        400,
        {"message": {"tags_list": ["can not be empty when runner is not allowed to pick untagged jobs"]}},
    )
    short = owner.client.post("/user/runners", json={**body, "maximum_timeout": 10})
    assert short.json() == {"message": {"maximum_timeout": ["needs to be at least 10 minutes"]}}


def test_runners_register_with_the_token_of_their_place(world: World, owner: Person, project: dict[str, Any]) -> None:
    group = world.group(owner)
    tokens = {
        "project_type": owner.client.ok("POST", f"/projects/{project['id']}/runners/reset_registration_token"),
        "group_type": owner.client.ok("POST", f"/groups/{group['id']}/runners/reset_registration_token"),
        "instance_type": world.admin.ok("POST", "/runners/reset_registration_token"),
    }
    client = world.anonymous
    for kind, token in tokens.items():
        body = {"token": token["token"], "description": kind, "tag_list": "x, y", "info": INFO, "paused": True}
        created = client.ok("POST", "/runners", json=body)
        shown = world.admin.ok("GET", f"/runners/{created['id']}")
        assert (shown["runner_type"], shown["tag_list"], shown["paused"]) == (kind, ["x", "y"], True)
        assert shown["version"] == "19.4.0"
        verified = client.ok("POST", "/runners/verify", json={"token": created["token"], "system_id": "s_1"})
        assert verified["id"] == created["id"]
        assert client.delete("/runners", params={"token": created["token"]}).status_code == 204
        assert client.post("/runners/verify", json={"token": created["token"]}).status_code == 403
    bad = client.post("/runners", json={"token": "nonsense"})
    assert (bad.status_code, bad.json()) == (403, {"message": "403 Forbidden - invalid token supplied"})
    assert client.post("/runners", json={}).json() == {"error": "token is missing"}
    world.admin.ok("PUT", "/application/settings", json={"allow_runner_registration_token": False})
    off = client.post("/runners", json={"token": tokens["project_type"]["token"]})
    assert (off.status_code, off.json()) == (410, {"message": "410 Gone - runner registration disallowed"})
    world.admin.ok("PUT", "/application/settings", json={"allow_runner_registration_token": True})


def test_a_runner_is_shown_changed_and_removed_by_those_who_manage_it(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    created = create(owner, runner_type="project_type", project_id=project["id"], description="old")
    place = f"/runners/{created['id']}"
    developer = world.user()
    world.member(project, developer, "developer")

    shown = owner.client.ok("GET", place)
    assert (shown["status"], shown["online"], shown["is_shared"]) == ("never_contacted", None, False)
    assert [one["id"] for one in shown["projects"]] == [project["id"]]
    assert shown["created_by"]["id"] == owner.id
    changed = owner.client.ok(
        "PUT", place, json={"description": "new", "paused": True, "tag_list": ["b", "a"], "maximum_timeout": 600}
    )
    assert (changed["description"], changed["active"], changed["tag_list"]) == ("new", False, ["a", "b"])
    assert changed["maximum_timeout"] == 600
    assert owner.client.ok("PUT", place, json={"maximum_timeout": None})["maximum_timeout"] is None
    for method in ("GET", "PUT", "DELETE"):
        assert developer.client.request(method, place, json={"paused": True}).status_code == 404
    assert world.anonymous.get(place).status_code == 401
    assert owner.client.get("/runners/99999999").json() == {"message": "404 Runner Not Found"}
    assert owner.client.put(place, json={"active": True, "paused": True}).status_code == 400
    token = owner.client.ok("POST", f"{place}/reset_authentication_token")["token"]
    assert world.anonymous.post("/runners/verify", json={"token": created["token"]}).status_code == 403
    own = world.anonymous.ok("POST", "/runners/reset_authentication_token", json={"token": token})["token"]
    assert world.anonymous.post("/runners/verify", json={"token": own, "system_id": "s_9"}).status_code == 200
    machines = owner.client.ok("GET", f"{place}/managers")
    assert [one["system_id"] for one in machines] == ["s_9"]
    assert owner.client.ok("GET", place)["status"] == "online"
    away = {"token": own, "system_id": "s_9"}
    assert world.anonymous.delete("/runners/managers", params=away).status_code == 204
    gone = world.anonymous.delete("/runners/managers", params=away)
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Runner manager not found Not Found"})
    assert owner.client.delete(place).status_code == 204
    assert owner.client.get(place).status_code == 404


def test_tokens_end_when_the_instance_or_the_project_says_so(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    body = {"runner_type": "project_type", "project_id": project["id"]}
    world.admin.ok("PUT", "/application/settings", json={"runner_token_expiration_interval": 7200})
    created = create(owner, **body)
    world.admin.ok("PUT", "/application/settings", json={"runner_token_expiration_interval": None})

    assert created["token_expires_at"] is not None
    verify = {"token": created["token"]}
    assert world.anonymous.ok("POST", "/runners/verify", json=verify)["token_expires_at"] == created["token_expires_at"]
    with world.server.services.db.write() as tx:
        past = now() - timedelta(seconds=1)
        tx.execute(update(runners).where(runners.c.id == created["id"]).values(token_expires_at=past))
    assert world.anonymous.post("/runners/verify", json=verify).status_code == 403
    again = owner.client.ok("POST", f"/runners/{created['id']}/reset_authentication_token")
    assert again["token_expires_at"] is None
    assert world.anonymous.post("/runners/verify", json={"token": again["token"]}).status_code == 200


def test_lists_filter_by_type_state_tags_and_version(world: World, owner: Person, project: dict[str, Any]) -> None:
    plain = create(owner, runner_type="project_type", project_id=project["id"])
    tagged = create(owner, runner_type="project_type", project_id=project["id"], tag_list="linux,ünï", paused=True)
    shared = world.admin.ok("POST", "/user/runners", json={"runner_type": "instance_type"})
    WireRunner(world, plain["token"]).ask()
    seen(world, tagged["id"], 1)
    place = f"/projects/{project['id']}/runners"

    def ids(path: str, **params: Any) -> set[int]:
        answer = owner.client.get(path, per_page=100, **params)
        assert answer.status_code == 200, answer.text
        return {one["id"] for one in answer.json()} & {plain["id"], tagged["id"], shared["id"]}

    assert ids(place) == {plain["id"], tagged["id"], shared["id"]}
    assert ids("/runners") == {plain["id"], tagged["id"]}
    assert ids(place, type="instance_type") == {shared["id"]}
    assert ids(place, status="online") == {plain["id"]}
    assert ids(place, status="offline") == {tagged["id"]}
    assert ids(place, status="never_contacted") == {shared["id"]}
    assert ids(place, paused=True) == {tagged["id"]}
    assert ids(place, scope="paused") == {tagged["id"]}
    assert ids(place, tag_list="linux,ünï") == {tagged["id"]}
    assert ids(place, tag_list="linux,other") == set()
    assert ids(place, version_prefix="19.") == {plain["id"]}
    assert owner.client.get("/runners/all").status_code == 403
    assert world.admin.get("/runners/all").status_code == 200
    assert owner.client.get(place, status="nonsense").status_code == 400
    seen(world, tagged["id"], 8)
    assert ids(place, status="stale") == {tagged["id"]}
    many = owner.client.queries(place, per_page=100)
    create(owner, runner_type="project_type", project_id=project["id"])
    assert owner.client.queries(place, per_page=100) == many


def test_runners_are_shared_between_projects_unless_locked(world: World, owner: Person) -> None:
    first, second = world.project(owner), world.project(owner)
    open_one = create(owner, runner_type="project_type", project_id=first["id"])
    locked = create(owner, runner_type="project_type", project_id=first["id"], locked=True)
    shared = world.admin.ok("POST", "/user/runners", json={"runner_type": "instance_type"})
    place = f"/projects/{second['id']}/runners"

    assert owner.client.ok("POST", place, json={"runner_id": open_one["id"]})["id"] == open_one["id"]
    assert owner.client.post(place, json={"runner_id": open_one["id"]}).status_code == 400
    refused = owner.client.post(place, json={"runner_id": locked["id"]})
    assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden - Runner is locked"})
    assert owner.client.post(place, json={"runner_id": shared["id"]}).status_code == 403
    assert owner.client.post(place, json={"runner_id": 99999999}).status_code == 404
    both = owner.client.delete(f"/runners/{open_one['id']}")
    assert both.json() == {"message": "403 Forbidden - Runner associated with more than one project"}
    assert owner.client.delete(f"/projects/{first['id']}/runners/{open_one['id']}").status_code == 403
    assert owner.client.delete(f"{place}/{open_one['id']}").status_code == 204
    assert owner.client.delete(f"{place}/{open_one['id']}").status_code == 404
    alone = owner.client.delete(f"/projects/{first['id']}/runners/{open_one['id']}")
    assert alone.status_code == 403


def test_the_plan_limits_how_many_runners_a_place_has(world: World, owner: Person) -> None:
    project, group = world.project(owner), world.group(owner)
    world.admin.ok(
        "PUT",
        "/application/plan_limits",
        json={"plan_name": "default", "ci_registered_project_runners": 1, "ci_registered_group_runners": 1},
    )
    of_project = {"runner_type": "project_type", "project_id": project["id"]}
    of_group = {"runner_type": "group_type", "group_id": group["id"]}
    first = create(owner, **of_project)
    create(owner, **of_group)

    refused = owner.client.post("/user/runners", json=of_project)
    assert (refused.status_code, refused.json()) == (
        400,
        {"message": {"runner_projects.base": ["Maximum number of ci registered project runners (1) exceeded"]}},
    )
    assert owner.client.post("/user/runners", json=of_group).json() == {
        "message": {"runner_namespaces.base": ["Maximum number of ci registered group runners (1) exceeded"]}
    }
    token = owner.client.ok("POST", f"/projects/{project['id']}/runners/reset_registration_token")["token"]
    assert world.anonymous.post("/runners", json={"token": token}).status_code == 400
    # One that nobody has seen for a week does not count.
    with world.server.services.db.write() as tx:
        old = now() - timedelta(days=8)
        tx.execute(update(runners).where(runners.c.id == first["id"]).values(created_at=old))
    create(owner, **of_project)
    world.admin.ok(
        "PUT",
        "/application/plan_limits",
        json={"plan_name": "default", "ci_registered_project_runners": 1000, "ci_registered_group_runners": 1000},
    )


def test_a_runners_jobs_are_listed_with_their_projects(world: World, owner: Person, project: dict[str, Any]) -> None:
    config = {".gitlab-ci.yml": "one: {script: [a]}\ntwo: {script: [b]}"}
    world.commit(project, "main", config, message="CI [skip ci]", user_id=owner.id)
    runner = project_runner(world, project)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    first, second = runner.take(), runner.take()
    first.succeed()
    api = gitlab.Gitlab(world.server.url, private_token=owner.token)
    answer = api.runners.get(api.runners.list(get_all=True)[0].id)

    assert answer.job_execution_status == "active"
    jobs = answer.jobs.list(get_all=True)
    assert [one.id for one in jobs] == [second.id, first.id]
    assert jobs[0].project["path_with_namespace"] == project["path_with_namespace"]
    assert [one.id for one in answer.jobs.list(status="running", get_all=True)] == [second.id]
    machine = owner.client.ok("GET", f"/runners/{answer.id}/jobs", params={"system_id": "none"})
    assert machine == []
    answer.description = "by python-gitlab"
    answer.save()
    listed = {one.id: one.description for one in api.projects.get(project["id"]).runners.list(get_all=True)}
    assert listed[answer.id] == "by python-gitlab"
    api.session.close()


def test_changing_nothing_is_refused(owner: Person, project: dict[str, Any]) -> None:
    runner = create(owner, runner_type="project_type", project_id=project["id"])

    reply = owner.client.put(f"/runners/{runner['id']}", json={})

    assert reply.status_code == 400
    assert reply.json()["error"].endswith("are missing, at least one parameter must be provided")
