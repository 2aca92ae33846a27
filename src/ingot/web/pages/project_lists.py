"""Lists of a project: milestones, labels, activity, forks, stars; and starring it."""

from starlette.responses import RedirectResponse, Response

from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.markdown import markdown
from ingot.web.registry import Pages

pages = Pages("project")
MILESTONE = "/projects/:id/milestones/:milestone_id"


@pages.get("milestones")
def list_milestones(call: PageCall) -> View:
    """Milestones of the project and, beside them, of its groups."""
    state = str(call.values.get("state", "active"))
    state = state if state in ("active", "closed") else "active"
    rows = call.ask_rows("/projects/:id/milestones", state=state)
    can_write = call.may("POST", "/projects/:id/milestones")
    return project_view(call, "milestones", "milestones", rows=rows, state=state, can_write=can_write)


@pages.get("milestones/{iid:int}")
def show_milestone(call: PageCall) -> View:
    """One milestone with what belongs to it."""
    milestones = call.ask("/projects/:id/milestones", iids=[call.path["iid"]])
    milestone = call.ask(MILESTONE, milestone_id=milestones[0]["id"] if milestones else "0")
    number = milestone["id"]
    issues = call.ask_or_none(f"{MILESTONE}/issues", milestone_id=number, per_page="100") or []
    requests = call.ask_or_none(f"{MILESTONE}/merge_requests", milestone_id=number, per_page="100") or []
    return project_view(
        call, "milestone", "milestones", milestone=milestone, issues=issues, requests=requests,
        html=markdown(call, milestone["description"]), can_write=call.may("POST", "/projects/:id/milestones"),
        done=sum(row["state"] == "closed" for row in issues) + sum(row["state"] == "merged" for row in requests),
    )  # fmt: skip


@pages.get("labels")
def list_labels(call: PageCall) -> View:
    """Labels with how often they are used."""
    search = str(call.values.get("search", ""))
    rows = call.ask_rows("/projects/:id/labels", with_counts=True, search=search or None, per_page="50")
    can_write = call.may("POST", "/projects/:id/labels")
    return project_view(call, "labels", "labels", rows=rows, search=search, can_write=can_write)


@pages.get("forks")
def list_forks(call: PageCall) -> View:
    """Projects made from this one."""
    return project_view(call, "forks", "code", rows=call.ask_rows("/projects/:id/forks"))


@pages.get("starrers")
def list_starrers(call: PageCall) -> View:
    """People who starred the project."""
    return project_view(call, "starrers", "code", rows=call.ask_rows("/projects/:id/starrers"))


@pages.get("activity")
def list_activity(call: PageCall) -> View:
    """What happened lately."""
    return project_view(call, "activity", "code", rows=call.ask_rows("/projects/:id/events"))


@pages.post("star")
def star(call: PageCall) -> Response:
    """Star the project."""
    call.ask("/projects/:id/star", "POST")
    return RedirectResponse(f"/{call.project.full_path}", 303)


@pages.post("unstar")
def unstar(call: PageCall) -> Response:
    """Take the star back."""
    call.ask("/projects/:id/unstar", "POST")
    return RedirectResponse(f"/{call.project.full_path}", 303)
