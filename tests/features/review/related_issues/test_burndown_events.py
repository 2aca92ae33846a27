"""The events of a milestone's issues, for burndown charts."""

from typing import Any

from tests.support.world import World

DATES = {"start_date": "2020-01-01", "due_date": "9999-12-31"}


def actions(events: list[dict[str, Any]]) -> list[tuple[str, int | None]]:
    return [(event["action"], event["weight"]) for event in events]


def test_issues_are_opened_closed_and_reopened(world: World) -> None:
    owner = world.user()
    group = world.group(owner, visibility="public")
    project = world.project(owner, namespace_id=group["id"], visibility="public")
    here, above = f"/projects/{project['id']}", f"/groups/{group['id']}"

    for place in (here, above):
        milestone = owner.client.ok("POST", f"{place}/milestones", json={"title": "v1", **DATES})
        path = f"{place}/milestones/{milestone['id']}"
        open_, secret = (
            owner.client.ok("POST", f"{here}/issues", json={"milestone_id": milestone["id"], **more})
            for more in ({"title": "a", "weight": 3}, {"title": "b", "confidential": True})
        )
        for event in ("close", "reopen", "close"):
            owner.client.ok("PUT", f"{here}/issues/{open_['iid']}", json={"state_event": event})

        events = owner.client.ok("GET", f"{path}/burndown_events")

        assert actions(events) == [
            ("created", 3), ("created", None), ("closed", 3), ("reopened", 3), ("closed", 3),
        ]  # fmt: skip
        assert events[0]["created_at"] == open_["created_at"]
        assert [event["created_at"] for event in events] == sorted(event["created_at"] for event in events)
        visible = actions(world.anonymous.ok("GET", f"{path}/burndown_events"))
        assert visible == [("created", 3), ("closed", 3), ("reopened", 3), ("closed", 3)], secret

        owner.client.ok("PUT", path, json={"due_date": "2020-01-02"})
        assert owner.client.ok("GET", f"{path}/burndown_events") == []  # everything was later
        owner.client.ok("PUT", path, json={"start_date": "", "due_date": ""})
        assert owner.client.ok("GET", f"{path}/burndown_events") == []


def test_an_unknown_milestone(world: World) -> None:
    missing = world.admin.get(f"/projects/{world.project()['id']}/milestones/999999/burndown_events")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Milestone Not Found"})
