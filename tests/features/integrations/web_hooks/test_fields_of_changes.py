"""What payloads tell of a change besides the record: time, editors, threads, approvals, protection, moments."""

from typing import Any

from tests.features.integrations.web_hooks.conftest import Hooked, Make


def told(hooked: Hooked, *names: str) -> dict[str, Any]:
    """The only update whose changes have these names."""
    updates = [one for one in hooked.bodies() if one["object_attributes"]["action"] == "update"]
    [body] = [one for one in updates if set(names) <= set(one["changes"])]
    return {"attributes": body["object_attributes"], **body["changes"]}


def test_time_spent_is_told_with_what_was_added(make_hooked: Make) -> None:
    hooked = make_hooked("issues_events", "merge_requests_events")
    client, world = hooked.owner.client, hooked.world
    incident = client.ok("POST", f"{hooked.place}/issues", json={"title": "Fire", "issue_type": "incident"})
    request = world.merge_request(hooked.project, hooked.owner)

    client.ok("POST", f"{hooked.place}/issues/{incident['iid']}/add_spent_time", json={"duration": "1h"})
    client.ok("POST", f"{hooked.place}/merge_requests/{request['iid']}/time_estimate", json={"duration": "2h"})
    client.ok("PUT", f"{hooked.place}/issues/{incident['iid']}", json={"state_event": "close"})

    spent = told(hooked, "time_change")
    assert spent["total_time_spent"] == {"previous": 0, "current": 3600}
    assert spent["time_change"] == {"previous": 0, "current": 3600}
    assert (spent["attributes"]["time_change"], spent["attributes"]["human_time_change"]) == (3600, "1h")
    assert told(hooked, "time_estimate")["time_estimate"] == {"previous": 0, "current": 7200}
    states = [one["object_attributes"]["escalation_status"] for one in hooked.bodies(object_kind="issue")]
    assert states == ["triggered", "triggered", "resolved"]


def test_edits_threads_and_lost_approvals_of_a_request_are_told(make_hooked: Make) -> None:
    hooked = make_hooked("merge_requests_events")
    client, world, owner = hooked.owner.client, hooked.world, hooked.owner
    client.ok("POST", f"{hooked.place}/approvals", json={"reset_approvals_on_push": True})
    rule = client.ok("POST", f"{hooked.place}/approval_rules", json={"name": "Smiths", "approvals_required": 0})
    request = world.merge_request(hooked.project, owner)
    place = f"{hooked.place}/merge_requests/{request['iid']}"

    client.ok("PUT", place, json={"title": "Better hinge"})
    threads = [client.ok("POST", f"{place}/discussions", json={"body": "Why?"})["id"] for _ in range(2)]
    for thread in threads:
        client.ok("PUT", f"{place}/discussions/{thread}", json={"resolved": True})
    world.admin.ok("POST", f"{place}/approve")
    world.commit(hooked.project, request["source_branch"], {"more.txt": "x"}, user_id=owner.id)

    edited = told(hooked, "title")
    assert edited["last_edited_by_id"] == edited["updated_by_id"] == {"previous": None, "current": owner.id}
    assert edited["attributes"]["last_edited_by_id"] == owner.id
    assert [one["id"] for one in edited["attributes"]["approval_rules"]] == [rule["id"]]
    resolved = told(hooked, "blocking_discussions_resolved")
    assert resolved["blocking_discussions_resolved"] == {"previous": False, "current": True}
    [lost] = [one["object_attributes"] for one in hooked.bodies() if one["object_attributes"]["system"]]
    assert (lost["action"], lost["system_action"]) == ("unapproved", "approvals_reset_on_push")


def test_a_push_tells_of_protection_by_the_group_and_when_it_was_committed(make_hooked: Make) -> None:
    world = make_hooked().world
    owner = world.user()
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    owner.client.ok("POST", f"/groups/{group['id']}/protected_branches", json={"name": "stable*"})
    hooked = make_hooked("push_events", project=project, owner=owner)

    owner.client.ok("POST", f"{hooked.place}/repository/branches", json={"branch": "stable-1", "ref": "main"})
    world.commit(project, "free", {"a.txt": "x"}, user_id=owner.id)

    protected, free = hooked.bodies(object_kind="push")
    assert (protected["ref_protected"], free["ref_protected"]) == (True, False)
    assert free["commits"][0]["timestamp"].endswith("+00:00")


def test_receivers_may_send_a_delivery_elsewhere(make_hooked: Make) -> None:
    hooked = make_hooked()
    client, receiver, name = hooked.owner.client, hooked.receiver, hooked.path.strip("/")
    for code in (302, 307):
        body = {"url": f"{receiver.url}/answer/{code}/{name}-{code}/x", "token": "s3cret", "issues_events": True}
        client.ok("POST", f"{hooked.place}/hooks", json=body)

    client.ok("POST", f"{hooked.place}/issues", json={"title": "Hinge"})
    hooked.world.server.run_jobs()

    [read], [sent] = receiver.received(f"/{name}-302/"), receiver.received(f"/{name}-307/")
    assert (read.text, read.headers["X-Gitlab-Event"]) == ("", "Issue Hook")
    assert sent.body["object_attributes"]["title"] == "Hinge"
    assert sent.headers["X-Gitlab-Token"] == "s3cret"


def test_samples_have_their_moments_in_iso_and_the_log_short_pages(make_hooked: Make) -> None:
    hooked = make_hooked()
    client = hooked.owner.client
    hook = f"{hooked.place}/hooks/{client.ok('GET', f'{hooked.place}/hooks')[0]['id']}"
    issue = client.ok("POST", f"{hooked.place}/issues", json={"title": "2026-03-01 10:20:30 UTC"})
    client.ok("POST", f"{hooked.place}/issues/{issue['iid']}/notes", json={"body": "Oil it"})

    client.ok("POST", f"{hook}/test/issues_events")
    client.ok("POST", f"{hook}/test/note_events")
    log = client.get(f"{hook}/events", per_page=100)

    [sample, note] = hooked.bodies()
    attributes = sample["object_attributes"]
    assert attributes["created_at"] == f"{issue['created_at'][:19]}Z"
    assert attributes["title"] == "2026-03-01 10:20:30 UTC"
    assert note["object_attributes"]["action"] == "create"
    assert (log.headers["X-Per-Page"], len(log.json())) == ("20", 2)
