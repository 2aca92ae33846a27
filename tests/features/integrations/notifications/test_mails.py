"""Mails that follow notification settings, taken by a real mail server."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from ingot.features.integrations.notifications.jobs import mail_due_issues
from ingot.features.people.users import queue_account_mail
from ingot.features.people.users.account_mails import PASSWORD_CHANGED
from ingot.kit.clock import now
from ingot.kit.jobs.tables import QUEUED, jobs
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.mailbox import Mailbox, mailing_world
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def mailing(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Mailbox]]:
    with mailing_world(databases, tmp_path_factory.mktemp("mails")) as result:
        yield result


@pytest.fixture(scope="module")
def world(mailing: tuple[World, Mailbox]) -> World:
    return mailing[0]


@pytest.fixture
def box(mailing: tuple[World, Mailbox]) -> Mailbox:
    mailing[0].run_jobs()
    mailing[1].mails.clear()
    return mailing[1]


@pytest.fixture(scope="module")
def author(world: World) -> Person:
    return world.user()


@pytest.fixture
def people(world: World, project: dict[str, Any]) -> list[Person]:
    """Two members, and somebody who cannot see the project."""
    members = [world.user(), world.user()]
    for person in members:
        world.member(project, person, 40)
    return [*members, world.user()]


@pytest.fixture
def project(world: World, author: Person) -> dict[str, Any]:
    return world.project(author, initialize_with_readme=True)


def received(world: World, box: Mailbox) -> dict[str, EmailMessage]:
    """The mails since the last look, by who got them; nobody gets two."""
    world.run_jobs()
    mails = {str(mail["To"]).partition("@")[0]: mail for mail in box.mails}
    assert len(mails) == len(box.mails)
    box.mails.clear()
    return mails


def content(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def test_an_issue_is_one_thread_from_mention_to_unsubscribing(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    first, second, stranger = people
    path = f"/projects/{project['id']}"
    text = f"Look, @{first.username} and @{stranger.username}: **<b>this</b>**, #1 and [a file](/uploads/x/y.txt)"
    body = {"title": "A fault", "description": text, "assignee_ids": [second.id]}
    issue = author.client.ok("POST", f"{path}/issues", json=body)

    mails = received(world, box)
    assert {name: mail["X-GitLab-NotificationReason"] for name, mail in mails.items()} == {
        first.username: "mentioned",
        second.username: "assigned",
    }
    opening = mails[first.username]
    assert opening["Subject"] == f"{project['name']} | A fault (#{issue['iid']})"
    assert text in content(opening, "plain")
    # As on a page, but with whole addresses: a mail is read elsewhere.
    html, site = content(opening, "html"), world.server.services.settings.public_url.rstrip("/")
    assert "<strong><b>this</b></strong>" in html
    place = f"{site}/{project['path_with_namespace']}"
    for address in (f"{site}/{first.username}", f"{place}/-/issues/1", f"{place}/uploads/x/y.txt"):
        assert f'<a href="{address}"' in html
    assert f"{urlsplit(issue['web_url']).path}\n" in content(opening, "plain").replace("\r", "")

    note = first.client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "I see it too"})
    mails = received(world, box)
    assert set(mails) == {author.username, second.username}
    answer = mails[second.username]
    assert answer["Subject"] == f"Re: {opening['Subject']}"
    assert answer["References"] == answer["In-Reply-To"] == opening["Message-ID"] != answer["Message-ID"]
    assert f"#note_{note['id']}" in content(answer, "plain")

    assert f"List-Unsubscribe: {answer['List-Unsubscribe']}\r\n".encode() in box.texts[-1] + box.texts[-2]
    place = urlsplit(str(answer["List-Unsubscribe"]).strip("<>")).path
    with plain_http.client(base_url=world.server.url) as browser:
        page = browser.get(place, follow_redirects=True)
        assert (page.status_code, "Stop emails about this issue?" in page.text) == (200, True)
        assert browser.post(f"{place[:-30]}/one_click").status_code == 404
        done = browser.post(place, data={"List-Unsubscribe": "One-Click"})
        assert (done.status_code, done.text) == (200, "You will no longer receive emails about this.\n")
    author.client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "Thanks"})
    author.client.ok("PUT", f"{path}/issues/{issue['iid']}", json={"confidential": True})
    assert set(received(world, box)) == {first.username}

    internal = {"body": f"Only for us, @{stranger.username}", "internal": True}
    author.client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json=internal)
    author.client.ok("PUT", f"{path}/issues/{issue['iid']}", json={"state_event": "close"})
    world.run_jobs()
    assert [str(mail["To"]).partition("@")[0] for mail in box.mails] == [first.username, first.username]


def test_who_left_a_private_project_gets_no_mails_about_own_confidential_issues(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    path = f"/projects/{project['id']}"
    body = {"title": "Secret", "confidential": True}
    issue = people[0].client.ok("POST", f"{path}/issues", json=body)
    notes = f"{path}/issues/{issue['iid']}/notes"
    received(world, box)
    author.client.ok("POST", notes, json={"body": "I see"})
    assert set(received(world, box)) == {people[0].username}
    author.client.ok("DELETE", f"{path}/members/{people[0].id}")
    author.client.ok("POST", notes, json={"body": "Now we can talk"})
    assert received(world, box) == {}


def test_mails_go_to_a_chosen_address_until_it_is_removed(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    path, person = f"/projects/{project['id']}", people[0]
    second = f"second-{person.username}"
    email = {"email": f"{second}@example.com", "skip_confirmation": True}
    created = world.server.client().ok("POST", f"/users/{person.id}/emails", json=email)
    person.client.ok("PUT", "/notification_settings", json={"notification_email": email["email"], "level": "watch"})
    author.client.ok("POST", f"{path}/issues", json={"title": "One"})
    assert set(received(world, box)) == {second}
    person.client.ok("DELETE", f"/user/emails/{created['id']}")
    author.client.ok("POST", f"{path}/issues", json={"title": "Two"})
    assert set(received(world, box)) == {person.username}
    first = person.client.ok("GET", "/notification_settings")["notification_email"]
    assert first == f"{person.username}@example.com"


def test_a_refused_address_keeps_no_mail_from_others(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    first, second, third = people
    world.member(project, third, 40)
    for person in people:
        person.client.ok("PUT", f"/projects/{project['id']}/notification_settings", json={"level": "watch"})
    box.refused = {f"{first.username}@example.com": "450 Later", f"{second.username}@example.com": "550 Never"}
    author.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "One"})
    assert set(received(world, box)) == {third.username}

    box.refused = {}
    with world.server.services.db.write() as tx:
        tx.execute(update(jobs).where(jobs.c.state == QUEUED).values(run_after=now()))
    assert set(received(world, box)) == {first.username}


def test_titles_and_names_write_no_headers(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    hidden = "=?utf-8?q?Hello=0D=0ABcc=3A_somebody=40example.com=0D=0A=0D=0AA_text?="
    people[0].client.ok("PUT", f"/projects/{project['id']}/notification_settings", json={"level": "watch"})
    world.server.client().ok("PUT", f"/users/{author.id}", json={"name": hidden})
    try:
        author.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": hidden})
        mail = received(world, box)[people[0].username]
    finally:
        world.server.client().ok("PUT", f"/users/{author.id}", json={"name": author.username.title()})
    assert (mail["Bcc"], str(mail["Subject"]).count("= ?utf-8?q?Hello=0D=0ABcc")) == (None, 1)
    assert mail["From"].addresses[0].display_name == hidden.replace("=?", "= ?")


def test_a_merge_request_asks_for_review_and_says_that_it_was_merged(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    first, second, _ = people
    path = f"/projects/{project['id']}"
    second.client.ok("PUT", f"{path}/notification_settings", json={"level": "watch"})
    author.client.ok("PUT", "/notification_settings", json={"notified_of_own_activity": True})
    request = world.merge_request(project, author, title="Better", reviewer_ids=[first.id])
    one = f"{path}/merge_requests/{request['iid']}"

    mails = received(world, box)
    reasons = {name: mail["X-GitLab-NotificationReason"] for name, mail in mails.items()}
    assert reasons == {
        first.username: "review_requested",
        second.username: "watching",
        author.username: "own_activity",
    }
    author.client.ok("PUT", "/notification_settings", json={"notified_of_own_activity": False})
    first.client.ok("POST", f"{one}/approve")
    assert set(received(world, box)) == {author.username, second.username}
    author.client.ok("PUT", one, json={"reviewer_ids": [second.id]})
    mails = received(world, box)
    assert mails[second.username]["X-GitLab-NotificationReason"] == "review_requested"
    assert f"Added: {second.username.title()}. Removed: {first.username.title()}." in content(
        mails[first.username], "plain"
    )
    first.client.ok("PUT", f"{path}/notification_settings", json={"level": "disabled"})
    author.client.ok("PUT", f"{one}/merge")
    mails = received(world, box)
    assert set(mails) == {second.username}
    assert content(mails[second.username], "plain").startswith("The merge request was merged by")


def test_a_comment_on_a_line_names_the_file_and_the_line(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    path = f"/projects/{project['id']}"
    iid = world.merge_request(project, author, title="Sharper")["iid"]
    received(world, box)
    one = f"{path}/merge_requests/{iid}"
    refs = people[0].client.ok("GET", one)["diff_refs"]
    changed = people[0].client.ok("GET", f"{one}/diffs")[0]["new_path"]
    line = {**refs, "position_type": "text", "new_path": changed, "old_path": changed, "new_line": 1}
    people[0].client.ok("POST", f"{one}/discussions", json={"body": "Why?", "position": line})
    mail = received(world, box)[author.username]
    expected = f"{people[0].username.title()} commented on {changed}, line 1:"
    assert content(mail, "plain").startswith(expected)
    assert expected in content(mail, "html")


def test_a_review_is_one_mail_with_all_its_comments(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    reviewer, watcher, _ = people
    watcher.client.ok("PUT", f"/projects/{project['id']}/notification_settings", json={"level": "watch"})
    iid = world.merge_request(project, author, title="Rounder", reviewer_ids=[reviewer.id])["iid"]
    one = f"/projects/{project['id']}/merge_requests/{iid}"
    refs = reviewer.client.ok("GET", one)["diff_refs"]
    changed = reviewer.client.ok("GET", f"{one}/diffs")[0]["new_path"]
    line = {**refs, "position_type": "text", "new_path": changed, "old_path": changed, "new_line": 1}
    received(world, box)
    reviewer.client.ok("POST", f"{one}/draft_notes", json={"note": "Is *this* round?", "position": line})
    reviewer.client.ok("POST", f"{one}/draft_notes", json={"note": f"Ask @{watcher.username}, too."})
    reviewer.client.ok("POST", f"{one}/draft_notes/bulk_publish", json={"note": "Nearly."})
    mails = received(world, box)

    name = reviewer.username.title()
    assert {who: mail["X-GitLab-NotificationReason"] for who, mail in mails.items()} == {
        author.username: "participating", watcher.username: "mentioned",
    }  # fmt: skip
    text, html = (content(mails[author.username], kind) for kind in ("plain", "html"))
    assert text.startswith(f"{name} reviewed the merge request:\n\n{changed}, line 1:\n\nIs *this* round?\n\nComment:")
    assert text.index("Ask @") < text.index("Nearly.")
    assert f"/merge_requests/{iid}#note_" in html
    assert "<em>this</em>" in html

    reviewer.client.ok("POST", f"{one}/draft_notes", json={"note": "Only this."})
    reviewer.client.ok("POST", f"{one}/draft_notes/bulk_publish")
    assert content(received(world, box)[author.username], "plain").startswith(f"{name} commented:\n\nOnly this.")

    reviewer.client.ok("POST", f"{one}/draft_notes/bulk_publish", json={"reviewer_state": "requested_changes"})
    text = content(received(world, box)[author.username], "plain")
    assert text.startswith(f"{name} reviewed the merge request and requested changes.\n\n-- ")


def test_a_push_to_a_merge_request_names_its_commits(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    request = world.merge_request(project, author, title="Longer", assignee_ids=[people[0].id])
    created = received(world, box)[people[0].username]
    branch = request["source_branch"]
    assert content(created, "plain").startswith(
        f"{author.username.title()} created a merge request from {branch} into {request['target_branch']}."
    )
    for title in ("Add <one>", "Add two"):
        actions = [{"action": "create", "file_path": title, "content": title}]
        commit = {"branch": branch, "commit_message": title, "actions": actions}
        author.client.ok("POST", f"/projects/{project['id']}/repository/commits", json=commit)
        mail = received(world, box)[people[0].username]
    sha = author.client.ok("GET", f"/projects/{project['id']}/repository/branches/{branch}")["commit"]["id"]
    assert f"pushed new commits to the merge request.\n\n- {sha[:8]} Add two\n\n-- " in content(mail, "plain")
    assert f'/-/commit/{sha}">{sha[:8]}</a> Add two</li>' in content(mail, "html")


def test_every_mail_has_a_date_and_leads_to_the_settings(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    with world.server.services.db.write() as tx:
        queue_account_mail(tx, people[1].id, PASSWORD_CHANGED)
    issue = {"title": "Dull", "assignee_ids": [people[0].id]}
    author.client.ok("POST", f"/projects/{project['id']}/issues", json=issue)
    world.run_jobs()
    mails = list(box.mails)

    assert len(mails) == 2
    for mail in mails:
        assert abs(parsedate_to_datetime(str(mail["Date"])) - now()) < timedelta(hours=1)
        assert str(mail["Message-ID"]).startswith("<")
        assert mail["Auto-Submitted"] == "auto-generated"
    told = next(mail for mail in mails if str(mail["To"]).startswith(people[0].username))
    for kind in ("plain", "html"):
        assert "/-/profile/notifications" in content(told, kind)


def test_mails_have_the_messages_of_the_instance_where_the_administrator_wants_it(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    look = {"header_message": "Maintenance <today>", "footer_message": "Ask the desk"}
    for is_wanted in (True, False):
        wanted = {**look, "email_header_and_footer_enabled": is_wanted}
        world.server.client().ok("PUT", "/application/appearance", json=wanted)
        with world.server.services.db.write() as tx:
            queue_account_mail(tx, people[1].id, PASSWORD_CHANGED)
        issue = {"title": "Dull", "assignee_ids": [people[0].id]}
        author.client.ok("POST", f"/projects/{project['id']}/issues", json=issue)
        mails = received(world, box)
        told, account = mails[people[0].username], mails[people[1].username]

        for mail in (told, account):
            text = content(mail, "plain")
            assert text.startswith("Maintenance <today>\n\n") is is_wanted
            assert text.endswith("\n\nAsk the desk\n") is is_wanted
        html = content(told, "html")
        assert ("<body><p>Maintenance &lt;today&gt;</p><p>" in html) is is_wanted
        assert ("<p>Ask the desk</p></body>" in html) is is_wanted
    world.server.client().ok("PUT", "/application/appearance", json=dict.fromkeys(look, ""))


def test_levels_choose_what_is_mailed(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    first, second, stranger = people
    path = f"/projects/{project['id']}"
    first.client.ok("PUT", f"{path}/notification_settings", json={"level": "custom", "new_issue": True})
    second.client.ok("PUT", "/notification_settings", json={"level": "mention"})
    stranger.client.ok("PUT", "/notification_settings", json={"level": "watch"})
    issue = author.client.ok("POST", f"{path}/issues", json={"title": "One", "assignee_ids": [second.id]})
    assert set(received(world, box)) == {first.username}
    comment = {"body": f"@{second.username}?"}
    author.client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json=comment)
    assert set(received(world, box)) == {second.username}

    world.server.client().ok("POST", f"/users/{second.id}/block")
    author.client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json=comment)
    assert received(world, box) == {}
    author.client.ok("PUT", path, json={"emails_enabled": False})
    author.client.ok("POST", f"{path}/issues", json={"title": "Two"})
    assert received(world, box) == {}


def test_failed_and_repaired_pipelines_are_mailed_to_who_ran_them(
    world: World, box: Mailbox, author: Person, project: dict[str, Any], people: list[Person]
) -> None:
    path = f"/projects/{project['id']}"
    sha = author.client.ok("GET", f"{path}/repository/branches/main")["commit"]["id"]
    for state, subject in (("failed", "Failed"), ("success", "Fixed")):
        body = {"state": state, "name": "outside", "ref": "main"}
        people[0].client.ok("POST", f"{path}/statuses/{sha}", json=body)
        if state == "failed":
            mails = received(world, box)
            assert (
                mails[people[0].username]["Subject"] == f"{project['name']} | {subject} pipeline for main | {sha[:8]}"
            )
            assert "- outside: " in content(mails[people[0].username], "plain")
            sha = world.commit(project, "main", {"a": "a"})
    release = {"tag_name": "v#1", "ref": "main", "description": "Notes"}
    people[1].client.ok("PUT", f"{path}/notification_settings", json={"level": "watch"})
    author.client.ok("POST", f"{path}/releases", json=release)
    mails = received(world, box)
    assert "Fixed pipeline" in mails[people[0].username]["Subject"]
    assert mails[people[1].username]["Subject"] == f"{project['name']} | v#1 (new release)"
    assert "/-/releases/v%231\n" in content(mails[people[1].username], "plain").replace("\r", "")


def test_edits_dates_moves_and_auto_merge_are_mailed(
    world: World, author: Person, project: dict[str, Any], people: list[Person], box: Mailbox
) -> None:
    (first, second, stranger), call = people, author.client.ok
    place = f"/projects/{project['id']}"
    tomorrow = (now() + timedelta(days=1)).date().isoformat()
    body = {"title": "Paint", "description": f"@{first.username}", "due_date": tomorrow, "assignee_ids": [second.id]}
    issue = call("POST", f"{place}/issues", json=body)
    received(world, box)
    text = f"@{first.username} @{second.username} @{stranger.username} look"
    call("PUT", f"{place}/issues/{issue['iid']}", json={"description": text})
    mails = received(world, box)
    assert set(mails) == {second.username}
    assert "mentioned you in the issue" in content(mails[second.username], "plain")
    assert mails[second.username]["X-GitLab-NotificationReason"] == "mentioned"
    note = call("POST", f"{place}/issues/{issue['iid']}/notes", json={"body": f"@{first.username} look"})
    received(world, box)
    text = f"@{first.username} and @{second.username} and @{stranger.username} look"
    call("PUT", f"{place}/issues/{issue['iid']}/notes/{note['id']}", json={"body": text})
    mails = received(world, box)
    assert set(mails) == {second.username}
    assert "mentioned you in a comment" in content(mails[second.username], "plain")
    assert f"#note_{note['id']}" in content(mails[second.username], "plain")
    assert second.client.ok("GET", "/todos")[0]["target_url"].endswith(f"#note_{note['id']}")

    class Due:
        db = world.server.services.db

    mail_due_issues(Due())
    mails = received(world, box)
    assert set(mails) == {author.username, first.username, second.username}
    assert "due tomorrow" in content(mails[second.username], "plain")

    first.client.ok("PUT", f"{place}/notification_settings", json={"level": "custom", "moved_project": True})
    call("PUT", place, json={"path": world.name("moved")})
    moved = received(world, box)
    assert set(moved) == {first.username}
    assert "has moved to" in content(moved[first.username], "plain")

    ci = {"branch": "side", "start_branch": "main", "commit_message": "ci", "content": "a: {script: x}"}
    call("POST", f"{place}/repository/files/.gitlab-ci.yml", json=ci)
    request = {"source_branch": "side", "target_branch": "main", "title": "Waits", "assignee_ids": [second.id]}
    request = call("POST", f"{place}/merge_requests", json=request)
    received(world, box)
    call("PUT", f"{place}/merge_requests/{request['iid']}/merge", json={"auto_merge": True})
    mails = received(world, box)
    assert "merge automatically when all checks pass" in content(mails[second.username], "plain")
