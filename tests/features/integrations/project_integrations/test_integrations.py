"""Integrations of projects: settings, rooms that hear of changes, and mails about pushes and pipelines."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from ingot.features.ci.engine import base_url
from tests.support.databases import Databases
from tests.support.mailbox import Mailbox, mailing_world
from tests.support.receiver import Receiver, running_receiver
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def mailed(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Mailbox]]:
    with mailing_world(databases, tmp_path_factory.mktemp("data")) as made:
        yield made


@pytest.fixture(scope="module")
def world(mailed: tuple[World, Mailbox]) -> World:
    return mailed[0]


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with running_receiver() as running:
        yield running


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    return world.user(name="Mira <Holt>")


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def write(owner: Person, project: dict[str, Any], branch: str, **more: str) -> None:
    body = {"branch": branch, "commit_message": "Add a hinge", "content": "steel\n", **more}
    owner.client.ok("POST", f"/projects/{project['id']}/repository/files/{branch}.txt", json=body)


def test_rooms_hear_of_what_they_want(world: World, owner: Person, project: dict[str, Any], receiver: Receiver) -> None:
    base, url = f"/projects/{project['id']}/integrations", f"{receiver.url}/{world.name('room')}"
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        place = client.projects.get(project["id"])
        body = {"webhook": f"{url}/slack", "username": "ingot", "channel": "#all", "issue_channel": "#a, #b"}
        made = place.integrations.update("slack", {**body, "note_events": False})
        assert (made["active"], made["slug"], made["title"]) == (True, "slack", "Slack notifications")
        assert (made["push_events"], made["note_events"]) == (True, False)
        assert made["properties"]["issue_channel"] == "#a, #b"
        assert made["properties"]["branches_to_be_notified"] == "default"
        assert url not in str(made)
        for slug in ("discord", "microsoft-teams", "hangouts-chat", "mattermost"):
            place.integrations.update(slug, {"webhook": f"{url}/{slug}", "issues_events": False})
        assert len(place.integrations.list(get_all=True)) == 5

    write(owner, project, "main")
    write(owner, project, "side", start_branch="main")
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "Loose | *door*"})
    owner.client.ok("POST", f"/projects/{project['id']}/issues/{issue['iid']}/notes", json={"body": "quiet"})
    world.run_jobs()

    path = url.removeprefix(receiver.url)
    pushed, *about_issue = [one.body for one in receiver.wait_for(f"{path}/slack", 3)]
    web = f"{base_url(world.server.services)}/{project['path_with_namespace']}"
    here = f"<{web}|{project['path_with_namespace']}>"
    assert pushed["text"].startswith(f"Mira &lt;Holt&gt; pushed to branch <{web}/-/commits/main|main> of {here} (")
    assert (pushed["channel"], pushed["username"]) == ("#all", "ingot")
    assert pushed["attachments"][0]["text"].endswith(": Add a hinge - Mira Holt")
    assert [one["channel"] for one in about_issue] == ["#a", "#b"]
    title = f"<{web}/-/issues/1|#1 Loose ¦ *door*>"
    assert about_issue[0]["text"] == f"[{here}] Issue {title} opened by Mira &lt;Holt&gt;"
    (discord, _note) = [one.body for one in receiver.wait_for(f"{path}/discord", 2)]
    assert discord["content"].startswith(f"Mira \\<Holt\\> pushed to branch [main]({web}/-/commits/main)")
    assert discord["allowed_mentions"] == {"parse": []}
    (card, note) = [one.body for one in receiver.wait_for(f"{path}/microsoft-teams", 2)]
    assert (card["@type"], card["title"]) == ("MessageCard", project["path_with_namespace"])
    assert "commented on issue \\#1" in note["text"]
    assert note["text"].endswith("quiet")
    assert receiver.wait_for(f"{path}/hangouts-chat", 2)[0].body["text"].startswith("Mira &lt;Holt&gt; pushed")
    assert "attachments" in receiver.wait_for(f"{path}/mattermost", 2)[0].body

    assert owner.client.delete(f"{base}/slack").status_code == 204
    off = owner.client.ok("GET", f"{base}/slack")
    assert (off["active"], off["properties"]["username"]) == (False, None)
    assert [one["slug"] for one in owner.client.ok("GET", base)] == [
        "discord", "microsoft-teams", "hangouts-chat", "mattermost",
    ]  # fmt: skip


def test_pushes_and_pipelines_are_mailed(
    world: World, owner: Person, project: dict[str, Any], mailed: tuple[World, Mailbox]
) -> None:
    base, box, call = f"/projects/{project['id']}", mailed[1], owner.client.ok
    call("PUT", f"{base}/services/emails-on-push", json={"recipients": "a@ops.example b@ops.example"})
    call("PUT", f"{base}/integrations/pipelines-email", json={"recipients": "c@ops.example"})
    write(owner, project, "main")
    world.run_jobs()
    mails = {str(mail["To"]): mail for mail in box.mails if str(mail["To"]).endswith("@ops.example")}
    assert set(mails) == {"a@ops.example", "b@ops.example"}
    mail = mails["a@ops.example"]
    assert mail["Subject"] == f"[Git][{project['path_with_namespace']}][main] Add a hinge"
    assert "+steel" in mail.get_content()

    call("PUT", f"{base}/integrations/emails-on-push", json={"push_events": False})
    sha = call("GET", f"{base}/repository/branches/main")["commit"]["id"]
    for state in ("success", "failed"):
        call("POST", f"{base}/statuses/{sha}", json={"state": state, "name": "outside", "ref": "main"})
        world.run_jobs()
    (about,) = [mail for mail in box.mails if str(mail["To"]) == "c@ops.example"]
    assert about["Subject"] == f"{project['path_with_namespace']} | Failed pipeline for main | {sha[:8]}"
    assert len([mail for mail in box.mails if str(mail["To"]) == "a@ops.example"]) == 1


def test_settings_are_checked_and_kept(world: World, owner: Person, project: dict[str, Any]) -> None:
    base, client = f"/projects/{project['id']}/integrations", owner.client

    def answer(method: str, slug: str, **body: Any) -> tuple[int, Any]:
        reply = client.request(method, f"{base}/{slug}", json=body or None)
        return reply.status_code, reply.json()

    assert answer("PUT", "slack") == (400, {"error": "webhook is missing"})
    assert answer("PUT", "jira", url="https://j.example") == (
        400,
        {"error": "username is missing, password is missing"},
    )
    assert answer("PUT", "slack", webhook="nowhere")[0] == 400
    assert answer("PUT", "nothing", webhook="x") == (404, {"error": "404 Not Found"})
    assert answer("GET", "nothing") == (400, {"error": "slug does not have a valid value"})
    assert answer("GET", "jira") == (404, {"message": "404 Integration Not Found"})
    kept = {
        "jira": {"url": "https://j.example", "username": "j", "project_keys": ["A", "B"], "jira_issue_prefix": "X",
                 "api_url": "https://j.example/api", "jira_issue_transition_id": "3"},
        "custom-issue-tracker": {"project_url": "https://t.example", "issues_url": "https://t.example/:id",
                                 "new_issue_url": "https://t.example/new"},
        "external-wiki": {"external_wiki_url": "https://w.example"},
        "redmine": {"project_url": "https://r.example"},
    }  # fmt: skip
    secrets = {"password": "s3cret", "token": "s3cret", "api_key": "s3cret"}
    for slug, settings in kept.items():
        status, made = answer("PUT", slug, **settings, **secrets)
        assert (status, made["active"]) == (200, True)
        assert made["properties"].items() >= settings.items()
        assert "s3cret" not in str(made)
    developer = world.user()
    world.member(project, developer, "developer")
    assert developer.client.get(base).status_code == 403
    assert world.user().client.get(base).status_code == 404


def test_names_of_issues_elsewhere_are_links(world: World, owner: Person, project: dict[str, Any]) -> None:
    base, path = f"/projects/{project['id']}/integrations", project["path_with_namespace"]

    def render(text: str) -> str:
        body = {"text": text, "gfm": True, "project": path}
        return str(owner.client.ok("POST", "/markdown", json=body)["html"])

    assert "href" not in render("see ABC-1")
    tracker = "https://tracker.example/"
    addresses = {"project_url": tracker, "new_issue_url": tracker, "issues_url": f"{tracker}issues/:id"}
    owner.client.ok("PUT", f"{base}/custom-issue-tracker", json=addresses)
    assert 'href="https://tracker.example/issues/ABC-1"' in render("see ABC-1.")
    jira = {"url": "https://jira.example/", "username": "u", "password": "p", "project_keys": ["ABC"]}
    owner.client.ok("PUT", f"{base}/jira", json=jira)
    html = render("see ABC-12, XYZ-3, abc-4, `ABC-5` and ABC-06")
    assert 'href="https://jira.example/browse/ABC-12"' in html
    assert 'href="https://tracker.example/issues/XYZ-3"' in html
    assert html.count("href") == 2
    owner.client.ok("DELETE", f"{base}/jira")
    owner.client.ok("DELETE", f"{base}/custom-issue-tracker")
    assert "href" not in render("see ABC-12")


def test_groups_set_what_projects_below_have_not_set(world: World, owner: Person, receiver: Receiver) -> None:
    call = owner.client.ok
    top = world.group(owner)
    middle = world.group(owner, parent_id=top["id"])
    project = world.project(owner, namespace_id=middle["id"])
    of_top, of_middle = (f"/groups/{group['id']}/integrations" for group in (top, middle))
    here, path = f"/projects/{project['id']}/integrations", f"/{world.name('room')}"

    def tell(title: str) -> None:
        call("POST", f"/projects/{project['id']}/issues", json={"title": title})
        world.run_jobs()

    assert owner.client.get(f"{of_top}/slack").json() == {"message": "404 Integration Not Found"}
    assert owner.client.put(f"{of_top}/slack").json() == {"error": "webhook is missing"}
    room = {"webhook": f"{receiver.url}{path}/top", "channel": "#top"}
    made = call("PUT", f"{of_top}/slack", json=room)
    assert (made["active"], made["inherited"], made["properties"]["channel"]) == (True, False, "#top")
    for base in (of_middle, here):
        (seen,) = call("GET", base)
        assert (seen["slug"], seen["active"], seen["inherited"]) == ("slack", True, True)
        assert call("GET", f"{base}/slack")["properties"]["channel"] == "#top"
    tell("of the top")
    assert receiver.wait_for(f"{path}/top", 1)[0].body["channel"] == "#top"

    nearer = call("PUT", f"{of_middle}/slack", json={"webhook": f"{receiver.url}{path}/middle"})
    assert (nearer["inherited"], nearer["properties"]["channel"]) == (False, None)
    tell("of the middle")
    assert "of the middle" in receiver.wait_for(f"{path}/middle", 1)[0].body["text"]

    assert owner.client.put(f"{here}/slack", json={"channel": "#own"}).json() == {"error": "webhook is missing"}
    own = call("PUT", f"{here}/slack", json={"webhook": f"{receiver.url}{path}/own", "use_inherited_settings": False})
    assert own["inherited"] is False
    tell("of its own")
    assert len(receiver.wait_for(f"{path}/own", 1)) == 1
    call("DELETE", f"{here}/slack")
    assert call("GET", here) == []
    tell("told to nobody")
    back = call("PUT", f"{here}/slack", json={"use_inherited_settings": True})
    assert (back["inherited"], back["active"]) == (True, True)
    assert call("PUT", f"{of_middle}/slack", json={"use_inherited_settings": True})["properties"]["channel"] == "#top"
    call("PUT", f"{of_top}/jira", json={"url": "https://j.example", "username": "u", "password": "p"})
    markdown = {"text": "see ABC-1", "gfm": True, "project": project["path_with_namespace"]}
    assert 'href="https://j.example/browse/ABC-1"' in call("POST", "/markdown", json=markdown)["html"]
    tell("of the top again")
    assert len(receiver.wait_for(f"{path}/top", 2)) == 2
    call("DELETE", f"{of_top}/slack")
    assert [one["slug"] for one in call("GET", here)] == ["jira"]

    developer, stranger = world.user(), world.user()
    world.member(top, developer, "developer", kind="groups")
    assert developer.client.get(of_top).status_code == 403
    assert stranger.client.get(of_top).status_code == 404


def test_slash_commands_are_known_by_their_token(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}/integrations"
    missing = (404, {"message": "404 Integration Not Found"})

    def trigger(word: str, project_id: object = project["id"], **body: str) -> tuple[int, Any]:
        reply = world.anonymous.post(f"/projects/{project_id}/integrations/{word}/trigger", json=body)
        return reply.status_code, reply.json()

    for word in ("slack_slash_commands", "mattermost_slash_commands"):
        assert trigger(word, token="chat-1") == missing
        owner.client.ok("PUT", f"{base}/{word.replace('_', '-')}", json={"token": "chat-1"})
        status, answer = trigger(word, token="chat-1", command="/ingot", text="help")
        assert (status, answer["response_type"]) == (200, "ephemeral")
        assert project["web_url"] in answer["text"]
        assert trigger(word, token="chat-2") == trigger(word, token="") == missing
        assert trigger(word) == (400, {"error": "token is missing"})
        assert trigger(word, project_id=99999999, token="chat-1") == missing
        owner.client.ok("DELETE", f"{base}/{word.replace('_', '-')}")
        assert trigger(word, token="chat-1") == missing
