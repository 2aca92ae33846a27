"""Managing hooks: every parameter and every refusal, of projects, groups and the instance; secrets never come back."""

from typing import Any

import gitlab
import pytest
from sqlalchemy import select

from ingot.features.integrations.web_hooks.tables import web_hooks
from tests.features.integrations.web_hooks.conftest import Make
from tests.support.receiver import Receiver
from tests.support.waiting import until_refused
from tests.support.world import World

INVALID_URL = {"error": "Invalid url given"}


@pytest.fixture(scope="module")
def place(open_world: World) -> str:
    """The hooks of a project."""
    return f"/projects/{open_world.project()['id']}/hooks"


def test_python_gitlab_manages_project_hooks(open_world: World) -> None:
    owner = open_world.user()
    client = gitlab.Gitlab(open_world.server.url, private_token=owner.token, keep_base_url=True, timeout=120)
    project = client.projects.get(open_world.project(owner)["id"])

    hook = project.hooks.create({"url": "https://hook.example/a", "token": "s3cret", "tag_push_events": True})
    hook.url, hook.description = "https://hook.example/b", "Chat"
    hook.save()

    [listed] = project.hooks.list(get_all=True)
    assert (listed.url, listed.description) == ("https://hook.example/b", "Chat")
    assert (listed.push_events, listed.tag_push_events, listed.issues_events) == (True, True, False)
    assert listed.confidential_note_events is None
    assert (listed.alert_status, listed.disabled_until, listed.project_id) == ("executable", None, project.id)
    assert not hasattr(listed, "token")
    hook.delete()
    assert project.hooks.list(get_all=True) == []


def test_python_gitlab_manages_group_and_system_hooks(open_world: World) -> None:
    owner = open_world.user()
    theirs = gitlab.Gitlab(open_world.server.url, private_token=owner.token, keep_base_url=True, timeout=120)
    group = theirs.groups.get(open_world.group(owner)["id"])
    hook = group.hooks.create({"url": "https://hook.example/g", "member_events": True})
    assert (hook.group_id, hook.member_events, hook.subgroup_events) == (group.id, True, False)
    hook.delete()

    admin = gitlab.Gitlab(open_world.server.url, private_token=open_world.admin.token, keep_base_url=True, timeout=120)
    hook = admin.hooks.create({"url": "https://hook.example/s"})
    assert (hook.push_events, hook.repository_update_events) == (False, True)
    assert not hasattr(hook, "issues_events")
    assert admin.hooks.get(hook.id).url == "https://hook.example/s"
    admin.hooks.delete(hook.id)
    with pytest.raises(gitlab.GitlabListError) as refused:
        theirs.hooks.list(get_all=True)
    assert refused.value.response_code == 403


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        ({}, 400, {"error": "url is missing"}),
        ({"url": "ftp://hook.example"}, 422, INVALID_URL),
        ({"url": "no address"}, 422, INVALID_URL),
        ({"url": "https://hook.example/{tok}"}, 422, INVALID_URL),
        ({"url": "https://{tok}.example/", "url_variables": [{"key": "tok", "value": "a"}]}, 422, INVALID_URL),
        ({"url": "https://h.example", "token": "a\nb"}, 422, {"error": "Token is invalid"}),
        (
            {"url": "https://h.example", "push_events_branch_filter": "~bad/"},
            422,
            {"error": "Invalid branch filter given"},
        ),
        (
            {"url": "https://h.example", "push_events_branch_filter": "(", "branch_filter_strategy": "regex"},
            422,
            {"error": "Invalid branch filter given"},
        ),
        (
            {"url": "https://h.example", "branch_filter_strategy": "glob"},
            400,
            {"error": "branch_filter_strategy does not have a valid value"},
        ),
        (
            {"url": "https://h.example", "custom_headers": [{"key": "a b", "value": "c"}]},
            422,
            {"error": "Custom headers must be a valid json schema"},
        ),
    ],
)
def test_a_bad_hook_is_refused(
    open_world: World, place: str, body: dict[str, Any], status: int, answer: dict[str, str]
) -> None:
    response = open_world.admin.post(place, json=body)

    assert (response.status_code, response.json()) == (status, answer)


def test_secrets_are_kept_sealed_and_never_shown(open_world: World, place: str) -> None:
    secrets = {
        "token": "token-in-clear",
        "signing_token": "signing-in-clear",
        "custom_headers": [{"key": "X-Key", "value": "header-in-clear"}],
        "url_variables": [{"key": "tok", "value": "variable-in-clear"}],
    }
    created = open_world.admin.ok("POST", place, json={"url": "https://hook.example/{tok}", **secrets})

    shown = open_world.admin.get(f"{place}/{created['id']}")
    listed = open_world.admin.get(place)
    with open_world.server.services.db.read() as conn:
        stored = conn.execute(select(web_hooks).where(web_hooks.c.id == created["id"])).one()

    assert "in-clear" not in shown.text + listed.text + repr(stored)
    assert shown.json()["url"] == "https://hook.example/{tok}"
    assert (shown.json()["url_variables"], shown.json()["custom_headers"]) == ([{"key": "tok"}], [{"key": "X-Key"}])
    assert (shown.json()["token_present"], shown.json()["signing_token_present"]) == (True, True)
    # Another address must not get what was meant for the old one.
    moved = open_world.admin.ok("PUT", f"{place}/{created['id']}", json={"url": "https://other.example/"})
    assert (moved["token_present"], moved["custom_headers"]) == (False, [])


def test_variables_and_headers_are_set_and_unset_one_by_one(open_world: World, place: str) -> None:
    admin = open_world.admin
    url = {"url": "https://hook.example/{tok}", "url_variables": [{"key": "tok", "value": "a"}]}
    hook = f"{place}/{admin.ok('POST', place, json=url)['id']}"

    assert admin.put(f"{hook}/custom_headers/X-One", json={"value": "1"}).status_code == 204
    assert admin.put(f"{hook}/url_variables/spare", json={"value": "b"}).status_code == 204
    assert admin.ok("GET", hook)["url_variables"] == [{"key": "spare"}, {"key": "tok"}]

    refused = admin.put(f"{hook}/custom_headers/X-Two", json={"value": "a\r\nB: c"})
    assert (refused.status_code, refused.json()) == (422, {"error": "Illegal key or value"})
    refused = admin.delete(f"{hook}/url_variables/tok")
    assert (refused.status_code, refused.json()) == (422, {"error": "Could not unset variable"})
    assert admin.delete(f"{hook}/url_variables/spare").status_code == 204
    assert admin.delete(f"{hook}/custom_headers/X-One").status_code == 204
    assert admin.delete(f"{hook}/custom_headers/X-One").json() == {"message": "404 Custom header Not Found"}
    assert admin.delete(f"{hook}/url_variables/x").json() == {"message": "404 URL variable Not Found"}


def test_an_update_changes_what_it_names(open_world: World, place: str) -> None:
    admin = open_world.admin
    hook = f"{place}/{admin.ok('POST', place, json={'url': 'https://hook.example', 'push_events': False})['id']}"

    nothing = admin.put(hook, json={})
    assert (nothing.status_code, nothing.json()) == (400, {"error": "No parameters provided"})
    changed = admin.ok("PUT", hook, json={"note_events": True, "push_events_branch_filter": "release-*"})
    assert (changed["push_events"], changed["note_events"]) == (False, True)
    assert changed["push_events_branch_filter"] == "release-*"
    assert admin.ok("PUT", hook, json={"branch_filter_strategy": "all_branches"})["push_events_branch_filter"] is None
    refused = admin.put(hook, json={"token": "a\nb"})
    assert (refused.status_code, refused.json()) == (422, {"message": {"token": ["is invalid"]}})
    assert admin.get(f"{place}/999999").json() == {"message": "404 Not found"}


def test_hooks_may_not_reach_this_machine_unless_allowed(open_world: World, place: str, receiver: Receiver) -> None:
    setting = "allow_local_requests_from_web_hooks_and_services"
    open_world.admin.ok("PUT", "/application/settings", json={setting: False})
    try:
        answers = [
            open_world.admin.post(place, json={"url": url})
            for url in (receiver.url, "http://localhost/x", "http://127.1/", "http://10.0.0.9/", "http://[::1]/")
        ]
        system = open_world.admin.post("/hooks", json={"url": receiver.url})
    finally:
        open_world.admin.ok("PUT", "/application/settings", json={setting: True})

    assert {(one.status_code, one.json()["error"]) for one in answers} == {(422, "Invalid url given")}
    assert system.status_code == 201  # hooks of the instance may, by default
    open_world.admin.delete(f"/hooks/{system.json()['id']}")


def test_a_project_has_at_most_a_hundred_hooks(open_world: World) -> None:
    place = f"/projects/{open_world.project()['id']}/hooks"
    for number in range(100):
        open_world.admin.ok("POST", place, json={"url": f"https://hook.example/{number}"})

    one_more = open_world.admin.post(place, json={"url": "https://hook.example/more"})

    assert (one_more.status_code, one_more.json()) == (
        422,
        {"error": "Maximum number of project hooks (100) exceeded"},
    )


def test_a_sample_is_sent_at_once(make_hooked: Make) -> None:
    hooked = make_hooked()
    client, world = hooked.owner.client, hooked.world
    hook = f"{hooked.place}/hooks/{client.ok('GET', f'{hooked.place}/hooks')[0]['id']}"

    assert client.ok("POST", f"{hook}/test/push_events") == {"message": "201 Created"}
    refused = client.post(f"{hook}/test/issues_events")
    assert (refused.status_code, refused.json()) == (422, {"message": "Ensure the project has issues."})
    refused = client.post(f"{hook}/test/deployment_events")
    assert (refused.status_code, refused.json()) == (422, {"message": "Testing not available for this hook"})
    refused = client.post(f"{hook}/test/sneezes")
    assert refused.json() == {"error": "trigger does not have a valid value"}
    client.ok("PUT", hook, json={"url": f"{hooked.receiver.url}/answer/500{hooked.path}"})
    refused = client.post(f"{hook}/test/push_events")
    assert (refused.status_code, refused.json()) == (422, {"message": '{"ok":true}'})

    [body] = [one.body for one in hooked.receiver.received(hooked.path)]
    assert body["object_kind"] == "push"
    assert len(body["commits"]) == body["total_commits_count"] == 1
    assert body["commits"][0]["added"] == ["README.md"]
    stranger = world.user()
    assert stranger.client.post(f"{hook}/test/push_events").status_code == 404
    limited = until_refused(lambda: client.post(f"{hook}/test/push_events"), 422)
    text = "This endpoint has been requested too many times. Try again later."
    assert (limited.status_code, limited.json()) == (429, {"message": {"error": text}})


def test_a_system_hook_answers_its_sample(open_world: World, receiver: Receiver) -> None:
    created = open_world.admin.ok("POST", "/hooks", json={"url": f"{receiver.url}/answer/500/system-sample"})

    answered = open_world.admin.ok("POST", f"/hooks/{created['id']}")

    open_world.admin.delete(f"/hooks/{created['id']}")
    [arrived] = receiver.received("/answer/500/system-sample")
    assert arrived.body == answered
    assert answered["event_name"] == "project_create"
    assert arrived.headers["X-Gitlab-Event"] == "System Hook"
