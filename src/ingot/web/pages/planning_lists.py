"""Milestones and labels of projects and groups."""

from ingot.features.planning.issuable_lists import milestone_progress
from ingot.web.call import PageCall, View
from ingot.web.frames import group_view, project_view
from ingot.web.markdown import markdown
from ingot.web.pages.planning_forms import may_promote
from ingot.web.registry import Pages

project = Pages("project")
group = Pages("group")


def declare(pages: Pages, place: str) -> None:
    """Register the lists of one kind of place."""
    base = f"/{place}s/:id"
    view = project_view if place == "project" else group_view

    def list_milestones(call: PageCall) -> View:
        """Milestones, active or closed."""
        state = "closed" if call.values.get("state") == "closed" else "active"
        rows = call.ask_rows(f"{base}/milestones", state=state)
        can_write = call.may("POST", f"{base}/milestones")
        progress = milestone_progress(call.conn, call.actor, [row["id"] for row in rows.items])
        return view(
            call, "milestones", "milestones", rows=rows, state=state, can_write=can_write, progress=dict(progress)
        )

    def show_milestone(call: PageCall) -> View:
        """One milestone with what belongs to it."""
        milestones = call.ask(f"{base}/milestones", iids=[call.path["iid"]])
        one, number = f"{base}/milestones/:milestone_id", milestones[0]["id"] if milestones else "0"
        milestone = call.ask(one, milestone_id=number)
        issues = call.ask_or_none(f"{one}/issues", milestone_id=number, per_page="100") or []
        requests = call.ask_or_none(f"{one}/merge_requests", milestone_id=number, per_page="100") or []
        return view(
            call, "milestone", "milestones", milestone=milestone, issues=issues, requests=requests,
            html=markdown(call, milestone["description"]), can_write=call.may("POST", f"{base}/milestones"),
            progress=milestone_progress(call.conn, call.actor, [milestone["id"]])[milestone["id"]],
            can_promote=may_promote(call, "milestones"),
        )  # fmt: skip

    def list_labels(call: PageCall) -> View:
        """Labels with how often they are used."""
        search = str(call.values.get("search", ""))
        rows = call.ask_rows(f"{base}/labels", with_counts=True, search=search or None, per_page="50")
        can_write = call.may("POST", f"{base}/labels")
        return view(
            call, "labels", "labels", rows=rows, search=search, can_write=can_write,
            can_promote=may_promote(call, "labels"),
            can_subscribe=call.may("POST", f"{base}/labels/:label_id/subscribe", label_id="1"),
        )  # fmt: skip

    pages.get("milestones")(list_milestones)
    pages.get("milestones/{iid:int}")(show_milestone)
    pages.get("labels")(list_labels)


declare(project, "project")
declare(group, "group")
