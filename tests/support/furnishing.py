"""An internal group and project with one of each thing that the API can make, for walks that need every path to lead
somewhere. Everything is made by an administrator; a thing is found by a piece of the path and the name in braces.
"""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from ingot.kit.endpoint import Endpoint
from tests.support import plain_http
from tests.support.client import Client
from tests.support.runner import WireRunner, project_runner, zipped
from tests.support.world import Person, World

CI_FILE = """
build: {script: make, artifacts: {paths: [out]}}
deploy: {script: ship, when: manual, environment: walked, resource_group: WALK}
"""
CERTIFICATE_FINGERPRINT = ":".join(["AB"] * 20)
KEY = "WALK"


@dataclass
class Furniture:
    """The places, the people in them, and the values of paths: `("/labels", "label_id")`."""

    world: World
    group: dict[str, Any]
    project: dict[str, Any]
    person: Person  # no member of anything
    member: Person
    guest: Person  # of the group only
    head: str = ""
    values: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def admin(self) -> Client:
        return self.world.admin

    @property
    def place(self) -> str:
        return f"/projects/{self.project['id']}"

    @property
    def above(self) -> str:
        return f"/groups/{self.group['id']}"

    def put(self, piece: str, name: str, value: object) -> None:
        """Say which thing paths with this piece mean."""
        self.values[piece, name] = str(value)

    def value(self, path: str, name: str) -> str | None:
        """What a path means by a name: the longest piece that fits decides."""
        fitting = [piece for piece, known in self.values if known == name and piece in path]
        return self.values[max(fitting, key=len), name] if fitting else None

    def url(self, endpoint: Endpoint) -> str | None:
        """The endpoint's path with real values; None where one is not known."""
        missing = []

        def fill(match: re.Match[str]) -> str:
            known = self.value(endpoint.path, match[1])
            if known is None:
                missing.append(match[1])
            return quote(known or "", safe="/" if match[2] == "*" else "")

        url = re.sub(r"\{(\w+)(:int|\*)?\}", fill, endpoint.path)
        return None if missing else url


def furnish(world: World) -> Furniture:
    """Make everything."""
    group = world.group(path=world.name("furnished"), visibility="internal")
    project = world.project(
        path=world.name("walked"), namespace_id=group["id"], initialize_with_readme=True, visibility="internal"
    )
    made = Furniture(world, group, project, world.user(), world.user(), world.user())
    world.member(project, made.member, "developer")
    world.member(group, made.guest, "guest", kind="groups")
    made.head = world.commit(project, "main", {".gitlab-ci.yml": CI_FILE, "a.txt": "one\n"}, message="CI [skip ci]")
    _places(made)
    _code(made)
    _planning(made)
    _review(made)
    _ci(made)
    _people(made)
    _single_sign_on(made)
    world.run_jobs()
    return made


def _places(made: Furniture) -> None:
    admin = made.admin
    made.put("/projects/", "id", made.project["id"])
    made.put("/groups/", "id", made.group["id"])
    made.put("/users/", "id", made.person.id)
    made.put("", "user_id", made.person.id)
    made.put("/members", "user_id", made.member.id)
    made.put("/groups/{id}/members", "user_id", made.guest.id)
    invited = made.world.group()
    share = {"group_id": invited["id"], "group_access": 30}
    admin.ok("POST", f"{made.place}/share", json=share)
    admin.ok("POST", f"{made.above}/share", json=share)
    made.put("/share/", "group_id", invited["id"])
    topic = admin.ok("POST", "/topics", json={"name": made.world.name("topic"), "title": "Walk"})
    made.put("/topics/", "id", topic["id"])
    source = made.world.project(made.person, initialize_with_readme=True, visibility="public")
    made.put("/fork/", "forked_from_id", source["id"])
    admin.ok("POST", f"{made.place}/fork/{source['id']}")
    made.put("/import_project_members/", "project_id", source["id"])
    for place, kind in ((made.place, "projects"), (made.above, "groups")):
        file = admin.ok("POST", f"{place}/uploads", files={"file": ("walk.txt", b"walk")})
        [listed] = admin.ok("GET", f"{place}/uploads")
        made.put(f"/{kind}/{{id}}/uploads", "upload_id", listed["id"])
        secret, name = file["url"].split("/")[-2:]
        made.put(f"/{kind}/{{id}}/uploads", "secret", secret)
        made.put(f"/{kind}/{{id}}/uploads", "filename", name)
    waiting = made.world.user()
    for place in (made.place, made.above):
        waiting.client.ok("POST", f"{place}/access_requests")
    made.put("/access_requests/", "user_id", waiting.id)


def _code(made: Furniture) -> None:
    admin, repository = made.admin, f"{made.place}/repository"
    made.world.commit(made.project, "spare", {"spare.txt": "spare\n"}, message="Spare [skip ci]")
    admin.ok("POST", f"{repository}/tags", json={"tag_name": "marked", "ref": "main"})
    admin.ok("POST", f"{made.place}/protected_branches", json={"name": "guarded"})
    admin.ok("POST", f"{made.place}/protected_tags", json={"name": "guarded"})
    made.put("/branches/", "branch", "spare")
    made.put("/tags/", "tag_name", "marked")
    made.put("/protected_", "name", "guarded")
    made.put("/files/", "file_path", "a.txt")
    made.put("", "sha", made.head)
    made.put("/ref/", "ref", "main")
    other = made.world.project()
    admin.ok("POST", f"{made.place}/job_token_scope/allowlist", json={"target_project_id": other["id"]})
    listed = made.world.group()
    admin.ok("POST", f"{made.place}/job_token_scope/groups_allowlist", json={"target_group_id": listed["id"]})
    made.put("/allowlist/", "target_project_id", other["id"])
    made.put("/groups_allowlist/", "target_group_id", listed["id"])
    flag = made.world.name("flag")
    admin.ok("POST", f"/features/{flag}", json={"value": "true", "force": True})
    made.put("/features/", "name", flag)


def _planning(made: Furniture) -> None:
    admin, place = made.admin, made.place
    for where, kind in ((place, "projects"), (made.above, "groups")):
        label = admin.ok("POST", f"{where}/labels", json={"name": f"walk-{kind}", "color": "#112233"})
        milestone = admin.ok("POST", f"{where}/milestones", json={"title": f"walk-{kind}"})
        made.put(f"/{kind}/{{id}}/labels", "label_id", label["id"])
        made.put(f"/{kind}/{{id}}/labels", "name", label["name"])
        made.put(f"/{kind}/{{id}}/milestones", "milestone_id", milestone["id"])
    issue = admin.ok("POST", f"{place}/issues", json={"title": "Walk", "labels": "walk-projects"})
    other = admin.ok("POST", f"{place}/issues", json={"title": "Other"})
    made.put("", "issue_iid", issue["iid"])
    linked = {"target_project_id": made.project["id"], "target_issue_iid": other["iid"]}
    admin.ok("POST", f"{place}/issues/{issue['iid']}/links", json=linked)
    [link] = admin.ok("GET", f"{place}/issues/{issue['iid']}/links")
    made.put("/links/", "issue_link_id", link["issue_link_id"])
    converse(made, f"{place}/issues/{issue['iid']}", "/issues/{issue_iid}")
    converse(made, f"{place}/repository/commits/{made.head}", "/commits/{sha}", awards=False)


def converse(made: Furniture, url: str, piece: str, *, awards: bool = True) -> None:
    """A thread, a note and their awards on a thing."""
    admin = made.admin
    thread = admin.ok("POST", f"{url}/discussions", json={"body": "Walk"})
    made.put(f"{piece}/discussions", "discussion_id", thread["id"])
    made.put(f"{piece}/discussions", "note_id", thread["notes"][0]["id"])
    if not awards:
        return
    note = admin.ok("POST", f"{url}/notes", json={"body": "Walk"})
    made.put(f"{piece}/notes", "note_id", note["id"])
    award = admin.ok("POST", f"{url}/award_emoji", json={"name": "rocket"})
    made.put(f"{piece}/award_emoji", "award_id", award["id"])
    award = admin.ok("POST", f"{url}/notes/{note['id']}/award_emoji", json={"name": "rocket"})
    made.put(f"{piece}/notes/{{note_id}}/award_emoji", "award_id", award["id"])


def _review(made: Furniture) -> None:
    admin, place, world = made.admin, made.place, made.world
    request, blocking = world.merge_request(made.project), world.merge_request(made.project)
    url = f"{place}/merge_requests/{request['iid']}"
    made.put("", "merge_request_iid", request["iid"])
    converse(made, url, "/merge_requests/{merge_request_iid}")
    rule = {"name": "Walk", "approvals_required": 0, "user_ids": [made.member.id]}
    for where, piece in ((place, "/projects/{id}/approval_rules"), (url, "/{merge_request_iid}/approval_rules")):
        created = admin.ok("POST", f"{where}/approval_rules", json=rule)
        made.put(piece, "approval_rule_id", created["id"])
    made.put(
        "/approval_settings/rules", "approval_rule_id", made.value("/projects/{id}/approval_rules", "approval_rule_id")
    )
    block = admin.ok("POST", f"{url}/blocks", json={"blocking_merge_request_id": blocking["id"]})
    made.put("/blocks/", "block_id", block["id"])
    admin.ok("POST", f"{url}/context_commits", json={"commits": [made.head]})
    [todo] = [admin.ok("POST", f"{place}/issues/1/todo")]
    made.put("/todos/", "id", todo["id"])


def _ci(made: Furniture) -> None:
    admin, place, above = made.admin, made.place, made.above
    runner = project_runner(made.world, made.project)
    pipeline = admin.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    job = runner.take()
    job.upload(zipped({"out": "out"}))
    job.succeed()
    made.put("", "pipeline_id", pipeline["id"])
    made.put("/jobs/", "job_id", job.id)
    made.put("/resource_groups/", "key", KEY)
    environment = admin.ok("POST", f"{place}/environments", json={"name": "spare"})
    admin.ok("POST", f"{place}/environments/{environment['id']}/stop")
    made.put("/environments/", "environment_id", environment["id"])
    deployed = {"environment": "served", "sha": made.head, "ref": "main", "tag": False}
    deployment = admin.ok("POST", f"{place}/deployments", json={**deployed, "status": "success"})
    admin.ok("POST", f"{place}/deployments", json={**deployed, "status": "success"})
    made.put("/deployments/", "deployment_id", deployment["id"])
    timed = {"description": "Walk", "ref": "main", "cron": "0 1 * * *"}
    schedule = admin.ok("POST", f"{place}/pipeline_schedules", json=timed)
    made.put("/pipeline_schedules/", "pipeline_schedule_id", schedule["id"])
    variable = {"key": KEY, "value": "walked-value"}
    for where in (f"{place}/pipeline_schedules/{schedule['id']}", place, above, "/admin/ci"):
        admin.ok("POST", f"{where}/variables", json=variable)
    made.put("/variables/", "key", KEY)
    trigger = admin.ok("POST", f"{place}/triggers", json={"description": "Walk"})
    made.put("/triggers/", "trigger_id", trigger["id"])
    made.values["trigger", "token"] = trigger["token"]
    _runners(made, runner)


def _runners(made: Furniture, home: WireRunner) -> None:
    """A runner of two projects: the second may let it go."""
    admin = made.admin
    elsewhere = made.world.project()
    shared = project_runner(made.world, elsewhere, description="shared")
    [row] = admin.ok("GET", f"/projects/{elsewhere['id']}/runners?type=project_type")
    admin.ok("POST", f"{made.place}/runners", json={"runner_id": row["id"]})
    made.put("/runners/", "id", row["id"])
    made.put("/projects/{id}/runners/", "runner_id", row["id"])
    shared.ask()
    made.values["runner", "token"] = home.token
    made.values["runner", "system_id"] = home.system_id


def _people(made: Furniture) -> None:
    admin, person, world = made.admin, made.person, made.world
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 42 + "{}"
    for number, (user, where) in enumerate((("/user", "/user/"), (f"/users/{person.id}", "/users/"))):
        email = admin.ok("POST", f"{user}/emails", json={"email": f"{world.name('walk')}@example.com"})
        made.put(f"{where}emails" if where == "/user/" else "/emails/", "email_id", email["id"])
        kept = admin.post(f"{user}/keys", json={"title": "Walk", "key": key.format("AE"[number])})
        assert kept.status_code == 201, kept.text
        made.put("/user/keys" if where == "/user/" else "/keys/", "key_id", kept.json()["id"])
    token = {"name": "Walk", "scopes": ["api"]}
    spare = admin.ok("POST", f"/users/{person.id}/personal_access_tokens", json=token)
    made.put("/personal_access_tokens/", "id", spare["id"])
    impersonation = admin.ok("POST", f"/users/{person.id}/impersonation_tokens", json=token)
    made.put("/impersonation_tokens/", "impersonation_token_id", impersonation["id"])
    for where, kind in ((made.place, "projects"), (made.above, "groups")):
        bot = admin.ok("POST", f"{where}/access_tokens", json={**token, "access_level": 30})
        made.put(f"/{kind}/{{id}}/access_tokens", "token_id", bot["id"])
        address = f"{world.name('invited')}@example.com"
        admin.ok("POST", f"{where}/invitations", json={"email": address, "access_level": 10})
        made.put(f"/{kind}/{{id}}/invitations", "email", address)
        admin.ok("PUT", f"{where}/custom_attributes/{KEY}", json={"value": "walk"})
    admin.ok("PUT", f"/users/{person.id}/custom_attributes/{KEY}", json={"value": "walk"})
    made.put("/custom_attributes/", "key", KEY)
    role = {"name": world.name("role"), "base_access_level": 10, "read_code": True}
    made.put("/member_roles/", "member_role_id", admin.ok("POST", "/member_roles", json=role)["id"])
    own = admin.ok("POST", f"{made.above}/member_roles", json={**role, "name": world.name("role")})
    made.put("/groups/{id}/member_roles/", "member_role_id", own["id"])


def _single_sign_on(made: Furniture) -> None:
    admin, above = made.admin, made.above
    provider = {"sso_url": "https://idp.example/sso", "certificate_fingerprint": CERTIFICATE_FINGERPRINT}
    admin.ok("PUT", f"{above}/saml_provider", json=provider)
    link = {"saml_group_name": "walk", "access_level": 10}
    admin.ok("POST", f"{above}/saml_group_links", json=link)
    made.put("/saml_group_links/", "saml_group_name", "walk")
    token = admin.ok("POST", f"{above}/scim_token")["token"]
    arrival = {
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
        "externalId": "walk-uid",
        "userName": made.world.name("arrived"),
        "active": True,
        "emails": [{"value": f"{made.world.name('arrived')}@example.com", "type": "work", "primary": True}],
        "name": {"formatted": "Walk Arrived", "givenName": "Walk", "familyName": "Arrived"},
    }
    reply = plain_http.post(
        f"{made.world.server.url}/api/scim/v2/groups/{made.group['full_path']}/Users",
        json=arrival,
        headers={"Authorization": f"Bearer {token}"},
    )
    assert reply.status_code == 201, reply.text
    made.put("/saml/", "uid", "walk-uid")
    made.put("/scim/", "uid", "walk-uid")
    admin.ok("PUT", f"/users/{made.person.id}", json={"extern_uid": "walk-uid", "provider": "walk-provider"})
    made.put("/identities/", "provider", "walk-provider")
