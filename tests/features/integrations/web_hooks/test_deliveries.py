"""Deliveries: made of the change that caused them, signed, in order, logged, and sent again."""

import base64
import hashlib
import hmac
from datetime import timedelta

from sqlalchemy import update

from ingot.features.integrations.web_hooks.tables import web_hooks
from ingot.kit.clock import now
from tests.features.integrations.web_hooks.conftest import Make


def test_an_issue_is_told_from_opening_to_closing(make_hooked: Make) -> None:
    hooked = make_hooked("issues_events")
    client = hooked.owner.client
    label = client.ok("POST", f"{hooked.place}/labels", json={"name": "bug", "color": "#d9534f"})

    issue = client.ok("POST", f"{hooked.place}/issues", json={"title": "Hinge", "labels": "bug"})
    change = {"title": "Hinge squeaks", "assignee_ids": [hooked.owner.id], "remove_labels": "bug"}
    client.ok("PUT", f"{hooked.place}/issues/{issue['iid']}", json=change)
    client.ok("PUT", f"{hooked.place}/issues/{issue['iid']}", json={"state_event": "close"})

    opened, updated, closed = hooked.bodies()
    assert [body["object_attributes"]["action"] for body in (opened, updated, closed)] == ["open", "update", "close"]
    assert opened["object_kind"] == opened["event_type"] == "issue"
    assert opened["user"]["username"] == hooked.owner.username
    assert opened["user"]["email"] == "[REDACTED]"
    assert [entry["id"] for entry in opened["labels"]] == [label["id"]]
    assert opened["object_attributes"]["url"].endswith(f"/-/issues/{issue['iid']}")
    assert opened["project"]["path_with_namespace"] == hooked.project["path_with_namespace"]
    assert opened["changes"]["title"] == {"previous": None, "current": "Hinge"}
    assert updated["changes"]["title"] == {"previous": "Hinge", "current": "Hinge squeaks"}
    assert [entry["title"] for entry in updated["changes"]["labels"]["previous"]] == ["bug"]
    assert updated["changes"]["labels"]["current"] == []
    assert [entry["id"] for entry in updated["changes"]["assignees"]["current"]] == [hooked.owner.id]
    assert updated["assignees"] == updated["changes"]["assignees"]["current"]
    assert closed["object_attributes"]["state"] == "closed"
    assert closed["changes"]["state_id"] == {"previous": 1, "current": 2}


def test_a_delivery_carries_token_headers_and_signature(make_hooked: Make) -> None:
    headers = [{"key": "X-Team", "value": "anvil"}, {"key": "X-Gitlab-Event", "value": "forged"}]
    hooked = make_hooked("issues_events", token="s3cret", signing_token="key", custom_headers=headers)

    hooked.owner.client.ok("POST", f"{hooked.place}/issues", json={"title": "Signed"})

    [arrived] = hooked.arrivals()
    seen = arrived.headers
    assert seen["X-Gitlab-Event"] == "Issue Hook"
    assert seen["X-Gitlab-Token"] == "s3cret"
    assert seen["X-Team"] == "anvil"
    assert seen["Content-Type"] == "application/json"
    signed = f"{seen['webhook-id']}.{seen['webhook-timestamp']}.{arrived.text}".encode()
    digest = base64.b64encode(hmac.new(b"key", signed, hashlib.sha256).digest()).decode()
    assert seen["webhook-signature"] == f"v1,{digest}"
    assert seen["webhook-id"] == seen["Idempotency-Key"]


def test_a_change_that_is_refused_is_not_told(make_hooked: Make) -> None:
    hooked = make_hooked("issues_events")
    client = hooked.owner.client
    first = client.ok("POST", f"{hooked.place}/issues", json={"title": "First"})

    assert client.post(f"{hooked.place}/issues", json={"title": "x" * 300}).status_code == 400

    assert [body["object_attributes"]["iid"] for body in hooked.bodies()] == [first["iid"]]


def test_pushes_are_told_with_their_commits_to_branches_that_match(make_hooked: Make) -> None:
    hooked = make_hooked("push_events", "tag_push_events", push_events_branch_filter="feature/*")
    client, files = hooked.owner.client, f"{hooked.place}/repository"
    action = {"action": "create", "file_path": "a.py", "content": "1"}
    commit = {"branch": "feature/x", "start_branch": "main", "commit_message": "Add a", "actions": [action]}

    created = client.ok("POST", f"{files}/commits", json=commit)
    client.ok("POST", f"{files}/commits", json={**commit, "branch": "other", "commit_message": "Not told"})
    client.ok("POST", f"{files}/tags", json={"tag_name": "v1", "ref": "main", "message": "First"})
    client.delete(f"{files}/branches/feature%2Fx")

    pushed, gone = hooked.bodies(object_kind="push")
    [tagged] = hooked.bodies(object_kind="tag_push")
    assert (pushed["ref"], pushed["before"]) == ("refs/heads/feature/x", "0" * 40)
    assert pushed["after"] == pushed["checkout_sha"] == created["id"]
    assert [one["id"] for one in pushed["commits"]] == [created["id"]]
    assert pushed["total_commits_count"] == 1
    assert (pushed["commits"][0]["added"], pushed["commits"][0]["modified"]) == (["a.py"], [])
    assert (pushed["user_username"], pushed["project_id"]) == (hooked.owner.username, hooked.project["id"])
    assert pushed["ref_protected"] is False
    assert (gone["after"], gone["checkout_sha"], gone["commits"]) == ("0" * 40, None, [])
    assert (tagged["ref"], tagged["message"]) == ("refs/tags/v1", "First")
    assert tagged["checkout_sha"] == tagged["commits"][0]["id"] != tagged["after"]


def test_a_merge_request_is_told_from_opening_to_merging(make_hooked: Make) -> None:
    hooked = make_hooked("merge_requests_events")
    client, world = hooked.owner.client, hooked.world
    request = world.merge_request(hooked.project, hooked.owner)
    place = f"{hooked.place}/merge_requests/{request['iid']}"

    client.ok("PUT", place, json={"title": "Better hinge", "reviewer_ids": [hooked.owner.id]})
    world.commit(hooked.project, request["source_branch"], {"more.txt": "x"}, user_id=hooked.owner.id)
    world.admin.ok("POST", f"{place}/approve")
    world.admin.ok("POST", f"{place}/unapprove")
    client.ok("PUT", f"{place}/merge")

    bodies = hooked.bodies(object_kind="merge_request")
    attributes = [body["object_attributes"] for body in bodies]
    words = [one["action"] for one in attributes]
    assert words == ["open", "update", "update", "approved", "unapproved", "merge"]
    opened, edited, pushed, merged = bodies[0], bodies[1], attributes[2], attributes[-1]
    assert opened["object_attributes"]["last_commit"]["id"] == request["sha"]
    assert opened["object_attributes"]["target"]["id"] == hooked.project["id"]
    assert edited["changes"]["title"]["current"] == "Better hinge"
    assert [one["username"] for one in edited["reviewers"]] == [hooked.owner.username]
    assert pushed["oldrev"] == request["sha"]
    assert pushed["last_commit"]["id"] != request["sha"]
    assert (merged["state"], merged["state_id"]) == ("merged", 3)
    assert merged["merge_commit_sha"]


def test_comments_go_to_the_hooks_that_may_know_of_them(make_hooked: Make) -> None:
    hooked = make_hooked("note_events", "emoji_events")
    quiet = make_hooked("confidential_note_events", project=hooked.project, owner=hooked.owner)
    client = hooked.owner.client
    open_issue = client.ok("POST", f"{hooked.place}/issues", json={"title": "Open"})
    secret = client.ok("POST", f"{hooked.place}/issues", json={"title": "Secret", "confidential": True})

    notes = f"{hooked.place}/issues/{open_issue['iid']}/notes"
    note = client.ok("POST", notes, json={"body": "![x](/uploads/a/b.png)"})
    client.ok("PUT", f"{notes}/{note['id']}", json={"body": "Changed"})
    client.ok("POST", f"{notes}/{note['id']}/award_emoji", json={"name": "thumbsup"})
    client.ok("POST", f"{hooked.place}/issues/{secret['iid']}/notes", json={"body": "Hush"})

    created, edited, award = hooked.bodies()
    [hidden] = quiet.bodies()
    assert [one["object_attributes"]["action"] for one in (created, edited)] == ["create", "update"]
    text = created["object_attributes"]["note"]
    assert text.startswith("![x](http")
    assert text.endswith("/uploads/a/b.png)")
    assert created["issue"]["iid"] == open_issue["iid"]
    assert created["object_attributes"]["url"].endswith(f"#note_{note['id']}")
    assert (award["object_kind"], award["event_type"]) == ("emoji", "award")
    assert (award["note"]["id"], award["issue"]["iid"]) == (note["id"], open_issue["iid"])
    assert (hidden["event_type"], hidden["object_attributes"]["note"]) == ("confidential_note", "Hush")


def test_group_hooks_hear_of_projects_below(make_hooked: Make) -> None:
    hooked = make_hooked()
    world, owner, receiver = hooked.world, hooked.owner, hooked.receiver
    group = world.group(owner)
    below = world.group(owner, parent_id=group["id"])
    project = world.project(owner, namespace_id=below["id"])
    body = {"url": f"{receiver.url}/group-hook/", "issues_events": True}
    owner.client.ok("POST", f"/groups/{group['id']}/hooks", json=body)

    owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "Below"})
    owner.client.ok("POST", f"{hooked.place}/issues", json={"title": "Elsewhere"})

    world.server.run_jobs()
    assert [one.body["object_attributes"]["title"] for one in receiver.received("/group-hook/")] == ["Below"]


def test_the_log_tells_what_was_sent_and_sends_it_again(make_hooked: Make) -> None:
    hooked = make_hooked("issues_events", token="s3cret", custom_headers=[{"key": "X-Key", "value": "hidden"}])
    client = hooked.owner.client
    client.ok("POST", f"{hooked.place}/issues", json={"title": "Logged", "description": "ada@example.com"})
    [arrived] = hooked.arrivals()
    hook = f"{hooked.place}/hooks/{client.ok('GET', f'{hooked.place}/hooks')[0]['id']}"

    [entry] = client.ok("GET", f"{hook}/events")
    assert client.ok("GET", f"{hook}/events?status=successful,404") == [entry]
    assert client.ok("GET", f"{hook}/events?status=server_failure") == []
    assert client.get(f"{hook}/events?status=odd").status_code == 400
    answer = client.ok("POST", f"{hook}/events/{entry['id']}/resend")

    assert (entry["trigger"], entry["response_status"], entry["response_body"]) == ("issue_hooks", "200", '{"ok":true}')
    assert entry["request_data"]["object_attributes"]["description"] == "[REDACTED]"
    assert entry["request_headers"]["X-Gitlab-Token"] == entry["request_headers"]["X-Key"] == "[REDACTED]"
    assert answer == {"response_status": 200}
    again = hooked.receiver.received(hooked.path)[-1]
    assert again.headers["Idempotency-Key"] == arrived.headers["Idempotency-Key"]
    assert again.headers["X-Gitlab-Token"] == "s3cret"
    client.ok("PUT", hook, json={"url": f"{hooked.receiver.url}/elsewhere/"})
    refused = client.post(f"{hook}/events/{entry['id']}/resend")
    text = "The hook URL has changed, and this log entry cannot be retried"
    assert (refused.status_code, refused.json()) == (422, {"message": text})


def test_a_template_makes_the_body(make_hooked: Make) -> None:
    template = '{"text": "{{user.username}} wrote {{object_attributes.title}}", "id": {{object_attributes.iid}}}'
    hooked = make_hooked("issues_events", custom_webhook_template=template)
    title = 'A "quoted" \\ title'

    issue = hooked.owner.client.ok("POST", f"{hooked.place}/issues", json={"title": title})

    text = f"{hooked.owner.username} wrote {title}"
    assert hooked.bodies() == [{"text": text, "id": issue["iid"]}]


def test_a_failing_hook_rests_and_a_sample_wakes_it(make_hooked: Make) -> None:
    hooked = make_hooked("issues_events")
    client = hooked.owner.client
    hook = f"{hooked.place}/hooks/{client.ok('GET', f'{hooked.place}/hooks')[0]['id']}"
    client.ok("PUT", hook, json={"url": f"{hooked.receiver.url}/answer/500{hooked.path}"})

    for number in range(6):
        client.ok("POST", f"{hooked.place}/issues", json={"title": f"Failure {number}"})
        hooked.world.server.run_jobs()
        with hooked.world.server.services.db.write() as tx:
            # Where it rests at all: the minute that it begins with may be over too soon on a busy machine.
            here = (web_hooks.c.project_id == hooked.project["id"]) & web_hooks.c.disabled_until.is_not(None)
            tx.execute(update(web_hooks).where(here).values(disabled_until=now() + timedelta(hours=1)))

    # Four failures in a row, and then a rest in which nothing is sent or kept.
    assert len(hooked.receiver.received(f"/answer/500{hooked.path}")) == 4
    resting = client.ok("GET", hook)
    assert resting["alert_status"] == "temporarily_disabled"
    assert resting["disabled_until"] is not None
    hooked.world.admin.ok("POST", "/features/auto_disabling_web_hooks", json={"value": False})
    try:
        assert client.ok("GET", hook)["alert_status"] == "executable"
        assert [one["alert_status"] for one in client.ok("GET", f"{hooked.place}/hooks")] == ["executable"]
    finally:
        hooked.world.admin.ok("DELETE", "/features/auto_disabling_web_hooks")
    client.ok("PUT", hook, json={"url": hooked.receiver.url + hooked.path})
    client.ok("POST", f"{hook}/test/push_events")
    assert client.ok("GET", hook)["alert_status"] == "executable"
    client.ok("POST", f"{hooked.place}/issues", json={"title": "Awake"})
    assert [body["object_attributes"]["title"] for body in hooked.bodies(object_kind="issue")] == ["Awake"]
