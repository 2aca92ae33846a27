"""Web hooks and deploy keys in archives: no secrets go out, and nothing comes in that opens the project to others."""

from typing import Any

import pytest

from tests.contract.parameters import ssh_key
from tests.features.transfer.project_imports.making import archive, exported, files_of, imported, relation
from tests.support.world import Person, World

HOOK = {
    "url": "https://user:hush@hooks.invalid/{place}?a=b", "name": "Chat", "description": "d", "token": "hush",
    "signing_token": "whsec_aHVzaGh1c2hodXNoaHVzaGh1c2hodXNoaHVzaGh1c2g=", "push_events": False, "issues_events": True,
    "note_events": True, "enable_ssl_verification": False, "push_events_branch_filter": "release-*",
    "url_variables": [{"key": "place", "value": "hush"}], "custom_headers": [{"key": "X-Secret", "value": "hush"}],
    "custom_webhook_template": '{"a": 1}',
}  # fmt: skip
CARRIED = (
    "name", "description", "push_events", "issues_events", "note_events", "enable_ssl_verification",
    "push_events_branch_filter", "branch_filter_strategy", "custom_webhook_template", "confidential_note_events",
)  # fmt: skip


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def test_a_hook_comes_back_at_rest_and_without_its_secrets(world: World, owner: Person) -> None:
    project = world.project(owner)
    hook = owner.client.ok("POST", f"/projects/{project['id']}/hooks", json=HOOK)

    content = exported(world, owner, project["id"])
    record = imported(world, owner, content)

    assert record["failed_relations"] == []
    assert b"hush" not in files_of(content)["tree/project/hooks.ndjson"]
    [copy] = owner.client.ok("GET", f"/projects/{record['id']}/hooks")
    assert {name: copy[name] for name in CARRIED} == {name: hook[name] for name in CARRIED}
    assert copy["url"] == "https://hooks.invalid/{place}?a=b"
    assert (copy["alert_status"], hook["alert_status"]) == ("disabled", "executable")
    alone = owner.client.ok("GET", f"/projects/{record['id']}/hooks/{copy['id']}")
    assert (alone["url_variables"], alone["custom_headers"]) == ([], [])


def test_what_happens_in_an_imported_project_is_not_sent_to_the_hooks_of_its_archive(
    world: World, owner: Person
) -> None:
    record = imported(world, owner, archive(hooks=[{"url": "https://thief.invalid/", "issues_events": True}]))
    [hook] = owner.client.ok("GET", f"/projects/{record['id']}/hooks")

    owner.client.ok("POST", f"/projects/{record['id']}/issues", json={"title": "Secret"})
    world.run_jobs()

    assert owner.client.ok("GET", f"/projects/{record['id']}/hooks/{hook['id']}/events") == []


BAD_HOOKS: dict[str, tuple[Any, str]] = {
    "no address": ({"url": ""}, "Url can't be blank"),
    "an address that is none": ({"url": "javascript:alert(1)"}, "Url is invalid or may not be called"),
    "a local address": ({"url": "http://127.0.0.1:80/"}, "Url is invalid or may not be called"),
    "a host that is a variable": ({"url": "https://{host}/"}, "Url is invalid or may not be called"),
    "a long name": ({"url": "https://a.invalid", "name": "n" * 256}, "Name is too long"),
    "an unknown strategy": ({"url": "https://a.invalid", "branch_filter_strategy": "guess"}, "Branch filter strategy"),
    "a filter that is none": ({"url": "https://a.invalid", "push_events_branch_filter": "a..b"}, "Push events branch"),
    "a number": ({"url": 7}, "Url is invalid"),
}


def test_hooks_that_cannot_be_are_listed_and_the_rest_comes(world: World, owner: Person) -> None:
    records = [record for record, _ in BAD_HOOKS.values()]
    service = {"url": "https://service.invalid", "type": "ServiceHook"}

    record = imported(world, owner, archive(hooks=[*records, service, {"url": "https://good.invalid"}]))

    assert record["import_status"] == "finished"
    failures = {one["line_number"]: one["exception_message"] for one in record["failed_relations"]}
    for line, (name, (_, sentence)) in enumerate(BAD_HOOKS.items()):
        assert failures.get(line, "").startswith(sentence), name
    [hook] = owner.client.ok("GET", f"/projects/{record['id']}/hooks")
    assert hook["url"] == "https://good.invalid"


def test_a_project_gets_no_more_hooks_than_it_may_have(world: World, owner: Person) -> None:
    many = [{"url": f"https://h{number}.invalid"} for number in range(101)]

    record = imported(world, owner, archive(hooks=many))

    assert [one["line_number"] for one in record["failed_relations"]] == [100]
    assert "Maximum number of project hooks (100)" in record["failed_relations"][0]["exception_message"]


def test_a_deploy_key_comes_back_with_its_right(world: World, owner: Person) -> None:
    project = world.project(owner)
    path = f"/projects/{project['id']}/deploy_keys"
    for title, can_push in (("reads", False), ("writes", True)):
        owner.client.ok("POST", path, json={"title": title, "key": ssh_key(), "can_push": can_push})

    content = exported(world, owner, project["id"])
    record = imported(world, owner, content)

    assert record["failed_relations"] == []
    assert [(one["title"], one["can_push"]) for one in relation(content, "deploy_keys")] == [
        ("reads", False),
        ("writes", True),
    ]
    keys = owner.client.ok("GET", f"/projects/{record['id']}/deploy_keys")
    assert [(one["id"], one["title"], one["can_push"]) for one in keys] == [
        (one["id"], one["title"], one["can_push"]) for one in owner.client.ok("GET", path)
    ]


def test_an_archive_lets_no_foreign_key_in(world: World, owner: Person) -> None:
    stranger = world.user()
    theirs = world.project(stranger)
    foreign = {"title": "foreign", "key": ssh_key(), "can_push": True}
    stranger.client.ok("POST", f"/projects/{theirs['id']}/deploy_keys", json=foreign)
    public = {"title": "public", "key": ssh_key()}
    world.admin.ok("POST", "/deploy_keys", json=public)
    unknown = {"title": "new", "key": ssh_key(), "can_push": True}
    nonsense = {"title": "x", "key": "ssh-rsa nonsense"}
    records = [foreign, unknown, nonsense, {**public, "can_push": True}]

    record = imported(world, owner, archive(deploy_keys=records))

    assert sorted(one["line_number"] for one in record["failed_relations"]) == [0, 1, 2]
    [key] = owner.client.ok("GET", f"/projects/{record['id']}/deploy_keys")
    assert (key["title"], key["can_push"]) == ("public", False)
