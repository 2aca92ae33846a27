"""A real client of the original: signing in, users and tokens."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import gitlab
import pytest

from tests.support.server import ROOT_TOKEN
from tests.support.world import World


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=ROOT_TOKEN) as created:
        yield created


def test_signing_in(client: gitlab.Gitlab) -> None:
    client.auth()

    assert client.user is not None
    assert client.user.username == "root"
    assert client.version()[0] == "17.9.0-ee"


def test_a_wrong_token_is_an_authentication_error(world: World) -> None:
    with (
        gitlab.Gitlab(world.server.url, private_token="glpat-wrong-wrong-wrong-1") as stranger,
        pytest.raises(gitlab.GitlabAuthenticationError, match="401 Unauthorized"),
    ):
        stranger.auth()


def test_users_from_creation_to_removal(client: gitlab.Gitlab) -> None:
    user = client.users.create(
        {"email": "py@example.com", "username": "py-user", "name": "Py", "force_random_password": True}
    )
    user.bio = "written by a client"
    user.save()

    assert client.users.get(user.id).bio == "written by a client"
    assert client.users.list(username="py-user")[0].id == user.id
    assert user.block() is True
    assert client.users.get(user.id).state == "blocked"
    assert user.unblock() is True
    user.delete()
    with pytest.raises(gitlab.GitlabGetError, match="404 User Not Found"):
        client.users.get(user.id)


def test_lists_are_followed_by_offset_and_by_key(client: gitlab.Gitlab, world: World) -> None:
    created = {world.user(world.name("listed")).id for _ in range(5)}

    by_offset = {user.id for user in client.users.list(search="listed", per_page=2, iterator=True)}
    by_key = {
        user.id
        for user in client.users.list(
            search="listed", per_page=2, iterator=True, pagination="keyset", order_by="username", sort="asc"
        )
    }

    assert by_offset == created
    assert by_key == created


def test_tokens_from_creation_to_revocation(client: gitlab.Gitlab, world: World) -> None:
    person = world.user()
    expiry = (datetime.now(UTC) + timedelta(days=10)).date().isoformat()

    token = client.users.get(person.id).personal_access_tokens.create(
        {"name": "robot", "scopes": ["api"], "expires_at": expiry}
    )
    with gitlab.Gitlab(world.server.url, private_token=token.token) as robot:
        robot.auth()
        assert robot.user is not None
        assert robot.user.id == person.id
        own = robot.personal_access_tokens.get("self")
        assert own.id == token.id
        own.rotate(self_rotate=True)
    with gitlab.Gitlab(world.server.url, private_token=own.token) as robot:
        robot.auth()
        robot.personal_access_tokens.get("self").delete()
        with pytest.raises(gitlab.GitlabAuthenticationError):
            robot.auth()


def test_impersonation_tokens_and_sudo(client: gitlab.Gitlab, world: World) -> None:
    person = world.user()

    token = client.users.get(person.id).impersonationtokens.create({"name": "imp", "scopes": ["read_user"]})
    with gitlab.Gitlab(world.server.url, private_token=token.token) as robot:
        robot.auth()
        assert robot.user is not None
        assert robot.user.id == person.id
    token.delete()
    assert client.http_get("/user", sudo=person.username)["id"] == person.id


def test_account_details(client: gitlab.Gitlab, world: World) -> None:
    client.auth()
    assert client.user is not None

    client.user.status.get()
    email = client.user.emails.create({"email": "second-root@example.com"})
    assert [one.id for one in client.user.emails.list(get_all=True)] == [email.id]
    email.delete()


def test_settings_and_features(client: gitlab.Gitlab) -> None:
    settings = client.settings.get()
    settings.max_import_size = 7
    settings.save()
    assert client.settings.get().max_import_size == 7
    settings.max_import_size = 0
    settings.save()

    client.features.set("mr_approved_filter", True)
    [flag] = client.features.list(get_all=True)
    assert flag.state == "on"
    flag.delete()
    assert client.features.list(get_all=True) == []


def test_access_tokens_of_projects_and_groups(world: World) -> None:
    owner = world.user()
    home = world.group(owner)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        group = client.groups.get(home["id"])
        project = client.projects.create({"name": "tool", "namespace_id": group.id})
        for item in (group, project):
            created = item.access_tokens.create({"name": "robot", "scopes": ["api"], "access_level": 30})
            with gitlab.Gitlab(world.server.url, private_token=created.token) as robot:
                robot.auth()
                assert robot.projects.get(project.id).name == "tool"
                mine = (robot.groups if item is group else robot.projects).get(item.id)
                renewed = mine.access_tokens.get(created.id, lazy=True)
                renewed.rotate(self_rotate=True)
            assert [one.active for one in item.access_tokens.list(state="active")] == [True]
            item.access_tokens.delete(renewed.id)
            assert item.access_tokens.list(state="active") == []
