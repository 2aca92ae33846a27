"""The calendar of contributions: what counts, and who sees it."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from ingot.features.people.event_log import events
from tests.support.client import Client
from tests.support.world import World


def counts(client: Client, username: str) -> dict[str, int]:
    answer = client.http.get(f"/users/{username}/calendar.json")
    assert answer.status_code == 200
    days: dict[str, int] = answer.json()
    return days


def test_pushes_comments_and_work_on_records_count(world: World) -> None:
    author, outsider = world.user(), world.user()
    call = author.client.ok
    project = world.project(author, initialize_with_readme=True)
    path = f"/projects/{project['id']}"
    before = sum(counts(author.client, author.username).values())
    issue = call("POST", f"{path}/issues", json={"title": "Hinge"})
    call("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "It squeaks."})
    call("PUT", f"{path}/issues/{issue['iid']}", json={"state_event": "close"})
    call("PUT", f"{path}/issues/{issue['iid']}", json={"state_event": "reopen"})  # does not count
    call("POST", f"{path}/milestones", json={"title": "Spring"})  # nor does this
    world.commit(project, "main", {"hinge.txt": "oil\n"}, user_id=author.id)
    assert sum(counts(author.client, author.username).values()) - before == 4

    # The project is private.
    assert counts(outsider.client, author.username) == {}
    assert counts(world.anonymous, author.username) == {}
    assert counts(world.admin, author.username) == counts(author.client, author.username)

    # Another day counts apart, and days that are more than a year ago no more.
    day = datetime.now(UTC) - timedelta(days=40)
    old = datetime.now(UTC) - timedelta(days=400)
    with world.server.services.db.write() as tx:
        here = events.c.project_id == project["id"]
        tx.execute(update(events).where(here, events.c.action == "commented").values(created_at=day))
        tx.execute(update(events).where(here, events.c.action == "pushed").values(created_at=old))
    days = counts(author.client, author.username)
    assert days[f"{day:%Y-%m-%d}"] == 1
    assert sum(days.values()) == 3


def test_private_profiles_and_unknown_people(world: World) -> None:
    hidden, outsider = world.user(), world.user()
    project = world.project(hidden, visibility="public")
    hidden.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "Seen"})
    assert sum(counts(outsider.client, hidden.username).values()) == 1
    world.admin.ok("PUT", f"/users/{hidden.id}", json={"private_profile": True})
    assert counts(outsider.client, hidden.username) == {}
    assert sum(counts(hidden.client, hidden.username).values()) == 1
    assert outsider.client.http.get("/users/nobody-here/calendar.json").status_code == 404
    assert outsider.client.http.get(f"/users/{hidden.id}/calendar.json").status_code == 404
