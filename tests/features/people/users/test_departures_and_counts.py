"""What people leave behind when they are removed: counts stay true."""

from tests.support.world import World


def test_votes_and_comments_of_removed_people_are_counted_again(world: World) -> None:
    owner, soft, hard = world.user(), world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    home = f"/projects/{project['id']}"
    issue = owner.client.ok("POST", f"{home}/issues", json={"title": "a"})
    request = world.merge_request(project, owner)
    paths = f"{home}/issues/{issue['iid']}", f"{home}/merge_requests/{request['iid']}"
    for person in (soft, hard):
        for path in paths:
            person.client.ok("POST", f"{path}/award_emoji", json={"name": "thumbsup"})
            person.client.ok("POST", f"{path}/discussions", json={"body": "why?"})
        person.client.ok("POST", f"{home}/issues", json={"title": "by somebody who leaves"})

    world.admin.delete(f"/users/{soft.id}")
    world.admin.request("DELETE", f"/users/{hard.id}", params={"hard_delete": "true"})
    world.run_jobs()

    for path in paths:
        shown = owner.client.ok("GET", path)
        assert (shown["upvotes"], shown["user_notes_count"]) == (0, 1)
    assert owner.client.ok("GET", home)["open_issues_count"] == 2
    assert len(owner.client.ok("GET", f"{home}/issues")) == 2
