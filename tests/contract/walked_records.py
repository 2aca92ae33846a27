"""Records of its own for each call of the walk over parameters that would spoil the shared ones."""

from collections.abc import Callable

from tests.contract.parameters import ISSUE, MR, TOKEN, G, P, U, branch, fresh, request
from tests.support.furnishing import Furniture
from tests.support.runner import project_runner


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


def wiki_page(furniture: Furniture, place: str) -> str:
    """A page of its own."""
    created = furniture.admin.ok("POST", f"{place}/wikis", json={"title": fresh("page"), "content": "x"})
    return f"{place}/wikis/{created['slug']}"


def request_of_a_fork(furniture: Furniture) -> str:
    """A merge request from a fork, with a rule of its own."""
    world, name = furniture.world, fresh("fork")
    fork = furniture.admin.ok("POST", f"{furniture.place}/fork", json={"name": name, "path": name})
    world.run_jobs()
    world.commit(fork, name, {f"{name}.txt": "x\n"}, message="x [skip ci]")
    body = {"title": name, "source_branch": name, "target_branch": "main", "target_project_id": furniture.project["id"]}
    opened = furniture.admin.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    url = f"{furniture.place}/merge_requests/{opened['iid']}"
    rule = {"name": fresh("rule"), "approvals_required": 0, "user_ids": [furniture.member.id]}
    furniture.put(
        "request of a fork", "approval_rule_id", furniture.admin.ok("POST", f"{url}/approval_rules", json=rule)["id"]
    )
    return url


def of_issue(rest: str) -> Callable[[Furniture], str]:
    return lambda f: f"{f.place}/issues/{f.admin.ok('POST', f'{f.place}/issues', json={'title': fresh()})['iid']}{rest}"


def of_note(kind: str, number: str) -> Callable[[Furniture], str]:
    """The awards of a note of its own."""

    def make(furniture: Furniture) -> str:
        notes = f"{furniture.place}/{kind}/{furniture.value('', number)}/notes"
        return f"{notes}/{furniture.admin.ok('POST', notes, json={'body': 'x'})['id']}/award_emoji"

    return make


def snippet(furniture: Furniture) -> str:
    """A snippet of its own."""
    body = {"title": "x", "file_name": "x", "content": "x", "visibility": "internal"}
    return f"{furniture.place}/snippets/{furniture.admin.ok('POST', f'{furniture.place}/snippets', json=body)['id']}"


def awards_on_snippet_note(furniture: Furniture) -> str:
    notes = f"{snippet(furniture)}/notes"
    return f"{notes}/{furniture.admin.ok('POST', notes, json={'body': 'x'})['id']}/award_emoji"


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
    f"PUT {P}/wikis/{{slug}}": lambda f: wiki_page(f, f.place),
    f"PUT {G}/wikis/{{slug}}": lambda f: wiki_page(f, f.above),
    f"POST {P}/repository/commits/{{sha}}/cherry_pick": picked,
    f"POST {P}/repository/commits/{{sha}}/revert": reverted,
    f"PUT {MR}/merge": of_request("/merge"),
    f"PUT {MR}/rebase": of_request("/rebase"),
    f"POST {MR}/approve": of_request("/approve"),
    f"POST {MR}/context_commits": of_request("/context_commits"),
    f"POST {MR}/award_emoji": of_request("/award_emoji"),
    f"POST {MR}/notes/{{note_id}}/award_emoji": of_note("merge_requests", "merge_request_iid"),
    f"POST {ISSUE}/notes/{{note_id}}/award_emoji": of_note("issues", "issue_iid"),
    f"POST {P}/snippets/{{snippet_id}}/award_emoji": lambda f: f"{snippet(f)}/award_emoji",
    f"POST {P}/snippets/{{snippet_id}}/notes/{{note_id}}/award_emoji": awards_on_snippet_note,
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
    f"PUT {MR}": request_of_a_fork,
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
