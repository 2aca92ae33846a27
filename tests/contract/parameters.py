"""What the walk over parameters sends: bodies that succeed, things of their own for calls that use them up, values."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.support.furnishing import Furniture
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
BASES: dict[str, Callable[[Furniture], Body]] = {
    f"PATCH {G}/saml/{{uid}}": lambda f: {"extern_uid": "walk-uid"},
    f"PATCH {G}/scim/{{uid}}": lambda f: {"extern_uid": "walk-uid"},
    f"POST {P}/hooks": lambda f: {"url": f"https://{fresh()}.invalid/"},
    f"POST {G}/hooks": lambda f: {"url": f"https://{fresh()}.invalid/"},
    "POST /hooks": lambda f: {"url": f"https://{fresh()}.invalid/"},
    "PUT /user/avatar": lambda f: {"avatar": PICTURE},
    f"POST {P}/uploads": lambda f: {"file": PICTURE},
    f"POST {G}/uploads": lambda f: {"file": PICTURE},
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
    f"POST {P}/pipeline_schedules": lambda f: {"description": fresh(), "ref": "main", "cron": "0 1 * * *"},
    f"POST {P}/pipeline_schedules/{{pipeline_schedule_id}}/variables": lambda f: {"key": fresh("KEY"), "value": "x"},
    f"POST {P}/pipeline": lambda f: {"ref": "main"},
    f"POST {P}/variables": lambda f: {"key": fresh("KEY"), "value": fresh("longvalue")},
    f"POST {G}/variables": lambda f: {"key": fresh("KEY"), "value": fresh("longvalue")},
    "POST /admin/ci/variables": lambda f: {"key": fresh("KEY"), "value": fresh("longvalue")},
    "POST /user/runners": lambda f: dict(RUNNER),
    f"POST {P}/job_token_scope/allowlist": lambda f: {"target_project_id": f.world.project()["id"]},
    f"POST {P}/job_token_scope/groups_allowlist": lambda f: {"target_group_id": f.world.group()["id"]},
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
    f"POST {MR}/notes": lambda f: {"body": fresh()},
    f"POST {ISSUE}/discussions": lambda f: {"body": fresh()},
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


def picked(furniture: Furniture) -> str:
    """A commit that is not on `spare`."""
    name = branch(furniture)
    sha = furniture.admin.ok("GET", f"{furniture.place}/repository/branches/{name}")["commit"]["id"]
    return f"{furniture.place}/repository/commits/{sha}/cherry_pick"


def reverted(furniture: Furniture) -> str:
    file = fresh("file")
    sha = furniture.world.commit(furniture.project, "main", {file: "x\n"}, message="x [skip ci]")
    return f"{furniture.place}/repository/commits/{sha}/revert"


def of_request(rest: str) -> Callable[[Furniture], str]:
    """A path in a merge request of its own."""
    return lambda f: f"{f.place}/merge_requests/{request(f)['iid']}{rest}"


def of_issue(rest: str) -> Callable[[Furniture], str]:
    return lambda f: f"{f.place}/issues/{f.admin.ok('POST', f'{f.place}/issues', json={'title': fresh()})['iid']}{rest}"


def of_note(kind: str, number: str) -> Callable[[Furniture], str]:
    """The awards of a note of its own."""

    def make(furniture: Furniture) -> str:
        notes = f"{furniture.place}/{kind}/{furniture.value('', number)}/notes"
        return f"{notes}/{furniture.admin.ok('POST', notes, json={'body': 'x'})['id']}/award_emoji"

    return make


def stoppable(furniture: Furniture) -> str:
    created = furniture.admin.ok("POST", f"{furniture.place}/environments", json={"name": fresh("env")})
    return f"{furniture.place}/environments/{created['id']}/stop"


def running_deployment(furniture: Furniture) -> str:
    body = {"environment": fresh("env"), "sha": furniture.head, "ref": "main", "tag": False, "status": "running"}
    return (
        f"{furniture.place}/deployments/{furniture.admin.ok('POST', f'{furniture.place}/deployments', json=body)['id']}"
    )


def rotated(path: Callable[[Furniture], str]) -> Callable[[Furniture], str]:
    def make(furniture: Furniture) -> str:
        where = path(furniture)
        return f"{where}/{furniture.admin.ok('POST', where, json=TOKEN)['id']}/rotate"

    return make


def personal(furniture: Furniture) -> str:
    token = furniture.admin.ok("POST", f"/users/{furniture.person.id}/personal_access_tokens", json=TOKEN)
    return f"/personal_access_tokens/{token['id']}/rotate"


def asked(kind: str) -> Callable[[Furniture], str]:
    def make(furniture: Furniture) -> str:
        person, place = furniture.world.user(), furniture.place if kind == "projects" else furniture.above
        person.client.ok("POST", f"{place}/access_requests")
        return f"{place}/access_requests/{person.id}/approve"

    return make


def cancelable(furniture: Furniture) -> str:
    pipeline = furniture.admin.ok("POST", f"{furniture.place}/pipeline", json={"ref": "main"})
    jobs = furniture.admin.ok("GET", f"{furniture.place}/pipelines/{pipeline['id']}/jobs")
    return f"{furniture.place}/jobs/{next(job['id'] for job in jobs if job['name'] == 'build')}/cancel"


def playable(furniture: Furniture) -> str:
    project_runner(furniture.world, furniture.project)
    pipeline = furniture.admin.ok("POST", f"{furniture.place}/pipeline", json={"ref": "main"})
    jobs = furniture.admin.ok("GET", f"{furniture.place}/pipelines/{pipeline['id']}/jobs")
    return f"{furniture.place}/jobs/{next(job['id'] for job in jobs if job['name'] == 'deploy')}/play"


# Calls that use their thing up, or leave it so that others cannot use it: each gets one of its own.
OWN_THING: dict[str, Callable[[Furniture], str]] = {
    f"POST {P}/repository/commits/{{sha}}/cherry_pick": picked,
    f"POST {P}/repository/commits/{{sha}}/revert": reverted,
    f"PUT {MR}/merge": of_request("/merge"),
    f"PUT {MR}/rebase": of_request("/rebase"),
    f"POST {MR}/approve": of_request("/approve"),
    f"POST {MR}/context_commits": of_request("/context_commits"),
    f"POST {MR}/award_emoji": of_request("/award_emoji"),
    f"POST {MR}/notes/{{note_id}}/award_emoji": of_note("merge_requests", "merge_request_iid"),
    f"POST {ISSUE}/notes/{{note_id}}/award_emoji": of_note("issues", "issue_iid"),
    f"POST {ISSUE}/add_spent_time": of_issue("/add_spent_time"),
    f"POST {MR}/add_spent_time": of_request("/add_spent_time"),
    f"PUT {P}/transfer": lambda f: f"/projects/{f.world.project()['id']}/transfer",
    f"POST {ISSUE}/award_emoji": of_issue("/award_emoji"),
    f"POST {ISSUE}/move": of_issue("/move"),
    f"POST {P}/environments/{{environment_id}}/stop": stoppable,
    f"PUT {P}/deployments/{{deployment_id}}": running_deployment,
    f"POST {P}/access_tokens/{{token_id:int}}/rotate": rotated(lambda f: f"{f.place}/access_tokens"),
    f"POST {G}/access_tokens/{{token_id:int}}/rotate": rotated(lambda f: f"{f.above}/access_tokens"),
    "POST /personal_access_tokens/{id:int}/rotate": personal,
    f"PUT {P}/access_requests/{{user_id}}/approve": asked("projects"),
    f"PUT {G}/access_requests/{{user_id}}/approve": asked("groups"),
    f"POST {P}/jobs/{{job_id}}/cancel": cancelable,
    f"POST {P}/jobs/{{job_id}}/play": playable,
    f"POST {P}/repository/files/{{file_path}}": lambda f: f"{f.place}/repository/files/{fresh('file')}",
    f"POST {G}/transfer": lambda f: f"/groups/{f.world.group(parent_id=f.group['id'])['id']}/transfer",
}
# Things that are changed as a whole, one for all parameters of the endpoint.
OWN_PLACE: dict[str, Callable[[Furniture], str]] = {
    f"PUT {P}": lambda f: f"/projects/{f.world.project(initialize_with_readme=True)['id']}",
    f"PUT {G}": lambda f: f"/groups/{f.world.group()['id']}",
    f"PUT {U}": lambda f: f"/users/{f.world.user().id}",
    f"PUT {MR}": lambda f: f"{f.place}/merge_requests/{request(f)['iid']}",
    f"PUT {ISSUE}": of_issue(""),
    f"PUT {P}/merge_request_approval_setting": lambda f: (
        f"/projects/{f.world.project()['id']}/merge_request_approval_setting"
    ),
    f"POST {P}/approvals": lambda f: f"/projects/{f.world.project()['id']}/approvals",
    f"PUT {P}/approvers": lambda f: f"/projects/{f.world.project()['id']}/approvers",
    f"PUT {G}/merge_request_approval_setting": lambda f: (
        f"/groups/{f.world.group()['id']}/merge_request_approval_setting"
    ),
}


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


# Reads that show what a call did, where they are none of its own path.
FOLLOW: dict[str, Follow] = {
    "POST /snippets": lambda url, body, _: [f"{url}/{body['id']}/raw"],
    "PUT /snippets/{id}": lambda url, *_: [url, f"{url}/raw"],
    f"POST {P}/snippets": lambda url, body, _: [f"{url}/{body['id']}/raw"],
    f"PUT {P}/snippets/{{snippet_id}}": lambda url, *_: [url, f"{url}/raw"],
    f"POST {P}/merge_requests": opened_reads,
    f"PUT {MR}/merge": merged_reads,
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


def values(furniture: Furniture, endpoint: Endpoint, one: Field) -> list[Any]:
    """What to try for a parameter; it must take effect, or be refused, with one of them."""
    if (make := VALUES.get(f"{named(endpoint)} {one.wire}") or VALUES.get(one.wire)) is not None:
        return make(furniture)
    if one.wire.endswith("_access_level") and one.kind == "string":
        return ["private", "enabled"]  # what is disabled is not shown, and hides other parameters
    if one.one_of:
        return [[choice] if one.kind == "list" else choice for choice in one.one_of]
    if one.nested is not None:
        inner = arguments(one.nested)
        return [[inner] if one.kind == "list" else inner]
    return BY_KIND[f"list of {one.item}" if one.kind == "list" else one.kind]()


BY_KIND: dict[str, Callable[[], list[Any]]] = {
    "boolean": lambda: [True, False],
    "integer": lambda: [7, 11, 1],
    "float": lambda: [7.5],
    "string": lambda: [fresh()],
    "date": lambda: ["2027-05-17"],
    "datetime": lambda: ["2021-05-17T10:11:12Z", "2027-05-17T00:00:00Z"],
    "hash": lambda: [{"a": fresh()}],
    "any": lambda: [fresh()],
    "list of string": lambda: [[fresh()]],
    "list of integer": lambda: [[7]],
    "list of hash": lambda: [[{"a": fresh()}]],
    "list of any": lambda: [[fresh()]],
}
NEW_BRANCH: dict[str, Callable[[Furniture], list[Any]]] = {
    f"{endpoint} start_branch": lambda f: [With("spare", {"branch": fresh("branch")})]
    for endpoint in (
        f"POST {P}/repository/commits", f"POST {P}/repository/files/{{file_path}}",
        f"PUT {P}/repository/files/{{file_path}}",
    )
}  # fmt: skip
VALUES: dict[str, Callable[[Furniture], list[Any]]] = {
    **NEW_BRANCH,
    f"POST {P}/repository/commits force": lambda f: [With(True, {"branch": "spare", "start_branch": "main"})],
    f"POST {P}/deployments sha": lambda f: [f.admin.ok("GET", f"{f.place}/repository/branches/spare")["commit"]["id"]],
    f"POST {P}/releases assets": lambda f: [{"links": [{"name": "walk", "url": "https://example.com"}]}],
    f"POST {P}/merge_requests approval_rules_attributes": lambda f: [
        [{"id": rule_of_project(f), "approvals_required": 3}]
    ],
    f"PUT {MR}/merge squash_commit_message": lambda f: [With(fresh("message"), {"squash": True})],
    f"PUT {G}/boards/{{board_id}} labels": lambda f: [new_label(f, f.above)["name"]],
    "font": lambda f: ["#123456", "#654321"],
    "link_url": lambda f: [f"https://{fresh()}.example"],
    "image_url": lambda f: [f"https://{fresh()}.example"],
    "encoding": lambda f: [With("base64", {"content": "eHh4"})],
    "POST /features/{name} key": lambda f: [With("percentage_of_actors", {"value": "50"})],
    "allowed_to_push": lambda f: [[{"access_level": 30}]],
    "allowed_to_merge": lambda f: [[{"access_level": 30}]],
    "allowed_to_unprotect": lambda f: [[{"access_level": 60}]],
    "allowed_to_create": lambda f: [[{"access_level": 30}]],
    "milestone_id": lambda f: [int(f.value(f"{P}/milestones", "milestone_id") or 0)],
    "assignee_id": lambda f: [f.member.id, 1],
    "assignee_ids": lambda f: [[f.member.id], [1]],
    "merge_after": lambda f: ["2027-05-17T00:00:00Z"],
    "container_expiration_policy_attributes": lambda f: [{"enabled": True, "cadence": "7d"}],
    f"PUT {P}/transfer namespace": lambda f: [f.world.group()["id"]],
    f"PATCH {G}/saml/{{uid}} extern_uid": lambda f: [fresh("uid")],
    f"PATCH {G}/scim/{{uid}} extern_uid": lambda f: [fresh("uid")],
    "source_topic_id": lambda f: [topic(f)],
    "target_topic_id": lambda f: [topic(f)],
    "reviewer_ids": lambda f: [[f.member.id]],
    "user_ids": lambda f: [[f.member.id], [1]],
    "usernames": lambda f: [[f.guest.username], ["root"]],
    "group_ids": lambda f: [[int(f.value("/share/", "group_id") or 0)], []],
    "labels": lambda f: ["walk-projects", fresh("label")],
    "add_labels": lambda f: [fresh("label")],
    "remove_labels": lambda f: ["walk-projects"],
    "sha": lambda f: [f.head, "0" * 40],
    "ref": lambda f: ["spare"],
    "start_branch": lambda f: ["main"],
    "cron": lambda f: ["5 4 * * *"],
    "cron_timezone": lambda f: ["Berlin"],
    "color": lambda f: ["#abcdef", "#fedcba"],
    "default_branch_protection_defaults": lambda f: [{"allow_force_push": True}],
    "approver_ids": lambda f: [[1], [f.member.id]],
    "approver_group_ids": lambda f: [[int(f.value("/share/", "group_id") or 0)], []],
    "external_url": lambda f: [f"https://{fresh()}.example"],
    "target_url": lambda f: [f"https://{fresh()}.example"],
    "website_url": lambda f: [f"https://{fresh()}.example"],
    "duration": lambda f: ["3h", "5h"],
    "namespace_id": lambda f: [f.group["id"]],
    "parent_id": lambda f: [f.group["id"]],
    "member_role_id": lambda f: [int(f.value("/member_roles/", "member_role_id") or 0)],
    "maximum_timeout": lambda f: [1234],
    "email": lambda f: [f"{fresh('mail')}@example.com"],
    "target_branch": lambda f: ["spare"],
    "topics": lambda f: [[fresh("topic")]],
    "username": lambda f: [fresh("user")],
    "password": lambda f: [fresh("Long-Pass-Word-")],
}
