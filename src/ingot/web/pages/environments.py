"""Environments and what was deployed to them."""

from starlette.responses import Response

from ingot.features.ci.deployments import newest_successful
from ingot.features.ci.environments import deletion_times, find_represented, find_votes
from ingot.features.ci.pipelines import pipelines_of_jobs
from ingot.web.call import PageCall, Rows, View
from ingot.web.frames import project_view
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text, texts

pages = Pages("project")
ENVIRONMENTS = "/projects/:id/environments"
ENVIRONMENT = f"{ENVIRONMENTS}/:environment_id"
DEPLOYMENT = "/projects/:id/deployments/:deployment_id"
APPROVAL = f"{DEPLOYMENT}/approval"
STATES = ("available", "stopping", "stopped")
SHORTEST_SEARCH = 3  # which the endpoint asks for
FIELDS = ("name", "external_url", "description", "tier", "auto_stop_setting")


@pages.get("environments")
def list_environments(call: PageCall) -> View:
    """Environments, the running ones first."""
    state = str(call.values.get("state", STATES[0]))
    state = state if state in STATES else STATES[0]
    words = text(call, "search")
    too_short = 0 < len(words) < SHORTEST_SEARCH
    rows = call.ask_rows(ENVIRONMENTS, states=state, search=None if too_short else words or None)
    return project_view(
        call, "environments", "pipelines", rows=rows, state=state, states=STATES, words=words,
        problem=f"Enter at least {SHORTEST_SEARCH} characters to search." if too_short else "",
        can_write=call.may("POST", ENVIRONMENTS),
        newest=_newest(call, [row["id"] for row in rows.items]),
        leaving=deletion_times(call.conn, [row["id"] for row in rows.items]) if state == "stopped" else {},
    )  # fmt: skip


def _may_deploy_again(call: PageCall, rows: Rows | None) -> bool:
    """Judged by the newest job that deployed here: whoever may run it again may take its place."""
    jobs = [row["deployable"]["id"] for row in rows.items if row.get("deployable")] if rows else []
    return bool(jobs) and call.may("POST", "/projects/:id/jobs/:job_id/retry", job_id=jobs[0])


def _newest(call: PageCall, ids: list[int]) -> dict[int, dict[str, object]]:
    """What runs in each environment: its newest deployment that succeeded, for those who may see deployments."""
    if not call.may("GET", "/projects/:id/deployments"):
        return {}
    rows = newest_successful(call.conn, ids)
    jobs = pipelines_of_jobs(call.conn, [row.job_id for row in rows if row.job_id])
    return {
        row.environment_id: {
            "ref": row.ref, "sha": row.sha, "job_id": row.job_id, "job": jobs.get(row.job_id or 0),
            "when": (row.finished_at or row.created_at).isoformat(),
        }
        for row in rows
    }  # fmt: skip


@pages.get("environments/new")
def show_new_environment(call: PageCall) -> View:
    """The form of a new environment."""
    call.require("POST", ENVIRONMENTS)
    return project_view(call, "environment_form", "pipelines", values={}, environment=None, problem="")


@pages.post("environments")
def create_environment(call: PageCall) -> View | Response:
    """Create an environment."""
    values = texts(call, FIELDS)
    given = {name: value for name, value in values.items() if value}
    view = refused(
        lambda: call.ask(ENVIRONMENTS, "POST", **given),
        lambda problem, status: project_view(
            call, "environment_form", "pipelines", status, values=values, environment=None, problem=problem
        ),
    )
    return view or done(call, f"/{call.project.full_path}/-/environments", "Environment created.")


@pages.get("environments/{number:int}")
def show_environment(call: PageCall) -> View:
    """One environment with its deployments, newest first."""
    return _environment_view(call)


def _environment_view(call: PageCall, problem: str = "", status: int = 200) -> View:
    number = call.path["number"]
    environment = call.ask(ENVIRONMENT, environment_id=number)
    rows = call.ask_rows_or_none(
        "/projects/:id/deployments", environment=environment["name"], order_by="created_at", sort="desc"
    )
    return project_view(
        call, "environment", "pipelines", status, environment=environment, rows=rows, problem=problem,
        votes=(votes := _votes(call, rows)), sent=call.values if problem else {},
        represented={number: find_represented(call.conn, call, number) for number, said in votes.items() if said},
        can_stop=call.may("POST", f"{ENVIRONMENT}/stop", environment_id=number),
        can_write=call.may("PUT", ENVIRONMENT, environment_id=number),
        can_retry=_may_deploy_again(call, rows), can_delete=call.may("DELETE", DEPLOYMENT, deployment_id="1"),
        current=next((row.id for row in newest_successful(call.conn, [environment["id"]])), None),
        leaving=deletion_times(call.conn, [environment["id"]]),
    )  # fmt: skip


def _votes(call: PageCall, rows: Rows | None) -> dict[int, list[str]]:
    """What the visitor may say about each deployment that waits for approvals."""
    waiting = [row["id"] for row in rows.items if row["status"] == "blocked"] if rows else []
    if not waiting or not call.may("POST", APPROVAL, deployment_id=waiting[0]):
        return {}
    return {number: find_votes(call.conn, call, number) for number in waiting}


@pages.post("environments/{number:int}/deployments/{deployment:int}")
def vote_on_deployment(call: PageCall) -> View | Response:
    """Approve a deployment that waits for it, or reject it."""
    status = text(call, "status")
    given = {"comment": text(call, "comment"), "represented_as": text(call, "represented_as") or None}
    view = refused(
        lambda: call.ask(APPROVAL, "POST", deployment_id=call.path["deployment"], status=status, **given),
        lambda problem, code: _environment_view(call, problem, code),
    )
    return view or _back(call, "Deployment approved." if status == "approved" else "Deployment rejected.")


@pages.post("environments/{number:int}/deployments/{deployment:int}/remove")
def remove_deployment(call: PageCall) -> View | Response:
    """Delete the record of a deployment; what is deployed stays."""
    view = refused(
        lambda: call.ask(DEPLOYMENT, "DELETE", deployment_id=call.path["deployment"]),
        lambda problem, status: _environment_view(call, problem, status),
    )
    return view or _back(call, "Deployment deleted.")


@pages.get("environments/{number:int}/edit")
def show_edit_environment(call: PageCall) -> View:
    """The form of an environment."""
    environment = call.ask(ENVIRONMENT, environment_id=call.path["number"])
    call.require("PUT", ENVIRONMENT, environment_id=call.path["number"])
    return project_view(call, "environment_form", "pipelines", values=environment, environment=environment, problem="")


@pages.post("environments/{number:int}/edit")
def edit_environment(call: PageCall) -> View | Response:
    """Save an environment; its name stays."""
    number, values = call.path["number"], texts(call, FIELDS[1:])
    given = {name: value for name, value in values.items() if value or name in ("external_url", "description")}
    view = refused(
        lambda: call.ask(ENVIRONMENT, "PUT", environment_id=number, **given),
        lambda problem, status: project_view(
            call, "environment_form", "pipelines", status, values=values, problem=problem,
            environment=call.ask(ENVIRONMENT, environment_id=number),
        ),
    )  # fmt: skip
    return view or _back(call, "Environment saved.")


@pages.post("environments/{number:int}/stop")
def stop_environment(call: PageCall) -> Response:
    """Stop it; its job for that runs, unless the form says that it does not."""
    force = text(call, "force") == "true"
    call.ask(f"{ENVIRONMENT}/stop", "POST", environment_id=call.path["number"], force=force)
    return _back(call, "The environment is being stopped.")


@pages.post("environments/{number:int}/remove")
def remove_environment(call: PageCall) -> Response:
    """Delete a stopped environment."""
    call.ask(ENVIRONMENT, "DELETE", environment_id=call.path["number"])
    return done(call, f"/{call.project.full_path}/-/environments", "Environment deleted.")


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/environments/{call.path['number']}", words)
