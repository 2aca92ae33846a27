"""A public world, and a private one that can be put beside it and tied to it in every way the API allows.

Everything public is called `open`, everything private `secret`, so that one word serves any filter by text.
"""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import update

from ingot.access.tables import projects
from ingot.kit.clock import now
from tests.support.world import Person, World

CI_FILE = "check: {script: x}\n"
CLOSED = ("issues", "merge_requests", "builds", "environments", "releases", "wiki", "snippets", "container_registry")


@dataclass
class OpenWorld:
    """What everybody may see, with the ids that paths and filters name."""

    world: World
    insider: Person  # belongs to the private world; that the account exists is public
    member: Person  # likewise
    guest: Person
    group: dict[str, Any]
    project: dict[str, Any]
    closed: dict[str, Any]  # a public project whose features are for its members
    paths: dict[str, str] = field(default_factory=dict)
    request: dict[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return f"/projects/{self.project['id']}"


def build_open_world(world: World) -> OpenWorld:
    """A public group with a public project that has one of each thing."""
    insider, member, guest = world.user("insider"), world.user("secret-member"), world.user("guest")
    for person in (insider, member):
        person.client.get("/user")  # everybody may know on which day somebody with a public profile was last here
    group = world.group(path="open", visibility="public")
    project = world.project(
        path="open", namespace_id=group["id"], visibility="public", initialize_with_readme=True, topics=["open"]
    )
    closed = world.project(
        path="closed", namespace_id=group["id"], visibility="public", initialize_with_readme=True, public_jobs=False,
        **{f"{name}_access_level": "private" for name in CLOSED},
    )  # fmt: skip
    world.member(project, guest, "guest")
    created = OpenWorld(world, insider, member, guest, group, project, closed)
    for one in (project, closed):
        world.commit(one, "main", {".gitlab-ci.yml": CI_FILE}, message="CI [skip ci]")
    _fill(created)
    return created


def _fill(created: OpenWorld) -> None:
    admin, place, above = created.world.admin, created.place, f"/groups/{created.group['id']}"
    label = admin.ok("POST", f"{place}/labels", json={"name": "open", "color": "#112233"})
    group_label = admin.ok("POST", f"{above}/labels", json={"name": "open-above", "color": "#112233"})
    milestone = admin.ok("POST", f"{place}/milestones", json={"title": "open", "due_date": "2035-01-01"})
    group_milestone = admin.ok("POST", f"{above}/milestones", json={"title": "open-above"})
    body = {"title": "open", "labels": "open,open-above", "milestone_id": milestone["id"], "weight": 3}
    issue = admin.ok("POST", f"{place}/issues", json=body)
    request = created.world.merge_request(
        created.project, title="Draft: open", description="Closes #1, #2", source_branch="open", labels="open"
    )
    note = admin.ok("POST", f"{place}/issues/1/notes", json={"body": "open"})
    admin.ok("POST", f"{place}/issues/1/award_emoji", json={"name": "rocket"})
    admin.ok("POST", f"{place}/repository/tags", json={"tag_name": "open", "ref": "main"})
    pipeline = admin.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    job = admin.ok("GET", f"{place}/pipelines/{pipeline['id']}/jobs")[0]
    environment = admin.ok("POST", f"{place}/environments", json={"name": "open"})
    created.request = request
    created.paths = {
        "issue_iid": str(issue["iid"]),
        "merge_request_iid": str(request["iid"]),
        "note_id": str(note["id"]),
        "sha": "main",
        "ref_name": "main",
        "file_path": "README.md",
        "branch": "main",
        "name": "main",
        "tag_name": "open",
        "pipeline_id": str(pipeline["id"]),
        "job_id": str(job["id"]),
        "environment_id": str(environment["id"]),
        "user_id": str(created.insider.id),
        "key": "open",
        "projects:label_id": str(label["id"]),
        "groups:label_id": str(group_label["id"]),
        "projects:milestone_id": str(milestone["id"]),
        "groups:milestone_id": str(group_milestone["id"]),
    }
    created.world.run_jobs()
    _work_last(created)


def _work_last(created: OpenWorld) -> None:
    """The closed project is the last to be worked at, before and after: that is public of public projects.

    Work within a second of other work is not noted, so that a real one would be left to chance.
    """
    with created.world.server.services.db.write() as tx:
        tx.execute(update(projects).where(projects.c.id == created.closed["id"]).values(last_activity_at=now()))


@dataclass(frozen=True)
class Secrets:
    """Ids of private things, by the names of the parameters that could name them."""

    project: dict[str, Any]
    group: dict[str, Any]
    values: dict[str, str]

    @property
    def numbers(self) -> dict[str, str]:
        """Values of filters by id."""
        project, group = str(self.project["id"]), str(self.group["id"])
        return {
            "project_id": project,
            "source_project_id": project,
            "from_project_id": project,
            "group_id": group,
            "parent_id": group,
            "skip_groups": group,
        }


def add_private_world(created: OpenWorld) -> Secrets:
    """Private groups and projects in and beside the public ones, and confidential things inside them."""
    world, admin, place = created.world, created.world.admin, created.place
    subgroup = world.group(path="secret", name="secret", parent_id=created.group["id"], visibility="private")
    apart = world.group(path="secret-apart", name="secret apart", visibility="private")
    inside = _private_project(created, subgroup)
    beside = _private_project(created, created.group)
    elsewhere = _private_project(created, apart)
    for one in (subgroup, apart):
        world.member(one, created.member, "developer", kind="groups")
        world.member(one, created.insider, "maintainer", kind="groups")
        admin.ok("POST", f"/groups/{one['id']}/labels", json={"name": "secret", "color": "#112233"})
        admin.ok("POST", f"/groups/{one['id']}/milestones", json={"title": "secret"})
    share = {"group_id": apart["id"], "group_access": 30}
    admin.ok("POST", f"{place}/share", json=share)
    admin.ok("POST", f"/groups/{created.group['id']}/share", json=share)
    admin.ok("POST", f"/projects/{elsewhere['id']}/share", json={"group_id": created.group["id"], "group_access": 10})
    values = _confide(created)
    _tie(created, beside)
    for one in (inside, beside, elsewhere):
        created.insider.client.ok("POST", f"/projects/{one['id']}/star")
    _work_behind_closed_features(created)
    _fork(created)
    world.run_jobs()
    _work_last(created)
    return Secrets(beside, subgroup, values)


def _private_project(created: OpenWorld, group: dict[str, Any]) -> dict[str, Any]:
    """A private project with one of each thing."""
    world, admin = created.world, created.world.admin
    project = world.project(
        path=f"secret-{group['id']}", name="secret", namespace_id=group["id"], visibility="private",
        initialize_with_readme=True, topics=["open", "secret"],
    )  # fmt: skip
    place = f"/projects/{project['id']}"
    world.member(project, created.insider, "maintainer")
    world.commit(project, "main", {".gitlab-ci.yml": CI_FILE}, message="CI [skip ci]")
    admin.ok("POST", f"{place}/labels", json={"name": "secret", "color": "#112233"})
    milestone = admin.ok("POST", f"{place}/milestones", json={"title": "secret"})
    labels = "secret" if group["id"] != created.group["id"] else "secret,open-above"
    body = {"title": "secret", "labels": labels, "milestone_id": milestone["id"], "assignee_ids": [created.insider.id]}
    admin.ok("POST", f"{place}/issues", json=body)
    admin.ok("POST", f"{place}/issues", json={"title": "secret"})
    insider = created.insider.client
    insider.ok("POST", f"{place}/issues/1/notes", json={"body": "secret @stranger @guest"})
    insider.ok("POST", f"{place}/issues/1/award_emoji", json={"name": "eyes"})
    insider.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    insider.ok("POST", f"{place}/environments", json={"name": "secret"})
    insider.ok("POST", f"{place}/repository/branches", json={"branch": "secret", "ref": "main"})
    return project


def _confide(created: OpenWorld) -> dict[str, str]:
    """Confidential issues and internal notes in the public project."""
    admin, insider, place = created.world.admin, created.insider, created.place
    body = {
        "title": "secret", "confidential": True, "labels": "open,open-above", "weight": 7, "due_date": "2031-01-01",
        "milestone_id": created.paths["projects:milestone_id"], "assignee_ids": [], "description": "secret @stranger",
    }  # fmt: skip
    issue = admin.ok("POST", f"{place}/issues", json=body)
    inner = f"{place}/issues/{issue['iid']}"
    admin.ok("POST", f"{inner}/notes", json={"body": "secret @stranger @guest"})
    admin.ok("POST", f"{inner}/award_emoji", json={"name": "eyes"})
    closed = admin.ok("POST", f"{place}/issues", json={**body, "title": "secret closed"})
    admin.ok("PUT", f"{place}/issues/{closed['iid']}", json={"state_event": "close"})
    note = insider.client.ok("POST", f"{place}/issues/1/notes", json={"body": "secret @guest", "internal": True})
    insider.client.ok("POST", f"{place}/issues/1/notes/{note['id']}/award_emoji", json={"name": "eyes"})
    on_request = f"{place}/merge_requests/{created.paths['merge_request_iid']}/notes"
    insider.client.ok("POST", on_request, json={"body": "secret #1 @insider", "internal": True})
    link = {"target_project_id": str(created.project["id"]), "target_issue_iid": issue["iid"], "link_type": "blocks"}
    admin.ok("POST", f"{place}/issues/1/links", json=link)
    return {"issue_iid": str(issue["iid"]), "note_id": str(note["id"])}


def _tie(created: OpenWorld, project: dict[str, Any]) -> None:
    """A private project's issue and merge request that name and link the public ones."""
    world, admin = created.world, created.world.admin
    place = f"/projects/{project['id']}"
    target = f"{created.project['path_with_namespace']}#1"
    request = world.merge_request(
        project, created.insider, title="secret", description=f"Closes {target}", source_branch="secret-change",
        labels="open-above", milestone_id=int(created.paths["groups:milestone_id"]),
    )  # fmt: skip
    link = {"target_project_id": str(created.project["id"]), "target_issue_iid": 1, "link_type": "blocks"}
    admin.ok("POST", f"{place}/issues/1/links", json=link)
    admin.ok(
        "POST",
        f"{created.place}/issues/1/links",
        json={"target_project_id": str(project["id"]), "target_issue_iid": 2, "link_type": "blocks"},
    )
    # The public request holds up the private one. The other way round changes whether it can be merged, for everybody.
    waiting = {"blocking_merge_request_id": created.request["id"]}
    admin.ok("POST", f"{place}/merge_requests/{request['iid']}/blocks", json=waiting)
    admin.ok("PUT", f"{place}/issues/1", json={"milestone_id": int(created.paths["groups:milestone_id"])})
    admin.ok("POST", f"{place}/merge_requests/{request['iid']}/notes", json={"body": f"see {target} @stranger"})


def _work_behind_closed_features(created: OpenWorld) -> None:
    """Pipelines, issues and requests of a public project that keeps them for its members."""
    admin = created.world.admin
    place = f"/projects/{created.closed['id']}"
    admin.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    issue = admin.ok("POST", f"{place}/issues", json={"title": "secret"})
    admin.ok("POST", f"{place}/issues/{issue['iid']}/notes", json={"body": "secret"})
    admin.ok("POST", f"{place}/environments", json={"name": "secret"})


def _fork(created: OpenWorld) -> None:
    """A private fork of the public project."""
    created.member.client.ok("POST", f"{created.place}/fork", json={"visibility": "private", "path": "secret-fork"})
    created.world.run_jobs()
