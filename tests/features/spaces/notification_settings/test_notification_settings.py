"""Notification settings, as python-gitlab reads and writes them."""

from typing import Any

import gitlab
import pytest
from gitlab.exceptions import GitlabUpdateError

from tests.support.world import World


def test_levels_and_events_of_all_three_places(world: World) -> None:
    person = world.user()
    group = world.group(person)
    project = world.project(person, namespace_id=group["id"])
    with gitlab.Gitlab(world.server.url, private_token=person.token) as client:
        general = client.notificationsettings.get()
        assert (general.level, general.notification_email) == ("participating", f"{person.username}@example.com")
        places: list[Any] = [client.projects.get(project["id"]), client.groups.get(group["id"])]
        for place in places:
            assert place.notificationsettings.get().level == "global"
            setting = place.notificationsettings.get()
            setting.level, setting.new_note = "custom", True
            setting.save()
            events = place.notificationsettings.get().events
            assert {name for name, chosen in events.items() if chosen} == {
                "new_note",
                "failed_pipeline",
                "fixed_pipeline",
            }
            assert len(events) == 19
        assert places[0].manager.get(project["id"]).permissions["group_access"]["notification_level"] == 5

        general.level, general.notified_of_own_activity = "watch", True
        general.save()
        again = client.notificationsettings.get()
        assert (again.level, again.notified_of_own_activity, hasattr(again, "events")) == ("watch", True, False)
        general.level = "loud"
        with pytest.raises(GitlabUpdateError, match="'loud' is not a valid level"):
            general.save()
        answer = person.client.put("/notification_settings", {"notification_email": "else@example.com"})
        assert (answer.status_code, answer.json()) == (
            400,
            {"message": {"notification_email": ["is not an email you own"]}},
        )

    stranger = world.user()
    for path, kind in (
        (f"/projects/{project['id']}", "Project"),
        (f"/groups/{group['id']}", "Group"),
    ):
        answer = stranger.client.put(f"{path}/notification_settings", {"level": "watch"})
        assert (answer.status_code, answer.json()) == (404, {"message": f"404 {kind} Not Found"})
    assert world.anonymous.get("/notification_settings").status_code == 401
