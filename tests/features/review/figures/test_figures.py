"""Counts for people and the instance, and the memberships of users."""

import gitlab

from tests.support.world import World


def test_what_waits_for_somebody_is_counted_as_far_as_they_may_read_it(world: World) -> None:
    owner, person = world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, person, "developer")
    place = f"/projects/{project['id']}"
    for state in ("opened", "closed"):
        issue = owner.client.ok("POST", f"{place}/issues", json={"title": state, "assignee_ids": [person.id]})
        if state == "closed":
            owner.client.ok("PUT", f"{place}/issues/{issue['iid']}", json={"state_event": "close"})
    world.merge_request(project, owner, assignee_id=person.id, reviewer_ids=[person.id])

    counts = person.client.ok("GET", "/user_counts")

    assert (counts["assigned_issues"], counts["merge_requests"], counts["assigned_merge_requests"]) == (1, 1, 1)
    assert counts["review_requested_merge_requests"] == 1
    assert counts["todos"] == len(person.client.ok("GET", "/todos"))
    owner.client.delete(f"{place}/members/{person.id}")
    after = person.client.ok("GET", "/user_counts")
    assert (after["assigned_issues"], after["merge_requests"]) == (0, 0)
    assert world.anonymous.get("/user_counts").status_code == 401


def test_memberships_and_associations(world: World) -> None:
    person, other = world.user(), world.user()
    group, project = world.group(), world.project()
    world.member(group, person, "reporter", kind="groups")
    world.member(project, person, "developer")

    with gitlab.Gitlab(world.server.url, private_token=world.admin.token) as api:
        user = api.users.get(person.id)
        listed = [(one.source_type, one.source_id, one.access_level) for one in user.memberships.list()]
        [only] = user.memberships.list(type="Namespace")

    assert listed == [("Namespace", group["id"], 20), ("Project", project["id"], 30)]
    assert only.source_name == group["name"]
    assert other.client.get(f"/users/{person.id}/memberships").status_code == 403
    assert person.client.ok("GET", f"/users/{person.id}/associations_count") == {
        "groups_count": 1, "projects_count": 1, "issues_count": 0, "merge_requests_count": 0,
    }  # fmt: skip
    assert other.client.get(f"/users/{person.id}/associations_count").status_code == 403


def test_statistics_of_the_instance_are_texts(world: World) -> None:
    person = world.user()
    world.project(person)

    with gitlab.Gitlab(world.server.url, private_token=world.admin.token) as api:
        statistics = api.statistics.get()

    assert int(statistics.projects.replace(",", "")) >= 1
    assert int(statistics.users.replace(",", "")) >= int(statistics.active_users.replace(",", "")) >= 1
    assert person.client.get("/application/statistics").status_code == 403
