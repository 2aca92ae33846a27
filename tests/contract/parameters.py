"""What the walk over parameters sends: bodies that succeed, things of their own for calls that use them up, values."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from ingot.kit.endpoint import Endpoint
from tests.support.furnishing import Furniture, gpg_block
from tests.support.observing import Follow
from tests.support.runner import project_runner
from tests.support.walking import ENDPOINTS, arguments, named

_numbers = count(1)
Body = dict[str, Any]


@dataclass(frozen=True)
class With:
    """A value that needs company."""

    value: Any
    more: Body


P, G, U = "/projects/{id}", "/groups/{id}", "/users/{id:int}"
ISSUE, MR = f"{P}/issues/{{issue_iid}}", f"{P}/merge_requests/{{merge_request_iid}}"
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


def fresh(stem: str = "walked") -> str:
    """A word that nobody has used."""
    return f"{stem}{next(_numbers)}"


def ssh_key() -> str:
    """A key that nobody has."""
    return (
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"
        + "B" * 38
        + f"{next(_numbers):04d}".translate(str.maketrans("0123456789", "ABCDEFGHIJ"))
        + "A"
    )


def branch(furniture: Furniture) -> str:
    """A branch with a change of its own."""
    name = fresh("branch")
    furniture.world.commit(furniture.project, name, {f"{name}.txt": "x\n"}, message="x [skip ci]")
    return name


def request(furniture: Furniture) -> Body:
    return furniture.world.merge_request(furniture.project)


def commit(furniture: Furniture) -> Body:
    action = {"action": "create", "file_path": fresh("file"), "content": "x"}
    return {"branch": "main", "commit_message": fresh("message"), "actions": [action]}


def new_file(furniture: Furniture) -> Body:
    return {"branch": "main", "commit_message": "x", "content": "x"}


def topic(furniture: Furniture) -> int:
    return int(furniture.admin.ok("POST", "/topics", json={"name": fresh("topic"), "title": "Walk"})["id"])


def spare_runner(furniture: Furniture) -> int:
    """A runner of another project."""
    project = furniture.world.project()
    project_runner(furniture.world, project)
    return int(furniture.admin.ok("GET", f"/projects/{project['id']}/runners?type=project_type")[0]["id"])


def new_label(furniture: Furniture, place: str) -> Body:
    created: Body = furniture.admin.ok("POST", f"{place}/labels", json={"name": fresh("label"), "color": "#112233"})
    return created


def rule_of_project(furniture: Furniture) -> int:
    """A rule that every request of the project takes over."""
    body = {"name": fresh("rule"), "approvals_required": 1, "user_ids": [furniture.member.id]}
    return int(furniture.admin.ok("POST", f"{furniture.place}/approval_rules", json=body)["id"])


TOKEN = {"name": "walk", "scopes": ["read_api"]}
RUNNER = {"runner_type": "instance_type"}


# Bodies beyond the declared samples of required parameters.
def new_check(furniture: Furniture) -> int:
    """A status check for all branches."""
    body = {"name": (name := fresh("check")), "external_url": f"https://{name}.example"}
    return int(furniture.admin.ok("POST", f"{furniture.place}/external_status_checks", json=body)["id"])


def free_tier(furniture: Furniture) -> Body:
    """A group has five tiers: the one of the last call is freed."""
    furniture.admin.delete(f"{furniture.above}/protected_environments/testing")
    return {"name": "testing", "deploy_access_levels": [{"access_level": 30}]}


BASES: dict[str, Callable[[Furniture], Body]] = {
    f"PATCH {G}/saml/{{uid}}": lambda f: {"extern_uid": "walk-uid"},
    f"PATCH {G}/scim/{{uid}}": lambda f: {"extern_uid": "walk-uid"},
    # The events are shown at this level only.
    "PUT /notification_settings": lambda f: {"level": "custom"},
    f"PUT {P}/notification_settings": lambda f: {"level": "custom"},
    f"PUT {G}/notification_settings": lambda f: {"level": "custom"},
    f"POST {P}/hooks": lambda f: {"url": f"https://{fresh()}.invalid/"},
    f"POST {G}/hooks": lambda f: {"url": f"https://{fresh()}.invalid/"},
    "POST /hooks": lambda f: {"url": f"https://{fresh()}.invalid/"},
    "POST /applications": lambda f: {"name": "Walk", "redirect_uri": "https://walk.example/", "scopes": "api"},
    f"POST {P}/feature_flags": lambda f: {"name": fresh("flag")},
    f"POST {P}/feature_flags_user_lists": lambda f: {"name": fresh("list"), "user_xids": "a,b"},
    "POST /user/gpg_keys": lambda f: {"key": gpg_block()},
    "POST /users/{id:int}/gpg_keys": lambda f: {"key": gpg_block()},
    "PUT /user/avatar": lambda f: {"avatar": PICTURE},
    f"POST {P}/uploads": lambda f: {"file": PICTURE},
    f"POST {G}/uploads": lambda f: {"file": PICTURE},
    f"POST {P}/wikis/attachments": lambda f: {"file": PICTURE},
    f"POST {G}/wikis/attachments": lambda f: {"file": PICTURE},
    f"POST {P}/wikis": lambda f: {"title": fresh("page"), "content": "walk"},
    f"POST {G}/wikis": lambda f: {"title": fresh("page"), "content": "walk"},
    f"PUT {P}/wikis/{{slug}}": lambda f: {"content": "walk"},
    f"PUT {G}/wikis/{{slug}}": lambda f: {"content": "walk"},
    f"PUT {P}/transfer": lambda f: {"namespace": f.group["id"]},
    "POST /topics/merge": lambda f: {"source_topic_id": topic(f), "target_topic_id": topic(f)},
    f"POST {P}/environments": lambda f: {"name": fresh("env")},
    f"POST {P}/environments/stop_stale": lambda f: {"before": "2025-01-01T00:00:00Z"},
    f"POST {P}/deployments": lambda f: {
        "environment": fresh("env"), "sha": f.head, "ref": "main", "tag": False, "status": "success"
    },
    f"POST {P}/statuses/{{sha}}": lambda f: {"state": "success", "name": fresh("status")},
    f"POST {P}/ci/lint": lambda f: {
        "content": 'a: {script: x, rules: [{if: $CI_COMMIT_BRANCH == "spare"}]}\nb: {script: x}', "dry_run": True,
        "include_jobs": True,
    },
    f"POST {P}/trigger/pipeline": lambda f: {"ref": "main", "token": f.values["trigger", "token"]},
    f"POST {P}/ref/{{ref}}/trigger/pipeline": lambda f: {"token": f.values["trigger", "token"]},
    f"PUT {P}/deployments/{{deployment_id}}": lambda f: {"status": "success"},
    "POST /runners": lambda f: {
        "token": f.admin.ok("POST", f"{f.place}/runners/reset_registration_token")["token"]
    },
    f"POST {P}/runners": lambda f: {"runner_id": spare_runner(f)},
    f"POST {MR}/context_commits": lambda f: {"commits": [f.head]},
    f"POST {P}/freeze_periods": lambda f: {"freeze_start": "0 1 * * *", "freeze_end": "0 2 * * *"},
    f"POST {P}/pipeline_schedules": lambda f: {"description": fresh(), "ref": "main", "cron": "0 1 * * *"},
    f"POST {P}/pipeline_schedules/{{pipeline_schedule_id}}/variables": lambda f: {"key": fresh("KEY"), "value": "x"},
    f"POST {P}/pipeline": lambda f: {"ref": "main"},
    f"POST {P}/variables": lambda f: {"key": fresh("KEY"), "value": fresh("longvalue")},
    f"POST {G}/variables": lambda f: {"key": fresh("KEY"), "value": fresh("longvalue")},
    "POST /admin/ci/variables": lambda f: {"key": fresh("KEY"), "value": fresh("longvalue")},
    "POST /user/runners": lambda f: dict(RUNNER),
    f"POST {P}/job_token_scope/allowlist": lambda f: {"target_project_id": f.world.project()["id"]},
    f"POST {P}/job_token_scope/groups_allowlist": lambda f: {"target_group_id": f.world.group()["id"]},
    f"POST {P}/protected_environments": lambda f: {
        "name": fresh("guarded"), "deploy_access_levels": [{"access_level": 30}],
    },
    f"POST {G}/protected_environments": free_tier,
    f"POST {P}/external_status_checks": lambda f: {
        "name": (name := fresh("check")), "external_url": f"https://{name}.example"
    },
    f"PUT {P}/integrations/{{slug}}": lambda f: {"webhook": f"https://{fresh()}.invalid/"},
    f"PUT {G}/integrations/{{slug}}": lambda f: {"webhook": f"https://{fresh()}.invalid/"},
    f"POST {P}/integrations/slack_slash_commands/trigger": lambda f: {"token": "walk"},
    f"POST {P}/integrations/mattermost_slash_commands/trigger": lambda f: {"token": "walk"},
    f"POST {P}/remote_mirrors": lambda f: {"url": f"https://{fresh()}.invalid/"},
    f"POST {MR}/status_check_responses": lambda f: {
        "external_status_check_id": new_check(f), "status": "passed",
        "sha": f.admin.ok("GET", f"{f.place}/merge_requests/{f.value(MR, 'merge_request_iid')}")["sha"],
    },
    f"POST {G}/protected_branches": lambda f: {"name": fresh("guarded")},
    f"POST {P}/protected_branches": lambda f: {"name": fresh("guarded")},
    f"POST {P}/protected_tags": lambda f: {"name": fresh("guarded")},
    f"POST {P}/repository/branches": lambda f: {"branch": fresh("branch"), "ref": "main"},
    f"POST {P}/repository/tags": lambda f: {"tag_name": fresh("tag"), "ref": "main"},
    f"POST {P}/releases": lambda f: {"tag_name": fresh("v"), "ref": "main"},
    f"POST {P}/releases/{{tag_name}}/assets/links": lambda f: {
        "name": (name := fresh("link")), "url": f"https://example.com/{name}",
    },
    f"PUT {P}/releases/{{tag_name}}/assets/links/{{link_id}}": lambda f: {"name": fresh("link")},
    f"POST {P}/repository/commits": commit,
    f"POST {P}/repository/files/{{file_path}}": new_file,
    f"PUT {P}/repository/files/{{file_path}}": new_file,
    f"POST {P}/repository/commits/{{sha}}/discussions": lambda f: {"body": fresh()},
    f"POST {P}/repository/commits/{{sha}}/comments": lambda f: {"note": fresh()},
    "PUT /application/plan_limits": lambda f: {"plan_name": "default"},
    f"POST {P}/invitations": lambda f: {"email": f"{fresh('inv')}@example.com", "access_level": 10},
    f"POST {G}/invitations": lambda f: {"email": f"{fresh('inv')}@example.com", "access_level": 10},
    "POST /member_roles": lambda f: {"name": fresh("role"), "base_access_level": 10, "read_code": True},
    f"POST {G}/member_roles": lambda f: {"name": fresh("role"), "base_access_level": 10, "read_code": True},
    f"POST {P}/members": lambda f: {"user_id": f.world.user().id, "access_level": 30},
    f"POST {G}/members": lambda f: {"user_id": f.world.user().id, "access_level": 30},
    f"PUT {P}/members/{{user_id}}": lambda f: {"access_level": 30},
    f"PUT {G}/members/{{user_id}}": lambda f: {"access_level": 30},
    "POST /users/{user_id:int}/personal_access_tokens": lambda f: dict(TOKEN),
    "POST /users/{user_id:int}/impersonation_tokens": lambda f: dict(TOKEN),
    "POST /user/personal_access_tokens": lambda f: {"name": "walk", "scopes": ["k8s_proxy"]},
    f"POST {P}/access_tokens": lambda f: dict(TOKEN),
    f"POST {G}/access_tokens": lambda f: dict(TOKEN),
    f"POST {G}/saml_group_links": lambda f: {"saml_group_name": fresh("link"), "access_level": 10},
    "POST /users": lambda f: {
        "email": f"{(name := fresh('user'))}@example.com", "name": name, "username": name,
        "force_random_password": True,
    },
    "POST /user/emails": lambda f: {"email": f"{fresh('mail')}@example.com"},
    f"POST {U}/emails": lambda f: {"email": f"{fresh('mail')}@example.com"},
    f"POST {P}/badges": lambda f: {"link_url": "https://example.com", "image_url": "https://example.com/a.svg"},
    f"POST {G}/badges": lambda f: {"link_url": "https://example.com", "image_url": "https://example.com/a.svg"},
    "POST /snippets": lambda f: {"title": fresh(), "file_name": "walk", "content": "walk"},
    f"POST {P}/snippets": lambda f: {"title": fresh(), "file_name": "a", "content": "a", "visibility": "internal"},
    "POST /deploy_keys": lambda f: {"title": "walk", "key": ssh_key()},
    f"POST {P}/deploy_keys": lambda f: {"title": "walk", "key": ssh_key()},
    f"POST {P}/deploy_tokens": lambda f: {"name": "walk", "scopes": ["read_repository"]},
    f"POST {G}/deploy_tokens": lambda f: {"name": "walk", "scopes": ["read_repository"]},
    "POST /user/keys": lambda f: {"title": "walk", "key": ssh_key()},
    f"POST {U}/keys": lambda f: {"title": "walk", "key": ssh_key()},
    f"POST {P}/issues": lambda f: {"title": fresh()},
    f"POST {ISSUE}/notes": lambda f: {"body": fresh()},
    f"POST {P}/snippets/{{snippet_id}}/notes": lambda f: {"body": fresh()},
    f"POST {MR}/notes": lambda f: {"body": fresh()},
    f"POST {ISSUE}/discussions": lambda f: {"body": fresh()},
    f"POST {P}/snippets/{{snippet_id}}/discussions": lambda f: {"body": fresh()},
    f"POST {MR}/discussions": lambda f: {"body": fresh()},
    f"PUT {MR}/draft_notes/{{draft_note_id}}": lambda f: {"note": fresh()},
    f"POST {ISSUE}/links": lambda f: {
        "target_project_id": f.project["id"],
        "target_issue_iid": f.admin.ok("POST", f"{f.place}/issues", json={"title": fresh()})["iid"],
    },
    f"POST {ISSUE}/clone": lambda f: {"to_project_id": f.project["id"]},
    f"POST {ISSUE}/move": lambda f: {"to_project_id": f.world.project()["id"]},
    f"POST {ISSUE}/add_spent_time": lambda f: {"duration": "1h"},
    f"POST {MR}/add_spent_time": lambda f: {"duration": "1h"},
    f"POST {ISSUE}/time_estimate": lambda f: {"duration": f"{next(_numbers)}h"},
    f"POST {MR}/time_estimate": lambda f: {"duration": f"{next(_numbers)}h"},
    f"POST {P}/labels": lambda f: {"name": fresh("label"), "color": "#112233"},
    f"POST {G}/labels": lambda f: {"name": fresh("label"), "color": "#112233"},
    f"PUT {P}/labels": lambda f: {"label_id": f.value(f"{P}/labels", "label_id"), "description": "x"},
    f"PUT {G}/labels": lambda f: {"label_id": f.value(f"{G}/labels", "label_id"), "description": "x"},
    f"POST {P}/milestones": lambda f: {"title": fresh("milestone")},
    f"POST {G}/milestones": lambda f: {"title": fresh("milestone")},
    f"POST {MR}/approval_rules": lambda f: {
        "name": fresh("rule"), "approvals_required": 0, "user_ids": [f.member.id]
    },
    f"PUT {P}/approvers": lambda f: {"approver_ids": [], "approver_group_ids": []},
    f"PUT {MR}/approvers": lambda f: {"approver_ids": [], "approver_group_ids": []},
    f"POST {P}/approval_settings/rules": lambda f: {
        "name": fresh("rule"), "approvals_required": 0, "user_ids": [f.member.id]
    },
    f"POST {P}/approval_rules": lambda f: {
        "name": fresh("rule"), "approvals_required": 0, "user_ids": [f.member.id]
    },
    f"POST {P}/boards/{{board_id}}/lists": lambda f: {"label_id": new_label(f, f.place)["id"]},
    f"POST {G}/boards/{{board_id}}/lists": lambda f: {"label_id": new_label(f, f.above)["id"]},
    f"PUT {P}/boards/{{board_id}}/lists/{{list_id}}": lambda f: {"position": 0},
    f"PUT {G}/boards/{{board_id}}/lists/{{list_id}}": lambda f: {"position": 0},
    f"POST {P}/merge_requests": lambda f: {"title": fresh(), "source_branch": branch(f), "target_branch": "main"},
    f"POST {MR}/blocks": lambda f: {"blocking_merge_request_id": request(f)["id"]},
    "POST /groups": lambda f: {"name": (name := fresh("group")), "path": name},
    "POST /projects": lambda f: {"name": fresh("project")},
    "POST /projects/user/{user_id:int}": lambda f: {"name": fresh("project")},
    f"POST {P}/fork": lambda f: {"path": (name := fresh("fork")), "name": name},
    f"POST {P}/share": lambda f: {"group_id": f.world.group()["id"], "group_access": 10},
    f"POST {G}/share": lambda f: {"group_id": f.world.group()["id"], "group_access": 10},
    "POST /topics": lambda f: {"name": fresh("topic"), "title": "Walk"},
    f"POST {P}/repository/commits/{{sha}}/cherry_pick": lambda f: {"branch": "spare"},
    f"POST {P}/repository/commits/{{sha}}/revert": lambda f: {"branch": "main"},
    "POST /features/{name}": lambda f: {"value": "true", "force": True},
    f"POST {P}/triggers": lambda f: {"description": fresh()},
    f"PUT {P}/pipelines/{{pipeline_id}}/metadata": lambda f: {"name": fresh()},
}  # fmt: skip


def base(furniture: Furniture, endpoint: Endpoint) -> Body:
    """The smallest body that succeeds."""
    if (make := BASES.get(named(endpoint))) is not None:
        return make(furniture)
    return {
        name: value
        for name, value in arguments(endpoint.params, skip=endpoint.path_params).items()
        if endpoint.params.fields.get(name) is None or endpoint.params.fields[name].required
    }


def add_missing(furniture: Furniture) -> None:
    """Create what the furniture lacks: `POST …/pins` gives the `{pin_id}` of `DELETE …/pins/{pin_id}`."""
    creators = {one.path: one for one in ENDPOINTS if one.method == "POST"}
    for endpoint in ENDPOINTS:
        place, _, name = endpoint.path.rpartition("/")
        creator = creators.get(place)
        if creator is None or not name.startswith("{") or furniture.url(endpoint) is not None:
            continue
        url = furniture.url(creator)
        reply = furniture.admin.post(url, json=base(furniture, creator)) if url is not None else None
        if reply is not None and reply.status_code == 201:
            furniture.put(f"{place}/", name.strip("{}").partition(":")[0], reply.json().get("id", ""))


def pipeline_reads(url: str, body: Any, _sent: Body) -> list[str]:
    project = url.partition("/pipeline")[0].partition("/trigger")[0].partition("/ref/")[0]
    pipeline = f"{project}/pipelines/{body['id']}"
    return [pipeline, f"{pipeline}/variables"]


def file_reads(url: str, _body: Any, sent: Body) -> list[str]:
    branch = sent["branch"]
    return [f"{url}?ref={branch}", f"{url.partition('/files')[0]}/commits/{branch}"]


def opened_reads(url: str, body: Any, _sent: Body) -> list[str]:
    return [f"{url}/{body['iid']}", f"{url}/{body['iid']}/approval_rules?per_page=100"]


def merged_reads(url: str, _body: Any, _sent: Body) -> list[str]:
    """The newest commits of the target: that of the merge, and the squashed one."""
    return [f"{url.partition('/merge_requests')[0]}/repository/commits?ref_name=main&per_page=3"]


def rule_reads(url: str, body: Any, _sent: Body) -> list[str]:
    """The newer form of a rule has more keys."""
    return [f"{url.partition('/approval_settings')[0]}/approval_rules/{body['id']}"]


# Reads that show what a call did, where they are none of its own path.
FOLLOW: dict[str, Follow] = {
    f"PUT {P}/wikis/{{slug}}": lambda *_: [],  # a page of another title has another address
    f"PUT {G}/wikis/{{slug}}": lambda *_: [],
    "POST /snippets": lambda url, body, _: [f"{url}/{body['id']}/raw"],
    "PUT /snippets/{id}": lambda url, *_: [url, f"{url}/raw"],
    f"POST {P}/snippets": lambda url, body, _: [f"{url}/{body['id']}/raw"],
    f"PUT {P}/snippets/{{snippet_id}}": lambda url, *_: [url, f"{url}/raw"],
    f"POST {P}/merge_requests": opened_reads,
    f"PUT {MR}": lambda url, *_: [url, f"{url}/approval_rules?per_page=100"],
    f"POST {P}/approval_settings/rules": rule_reads,
    f"PUT {P}/approval_settings/rules/{{approval_rule_id}}": rule_reads,
    f"PUT {MR}/merge": merged_reads,
    f"POST {MR}/draft_notes/bulk_publish": lambda url, *_: [f"{url.removesuffix('/draft_notes/bulk_publish')}/notes"],
    f"POST {P}/releases": lambda url, body, _: [f"{url.removesuffix('/releases')}/repository/tags/{body['tag_name']}"],
    f"POST {P}/pipeline": pipeline_reads,
    f"POST {P}/trigger/pipeline": pipeline_reads,
    f"POST {P}/ref/{{ref}}/trigger/pipeline": pipeline_reads,
    f"POST {P}/repository/files/{{file_path}}": file_reads,
    f"PUT {P}/repository/files/{{file_path}}": file_reads,
    f"POST {P}/repository/commits": lambda url, body, _: [f"{url}/{body['id']}/diff"],
    "POST /user/runners": lambda url, body, _: [f"/runners/{body['id']}"],
    "POST /runners": lambda url, body, _: [f"/runners/{body['id']}"],
    "POST /features/{name}": lambda url, body, _: ["/features"],
    f"POST {P}/invitations": lambda url, _, sent: [f"{url}?query={sent['email']}"],
    f"POST {G}/invitations": lambda url, _, sent: [f"{url}?query={sent['email']}"],
}
