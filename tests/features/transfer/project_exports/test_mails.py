"""Mails about exports, through a real SMTP server."""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from ingot.kit.jobs import list_jobs
from tests.features.transfer.project_imports.making import archive, upload
from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.server import RunningServer
from tests.support.waiting import LIMIT
from tests.support.world import Person, World


class Letterbox:
    """Keeps what arrives."""

    def __init__(self) -> None:
        self.letters: list[Message] = []

    async def handle_DATA(self, _server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd looks for this name
        if not session.authenticated:
            return "530 Authentication required"
        self.letters.append(message_from_bytes(envelope.content, policy=default))
        return "250 OK"


def knows_the_password(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    return AuthResult(success=data == LoginPassword(b"post man", b"p:ss"))


@pytest.fixture(scope="module")
def letterbox() -> Iterator[tuple[Letterbox, str]]:
    box = Letterbox()
    controller = Controller(
        box,
        hostname="127.0.0.1",
        port=free_port(),
        ready_timeout=LIMIT,
        authenticator=knows_the_password,
        auth_require_tls=False,
    )
    controller.start()
    yield box, f"smtp://post%20man:p%3Ass@127.0.0.1:{controller.port}"
    controller.stop()


@pytest.fixture(scope="module")
def mailing(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory, letterbox: tuple[Letterbox, str]
) -> Iterator[World]:
    data: Path = tmp_path_factory.mktemp("mailing")
    with RunningServer(
        databases.fresh(data),
        data,
        outbound_allow_local=True,
        smtp_url=letterbox[1],
        mail_from="forge@ingot.example",
        worker=False,
    ) as running:
        yield World(running)


def test_whoever_asked_hears_that_the_archive_is_ready(mailing: World, letterbox: tuple[Letterbox, str]) -> None:
    box, _ = letterbox
    box.letters.clear()
    owner = mailing.user()
    project = mailing.project(owner)

    owner.client.post(f"/projects/{project['id']}/export")
    mailing.run_jobs()

    [letter] = box.letters
    assert (letter["From"], letter["Subject"]) == ("forge@ingot.example", f"{project['name']} | Project was exported")
    assert letter["To"] == owner.client.ok("GET", "/user")["email"]
    text = letter.get_payload()
    assert f"/api/v4/projects/{project['id']}/export/download" in str(text)
    assert "24 hours" in str(text)


def test_a_failed_upload_is_told_by_mail(mailing: World, letterbox: tuple[Letterbox, str]) -> None:
    box, _ = letterbox
    box.letters.clear()
    owner = mailing.user()
    project = mailing.project(owner)

    body = {"upload": {"url": f"http://127.0.0.1:{free_port()}/x?signature=hush"}}
    owner.client.ok("POST", f"/projects/{project['id']}/export", json=body)
    mailing.run_jobs()

    [letter] = box.letters
    assert letter["Subject"] == f"{project['name']} | Project export error"
    assert "could not be reached" in str(letter.get_payload())
    assert "hush" not in str(letter)


def test_an_export_that_fails_is_told_by_mail(mailing: World, letterbox: tuple[Letterbox, str]) -> None:
    box, _ = letterbox
    box.letters.clear()
    owner = mailing.user()
    project = mailing.project(owner, initialize_with_readme=True)
    repository = mailing.repository(project)
    for pack in [*Path(repository.path).rglob("*.pack"), *Path(repository.path).glob("objects/??/*")]:
        pack.unlink()

    owner.client.ok("POST", f"/projects/{project['id']}/export")
    mailing.run_jobs()
    result = owner.client.ok("GET", f"/projects/{project['id']}/export")

    assert result["export_status"] == "failed"
    assert result["export_error"]
    assert [letter["Subject"] for letter in box.letters] == [f"{project['name']} | Project export error"]


def test_a_mail_server_that_is_away_changes_nothing(databases: Databases, tmp_path: Path) -> None:
    away = f"smtp://127.0.0.1:{free_port()}"
    with RunningServer(databases.fresh(tmp_path), tmp_path, smtp_url=away, worker=False) as running:
        world = World(running)
        owner = world.user()
        project = world.project(owner)
        owner.client.post(f"/projects/{project['id']}/export")
        world.run_jobs()

        assert owner.client.ok("GET", f"/projects/{project['id']}/export")["export_status"] == "finished"


def test_an_invitation_waits_for_a_mail_server_that_is_away(databases: Databases, tmp_path: Path) -> None:
    away = f"smtp://127.0.0.1:{free_port()}"
    with RunningServer(databases.fresh(tmp_path), tmp_path, smtp_url=away, worker=False) as running:
        world = World(running)
        owner = world.user()
        project = world.project(owner)
        owner.client.post(f"/projects/{project['id']}/invitations", json={"email": "a@example.com", "access_level": 30})
        world.run_jobs()

        with running.services.db.read() as conn:
            (waiting,) = list_jobs(conn, kind="invitation_mail")
        assert waiting.state == "queued"
        assert waiting.attempts >= 1


def test_names_of_projects_cannot_add_headers(mailing: World, letterbox: tuple[Letterbox, str]) -> None:
    box, _ = letterbox
    box.letters.clear()
    owner = mailing.user()
    project = mailing.project(owner, name="Ünïcode ✓")

    owner.client.post(f"/projects/{project['id']}/export")
    mailing.run_jobs()

    [letter] = box.letters
    assert letter["Subject"] == "Ünïcode ✓ | Project was exported"
    assert letter["Bcc"] is None


def test_whoever_is_invited_hears_to_what(mailing: World, letterbox: tuple[Letterbox, str]) -> None:
    box, _ = letterbox
    box.letters.clear()
    owner = mailing.user()
    project = mailing.project(owner)
    group = mailing.group(owner)
    address = f"{mailing.name('guest')}@example.com"

    owner.client.ok("POST", f"/projects/{project['id']}/invitations", json={"email": address, "access_level": 30})
    owner.client.ok("POST", f"/groups/{group['id']}/invitations", json={"email": address, "access_level": 20})
    member = {"access_level": 20, "source_type": "Project", "invite_email": "far@example.com"}
    created = upload(
        Person(1, "root", mailing.admin, ""), archive(project_members=[member]), path=mailing.name("guests")
    )
    assert created.status_code == 201
    mailing.run_jobs()

    assert {(letter["To"], letter["Subject"]) for letter in box.letters} == {
        (address, f"Invitation to join the {project['name']} project"),
        (address, f"Invitation to join the {group['name']} group"),
        ("far@example.com", f"Invitation to join the {created.json()['name']} project"),
    }
    assert any("as Developer" in letter.get_content() for letter in box.letters)  # type: ignore[attr-defined]
