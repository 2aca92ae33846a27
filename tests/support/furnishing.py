"""An internal group and project with one of each thing that the API can make, for walks that need every path to lead
somewhere. Everything is made by an administrator; a thing is found by a piece of the path and the name in braces.
"""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from pysequoia import Tsk

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
    created = Furniture(world, group, project, world.user(), world.user(), world.user())
    world.member(project, created.member, "developer")
    world.member(group, created.guest, "guest", kind="groups")
    created.head = world.commit(project, "main", {".gitlab-ci.yml": CI_FILE, "a.txt": "one\n"}, message="CI [skip ci]")
    _places(created)
    _code(created)
    _planning(created)
    _review(created)
    _ci(created)
    _people(created)
    _single_sign_on(created)
    _machines(created)
    _small_things(created)
    _hooks(created)
    world.run_jobs()
    return created


def _places(furniture: Furniture) -> None:
    admin = furniture.admin
    furniture.put("/projects/", "id", furniture.project["id"])
    furniture.put("/groups/", "id", furniture.group["id"])
    furniture.put("/groups/{id}/projects", "id", furniture.group["id"])
    furniture.put("/groups/{id}/projects/", "project_id", furniture.project["id"])
    furniture.put("/users/", "id", furniture.person.id)
    furniture.put("", "user_id", furniture.person.id)
    furniture.put("/members", "user_id", furniture.member.id)
    furniture.put("/groups/{id}/members", "user_id", furniture.guest.id)
    invited = furniture.world.group()
    share = {"group_id": invited["id"], "group_access": 30}
    admin.ok("POST", f"{furniture.place}/share", json=share)
    admin.ok("POST", f"{furniture.above}/share", json=share)
    furniture.put("/share/", "group_id", invited["id"])
    topic = admin.ok("POST", "/topics", json={"name": furniture.world.name("topic"), "title": "Walk"})
    furniture.put("/topics/", "id", topic["id"])
    source = furniture.world.project(furniture.person, initialize_with_readme=True, visibility="public")
    furniture.put("/fork/", "forked_from_id", source["id"])
    admin.ok("POST", f"{furniture.place}/fork/{source['id']}")
    furniture.put("/import_project_members/", "project_id", source["id"])
    for place, kind in ((furniture.place, "projects"), (furniture.above, "groups")):
        file = admin.ok("POST", f"{place}/uploads", files={"file": ("walk.txt", b"walk")})
        [listed] = admin.ok("GET", f"{place}/uploads")
        furniture.put(f"/{kind}/{{id}}/uploads", "upload_id", listed["id"])
        secret, name = file["url"].split("/")[-2:]
        furniture.put(f"/{kind}/{{id}}/uploads", "secret", secret)
        furniture.put(f"/{kind}/{{id}}/uploads", "filename", name)
    waiting = furniture.world.user()
    for place in (furniture.place, furniture.above):
        waiting.client.ok("POST", f"{place}/access_requests")
    furniture.put("/access_requests/", "user_id", waiting.id)


def _code(furniture: Furniture) -> None:
    admin, repository = furniture.admin, f"{furniture.place}/repository"
    furniture.world.commit(furniture.project, "spare", {"spare.txt": "spare\n"}, message="Spare [skip ci]")
    admin.ok("POST", f"{repository}/tags", json={"tag_name": "marked", "ref": "main"})
    admin.ok("POST", f"{furniture.place}/protected_branches", json={"name": "guarded"})
    admin.ok("POST", f"{furniture.above}/protected_branches", json={"name": "guarded"})
    admin.ok("POST", f"{furniture.place}/protected_tags", json={"name": "guarded"})
    furniture.put("/branches/", "branch", "spare")
    furniture.put("/tags/", "tag_name", "marked")
    furniture.put("/protected_", "name", "guarded")
    deploy = {"deploy_access_levels": [{"access_level": 40}]}
    admin.ok("POST", f"{furniture.place}/protected_environments", json={"name": "guarded", **deploy})
    admin.ok("POST", f"{furniture.above}/protected_environments", json={"name": "staging", **deploy})
    furniture.put("/groups/{id}/protected_environments", "name", "staging")
    check = {"name": "Walk", "external_url": "https://walk.example/check"}
    check_id = admin.ok("POST", f"{furniture.place}/external_status_checks", json=check)["id"]
    furniture.put("/external_status_checks/", "check_id", check_id)
    furniture.put("/status_checks/", "external_status_check_id", check_id)
    link = {"name": "walk", "url": "https://example.com/walk", "direct_asset_path": "/walk"}
    release = {"tag_name": "released", "ref": "main", "assets": {"links": [link]}}
    [created] = admin.ok("POST", f"{furniture.place}/releases", json=release)["assets"]["links"]
    furniture.put("/releases/", "tag_name", "released")
    furniture.put("/releases/", "link_id", created["id"])
    furniture.put("/downloads/", "asset_path", "walk")
    furniture.put("/permalink/latest/", "suffix", "downloads/walk")
    furniture.put("/files/", "file_path", "a.txt")
    furniture.put("", "sha", furniture.head)
    furniture.put("/ref/", "ref", "main")
    other = furniture.world.project()
    admin.ok("POST", f"{furniture.place}/job_token_scope/allowlist", json={"target_project_id": other["id"]})
    listed = furniture.world.group()
    admin.ok("POST", f"{furniture.place}/job_token_scope/groups_allowlist", json={"target_group_id": listed["id"]})
    furniture.put("/allowlist/", "target_project_id", other["id"])
    furniture.put("/groups_allowlist/", "target_group_id", listed["id"])
    flag = furniture.world.name("flag")
    admin.ok("POST", f"/features/{flag}", json={"value": "true", "force": True})
    furniture.put("/features/", "name", flag)


def _planning(furniture: Furniture) -> None:
    admin, place = furniture.admin, furniture.place
    for where, kind in ((place, "projects"), (furniture.above, "groups")):
        label = admin.ok("POST", f"{where}/labels", json={"name": f"walk-{kind}", "color": "#112233"})
        milestone = admin.ok("POST", f"{where}/milestones", json={"title": f"walk-{kind}"})
        furniture.put(f"/{kind}/{{id}}/labels", "label_id", label["id"])
        furniture.put(f"/{kind}/{{id}}/labels", "name", label["name"])
        furniture.put(f"/{kind}/{{id}}/milestones", "milestone_id", milestone["id"])
    issue = admin.ok("POST", f"{place}/issues", json={"title": "Walk", "labels": "walk-projects"})
    other = admin.ok("POST", f"{place}/issues", json={"title": "Other"})
    furniture.put("", "issue_iid", issue["iid"])
    linked = {"target_project_id": furniture.project["id"], "target_issue_iid": other["iid"]}
    admin.ok("POST", f"{place}/issues/{issue['iid']}/links", json=linked)
    [link] = admin.ok("GET", f"{place}/issues/{issue['iid']}/links")
    furniture.put("/links/", "issue_link_id", link["issue_link_id"])
    converse(furniture, f"{place}/issues/{issue['iid']}", "/issues/{issue_iid}")
    converse(furniture, f"{place}/repository/commits/{furniture.head}", "/commits/{sha}", awards=False)


def converse(furniture: Furniture, url: str, piece: str, *, awards: bool = True) -> None:
    """A thread, a note and their awards on a thing."""
    admin = furniture.admin
    thread = admin.ok("POST", f"{url}/discussions", json={"body": "Walk"})
    furniture.put(f"{piece}/discussions", "discussion_id", thread["id"])
    furniture.put(f"{piece}/discussions", "note_id", thread["notes"][0]["id"])
    if not awards:
        return
    note = admin.ok("POST", f"{url}/notes", json={"body": "Walk"})
    furniture.put(f"{piece}/notes", "note_id", note["id"])
    award = admin.ok("POST", f"{url}/award_emoji", json={"name": "rocket"})
    furniture.put(f"{piece}/award_emoji", "award_id", award["id"])
    award = admin.ok("POST", f"{url}/notes/{note['id']}/award_emoji", json={"name": "rocket"})
    furniture.put(f"{piece}/notes/{{note_id}}/award_emoji", "award_id", award["id"])


def _review(furniture: Furniture) -> None:
    admin, place, world = furniture.admin, furniture.place, furniture.world
    request, blocking = world.merge_request(furniture.project), world.merge_request(furniture.project)
    url = f"{place}/merge_requests/{request['iid']}"
    furniture.put("", "merge_request_iid", request["iid"])
    converse(furniture, url, "/merge_requests/{merge_request_iid}")
    rule = {"name": "Walk", "approvals_required": 0, "user_ids": [furniture.member.id]}
    for where, piece in ((place, "/projects/{id}/approval_rules"), (url, "/{merge_request_iid}/approval_rules")):
        created = admin.ok("POST", f"{where}/approval_rules", json=rule)
        furniture.put(piece, "approval_rule_id", created["id"])
    furniture.put(
        "/approval_settings/rules",
        "approval_rule_id",
        furniture.value("/projects/{id}/approval_rules", "approval_rule_id"),
    )
    block = admin.ok("POST", f"{url}/blocks", json={"blocking_merge_request_id": blocking["id"]})
    furniture.put("/blocks/", "block_id", block["id"])
    draft = admin.ok("POST", f"{url}/draft_notes", json={"note": "Walk"})
    furniture.put("/draft_notes/", "draft_note_id", draft["id"])
    admin.ok("POST", f"{url}/context_commits", json={"commits": [furniture.head]})
    [todo] = [admin.ok("POST", f"{place}/issues/1/todo")]
    furniture.put("/todos/", "id", todo["id"])


def _ci(furniture: Furniture) -> None:
    admin, place, above = furniture.admin, furniture.place, furniture.above
    runner = project_runner(furniture.world, furniture.project)
    pipeline = admin.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    job = runner.take()
    job.upload(zipped({"out": "out"}))
    job.succeed()
    furniture.put("", "pipeline_id", pipeline["id"])
    furniture.put("/jobs/", "job_id", job.id)
    furniture.put("/artifacts/", "ref_name", admin.ok("GET", f"{place}/jobs/{job.id}")["ref"])
    furniture.put("/artifacts/", "artifact_path", "out")
    furniture.put("/resource_groups/", "key", KEY)
    environment = admin.ok("POST", f"{place}/environments", json={"name": "spare"})
    admin.ok("POST", f"{place}/environments/{environment['id']}/stop")
    furniture.put("/environments/", "environment_id", environment["id"])
    deployed = {"environment": "served", "sha": furniture.head, "ref": "main", "tag": False}
    deployment = admin.ok("POST", f"{place}/deployments", json={**deployed, "status": "success"})
    admin.ok("POST", f"{place}/deployments", json={**deployed, "status": "success"})
    furniture.put("/deployments/", "deployment_id", deployment["id"])
    timed = {"description": "Walk", "ref": "main", "cron": "0 1 * * *"}
    schedule = admin.ok("POST", f"{place}/pipeline_schedules", json=timed)
    furniture.put("/pipeline_schedules/", "pipeline_schedule_id", schedule["id"])
    period = admin.ok("POST", f"{place}/freeze_periods", json={"freeze_start": "0 1 * * *", "freeze_end": "0 2 * * *"})
    furniture.put("/freeze_periods/", "freeze_period_id", period["id"])
    admin.ok("POST", f"{place}/feature_flags", json={"name": "flag", "strategies": [{"name": "default"}]})
    furniture.put("/projects/{id}/feature_flags", "feature_flag_name", "flag")
    users = admin.ok("POST", f"{place}/feature_flags_user_lists", json={"name": "users", "user_xids": "a,b"})
    furniture.put("/feature_flags_user_lists", "iid", users["iid"])
    variable = {"key": KEY, "value": "walked-value"}
    for where in (f"{place}/pipeline_schedules/{schedule['id']}", place, above, "/admin/ci"):
        admin.ok("POST", f"{where}/variables", json=variable)
    furniture.put("/variables/", "key", KEY)
    trigger = admin.ok("POST", f"{place}/triggers", json={"description": "Walk"})
    furniture.put("/triggers/", "trigger_id", trigger["id"])
    furniture.values["trigger", "token"] = trigger["token"]
    _runners(furniture, runner)


def _runners(furniture: Furniture, home: WireRunner) -> None:
    """A runner of two projects: the second may let it go."""
    admin = furniture.admin
    elsewhere = furniture.world.project()
    shared = project_runner(furniture.world, elsewhere, description="shared")
    [row] = admin.ok("GET", f"/projects/{elsewhere['id']}/runners?type=project_type")
    admin.ok("POST", f"{furniture.place}/runners", json={"runner_id": row["id"]})
    furniture.put("/runners/", "id", row["id"])
    furniture.put("/projects/{id}/runners/", "runner_id", row["id"])
    shared.ask()
    furniture.values["runner", "token"] = home.token
    furniture.values["runner", "system_id"] = home.system_id


def gpg_block() -> str:
    """A public GPG key that nobody has."""
    return str(Tsk.generate(user_id="Walk <walk@example.com>").extract_certificate())


def _people(furniture: Furniture) -> None:
    admin, person, world = furniture.admin, furniture.person, furniture.world
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 42 + "{}"
    for number, (user, where) in enumerate((("/user", "/user/"), (f"/users/{person.id}", "/users/"))):
        email = admin.ok("POST", f"{user}/emails", json={"email": f"{world.name('walk')}@example.com"})
        furniture.put(f"{where}emails" if where == "/user/" else "/emails/", "email_id", email["id"])
        remaining = admin.post(f"{user}/keys", json={"title": "Walk", "key": key.format("AE"[number])})
        assert remaining.status_code == 201, remaining.text
        furniture.put("/user/keys" if where == "/user/" else "/keys/", "key_id", remaining.json()["id"])
        gpg_key = admin.ok("POST", f"{user}/gpg_keys", json={"key": gpg_block()})
        furniture.put(f"{'/user' if where == '/user/' else '/users/{id:int}'}/gpg_keys", "key_id", gpg_key["id"])
    token = {"name": "Walk", "scopes": ["api"]}
    spare = admin.ok("POST", f"/users/{person.id}/personal_access_tokens", json=token)
    furniture.put("/personal_access_tokens/", "id", spare["id"])
    impersonation = admin.ok("POST", f"/users/{person.id}/impersonation_tokens", json=token)
    furniture.put("/impersonation_tokens/", "impersonation_token_id", impersonation["id"])
    accounts = f"{furniture.above}/service_accounts"
    account = admin.ok("POST", accounts)
    spare = admin.ok("POST", f"{accounts}/{account['id']}/personal_access_tokens", json=token)
    for name, value in (("id", furniture.group["id"]), ("user_id", account["id"]), ("token_id", spare["id"])):
        furniture.put("/groups/{id}/service_accounts", name, value)
    for where, kind in ((furniture.place, "projects"), (furniture.above, "groups")):
        bot = admin.ok("POST", f"{where}/access_tokens", json={**token, "access_level": 30})
        furniture.put(f"/{kind}/{{id}}/access_tokens", "token_id", bot["id"])
        address = f"{world.name('invited')}@example.com"
        admin.ok("POST", f"{where}/invitations", json={"email": address, "access_level": 10})
        furniture.put(f"/{kind}/{{id}}/invitations", "email", address)
        admin.ok("PUT", f"{where}/custom_attributes/{KEY}", json={"value": "walk"})
    admin.ok("PUT", f"/users/{person.id}/custom_attributes/{KEY}", json={"value": "walk"})
    furniture.put("/custom_attributes/", "key", KEY)
    role = {"name": world.name("role"), "base_access_level": 10, "read_code": True}
    furniture.put("/member_roles/", "member_role_id", admin.ok("POST", "/member_roles", json=role)["id"])
    own = admin.ok("POST", f"{furniture.above}/member_roles", json={**role, "name": world.name("role")})
    furniture.put("/groups/{id}/member_roles/", "member_role_id", own["id"])


def _single_sign_on(furniture: Furniture) -> None:
    admin, above = furniture.admin, furniture.above
    provider = {"sso_url": "https://idp.example/sso", "certificate_fingerprint": CERTIFICATE_FINGERPRINT}
    admin.ok("PUT", f"{above}/saml_provider", json=provider)
    link = {"saml_group_name": "walk", "access_level": 10}
    admin.ok("POST", f"{above}/saml_group_links", json=link)
    furniture.put("/saml_group_links/", "saml_group_name", "walk")
    for place in (furniture.place, above):
        admin.ok("PUT", f"{place}/integrations/slack", json={"webhook": "https://walk.invalid/"})
    for chat in ("slack", "mattermost"):
        admin.ok("PUT", f"{furniture.place}/integrations/{chat}-slash-commands", json={"token": "walk"})
    furniture.put("/integrations", "slug", "slack")
    token = admin.ok("POST", f"{above}/scim_token")["token"]
    arrival = {
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
        "externalId": "walk-uid",
        "userName": furniture.world.name("arrived"),
        "active": True,
        "emails": [{"value": f"{furniture.world.name('arrived')}@example.com", "type": "work", "primary": True}],
        "name": {"formatted": "Walk Arrived", "givenName": "Walk", "familyName": "Arrived"},
    }
    reply = plain_http.post(
        f"{furniture.world.server.url}/api/scim/v2/groups/{furniture.group['full_path']}/Users",
        json=arrival,
        headers={"Authorization": f"Bearer {token}"},
    )
    assert reply.status_code == 201, reply.text
    furniture.put("/saml/", "uid", "walk-uid")
    furniture.put("/scim/", "uid", "walk-uid")
    admin.ok("PUT", f"/users/{furniture.person.id}", json={"extern_uid": "walk-uid", "provider": "walk-provider"})
    furniture.put("/identities/", "provider", "walk-provider")


def _small_things(furniture: Furniture) -> None:
    admin = furniture.admin
    addresses = {"link_url": "https://example.com", "image_url": "https://example.com/a.svg"}
    for where, kind in ((furniture.place, "projects"), (furniture.above, "groups")):
        badge = admin.ok("POST", f"{where}/badges", json=addresses)
        furniture.put(f"/{kind}/{{id}}/badges", "badge_id", badge["id"])
    message = admin.ok("POST", "/broadcast_messages", json={"message": "Walk"})
    furniture.put("/broadcast_messages/", "id", message["id"])
    body = {"name": "Walk", "redirect_uri": "https://walk.example/", "scopes": "api"}
    furniture.put("/applications/", "id", admin.ok("POST", "/applications", json=body)["id"])
    snippet = {"title": "Walk", "file_name": "walk", "content": "walk", "visibility": "internal"}
    for kind, where in (("projects", furniture.place), ("groups", furniture.above)):
        page = admin.ok("POST", f"{where}/wikis", json={"title": "walk", "content": "A page."})
        furniture.put(f"/{kind}/{{id}}/wikis", "slug", page["slug"])
    furniture.put("/snippets/", "id", admin.ok("POST", "/snippets", json=snippet)["id"])
    furniture.put("/projects/{id}/snippets/", "id", furniture.project["id"])
    inside = admin.ok("POST", f"{furniture.place}/snippets", json=snippet)
    furniture.put("/snippets/", "snippet_id", inside["id"])
    furniture.put("/snippets/", "ref", "main")
    furniture.put("/snippets/", "file_path", "walk")
    converse(furniture, f"{furniture.place}/snippets/{inside['id']}", "/snippets/{snippet_id}")
    furniture.put("/templates/", "key", "Node")
    furniture.put("/templates/gitlab_ci_ymls/", "key", "Nodejs")
    furniture.put("/templates/licenses/", "key", "mit")


def _machines(furniture: Furniture) -> None:
    """What machines come in with."""
    admin = furniture.admin
    key = {"title": "Walk", "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 42 + "I"}
    furniture.put("/deploy_keys/", "key_id", admin.ok("POST", f"{furniture.place}/deploy_keys", json=key)["id"])
    for where, kind in ((furniture.place, "projects"), (furniture.above, "groups")):
        token = admin.ok("POST", f"{where}/deploy_tokens", json={"name": "Walk", "scopes": ["read_repository"]})
        furniture.put(f"/{kind}/{{id}}/deploy_tokens", "token_id", token["id"])


def _hooks(furniture: Furniture) -> None:
    """Web hooks whose receiver does not exist, and a delivery that failed."""
    admin, pair = furniture.admin, [{"key": KEY, "value": "walk"}]
    body = {"url": "https://hook.invalid/", "push_events": False, "url_variables": pair}
    for where, place in ((furniture.place, "/projects/{id}/hooks"), (furniture.above, "/groups/{id}/hooks")):
        hook = admin.ok("POST", f"{where}/hooks", json={**body, "custom_headers": pair})
        furniture.put(f"{place}/", "hook_id", hook["id"])
        for pairs in ("url_variables", "custom_headers"):
            admin.ok("PUT", f"{where}/hooks/{hook['id']}/{pairs}/{KEY}", json={"value": "walked"})
        assert admin.post(f"{where}/hooks/{hook['id']}/test/push_events").status_code == 422
        [delivery] = admin.ok("GET", f"{where}/hooks/{hook['id']}/events")
        furniture.put(f"{place}/", "hook_event_id", delivery["id"])
        furniture.put(f"{place}/", "trigger", "push_events")
        furniture.put(f"{place}/", "key", KEY)
    hook = admin.ok("POST", "/hooks", json={**body, "repository_update_events": False})
    admin.ok("PUT", f"/hooks/{hook['id']}/url_variables/{KEY}", json={"value": "walked"})
    furniture.put("/hooks/", "hook_id", hook["id"])
    furniture.put("/hooks/{hook_id}/", "key", KEY)
