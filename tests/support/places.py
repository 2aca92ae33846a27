"""Places of one attack: the attacker's own project and group, and those of somebody else."""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from ingot.kit.db import metadata
from tests.support.world import Person, World

NOWHERE = 99_999_999


@dataclass
class Place:
    """A project in a group, with something of each kind; `names` are the words that must not get out."""

    project: dict[str, Any]
    group: dict[str, Any]
    ids: dict[str, Any]
    names: list[str] = field(default_factory=list)

    def value(self, item: str) -> Any:
        """`project`, `group_path`, `milestone`: how a parameter names it."""
        return self.ids[item]


def nowhere() -> Place:
    """A place that does not exist."""
    items = ("project", "group", "milestone", "role", "rule", "request", "request_iid", "runner", "issue")
    paths = {"project_path": "no-such/place", "group_path": "no-such-group"}
    return Place({}, {}, {**dict.fromkeys(items, NOWHERE), **paths})


def build_place(world: World, owner: Person, visibility: str) -> Place:
    """A place with an issue, a request, a milestone, an approval rule, a runner and a custom role."""
    word = world.name("secret")
    group = world.group(owner, path=f"{word}-group", visibility=visibility)
    project = world.project(
        owner, path=f"{word}-project", namespace_id=group["id"], visibility=visibility, initialize_with_readme=True
    )
    client, base = owner.client, f"/projects/{project['id']}"
    request = world.merge_request(project, owner, source_branch=f"{word}-branch")
    issue = client.ok("POST", f"{base}/issues", json={"title": f"{word}-issue"})
    milestone = client.ok("POST", f"{base}/milestones", json={"title": f"{word}-milestone"})
    client.ok("POST", f"{base}/labels", json={"name": f"{word}-label", "color": "#112233"})
    rule = {"name": f"{word}-rule", "approvals_required": 1, "user_ids": [owner.id]}
    runner = client.ok("POST", "/user/runners", json={"runner_type": "project_type", "project_id": project["id"]})
    role = {"name": f"{word}-role", "base_access_level": 10, "read_code": True}
    ids = {
        "project": project["id"],
        "project_path": project["path_with_namespace"],
        "group": group["id"],
        "group_path": group["full_path"],
        "milestone": milestone["id"],
        "rule": client.ok("POST", f"{base}/approval_rules", json=rule)["id"],
        "role": client.ok("POST", f"/groups/{group['id']}/member_roles", json=role)["id"],
        "request": request["id"],
        "request_iid": request["iid"],
        "issue": issue["iid"],
        "runner": runner["id"],
    }
    return Place(project, group, ids, [word])


OF_PROJECT = (
    "issues", "milestones", "labels", "members", "merge_requests", "project_group_links", "pipelines",
    "approval_project_rules", "protected_branches", "job_token_allowed_projects", "runner_projects",
)  # fmt: skip
OF_GROUP = ("milestones", "labels", "members", "group_group_links", "runner_groups")


def contents(world: World, place: Place) -> dict[str, Any]:
    """The rows of a place: what it holds, and when that was last changed."""
    tables, result = metadata.tables, {}
    conditions = [(tables[name], "project_id", place.project["id"]) for name in OF_PROJECT]
    conditions += [(tables[name], "group_id", place.group["id"]) for name in OF_GROUP]
    conditions += [(tables["projects"], "namespace_id", place.group["id"])]
    conditions += [(tables["namespaces"], "parent_id", place.group["id"])]
    with world.server.services.db.read() as conn:
        for table, column, number in conditions:
            columns = [table.c[name] for name in ("id", "updated_at", "member_role_id") if name in table.c]
            rows = conn.execute(select(*(columns or table.c)).where(table.c[column] == number)).all()
            result[f"{table.name} {column}"] = sorted(str(row) for row in rows)
    return result
