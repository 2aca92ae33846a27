"""The password grant, on a server where it is switched on."""

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import delete, insert, select, update

from ingot.identity import second_factors
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.rate_windows import rate_windows
from tests.features.people.oauth.flows import Application, bearer, token
from tests.support.databases import Databases
from tests.support.faults import no_listener_fails
from tests.support.server import RunningServer
from tests.support.world import World

PASSWORD = "Right-Password-47"


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server whose operator allows the grant."""
    data = tmp_path_factory.mktemp("data")
    options = {"oauth_password_grant": True, "smtp_url": "smtp://127.0.0.1:9"}
    with no_listener_fails(), RunningServer(databases.fresh(data), data, **options) as running:
        yield running


@pytest.fixture(autouse=True)
def _a_minute_later(server: RunningServer) -> None:
    """Attempts of other tests, from the same address, count no more."""
    with server.services.db.write() as tx:
        tx.execute(delete(rate_windows))


def test_a_password_becomes_a_token(world: World) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)

    answer = token(world, grant_type="password", username=person.username, password=PASSWORD)

    assert answer.json()["scope"] == "api"
    assert bearer(world, answer.json()["access_token"], "/user").json()["id"] == person.id
    renewed = token(world, grant_type="refresh_token", refresh_token=answer.json()["refresh_token"])
    assert bearer(world, renewed.json()["access_token"], "/user").json()["id"] == person.id


def test_a_right_password_forgets_the_failures_before_it(world: World) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    body = {"grant_type": "password", "username": person.username}
    count = select(users.c.failed_attempts).where(users.c.id == person.id)

    assert token(world, **body, password="wrong").json()["error"] == "invalid_grant"
    with world.server.services.db.read() as conn:
        assert conn.execute(count).scalar_one() == 1
    assert token(world, **body, password=PASSWORD).status_code == 200
    with world.server.services.db.read() as conn:
        assert conn.execute(count).scalar_one() == 0


def test_the_instance_may_ask_for_an_application(world: World) -> None:
    person, app = world.user(password=PASSWORD, force_random_password=False), Application(world, scopes="read_user")
    world.admin.ok("PUT", "/application/settings", json={"ropc_without_client_credentials": False})
    body = {"grant_type": "password", "username": person.username, "password": PASSWORD}
    try:
        assert token(world, **body).json()["error"] == "invalid_client"
        assert token(world, **body, **app.credentials).json()["scope"] == "read_user"
        assert token(world, **body, scope="api", **app.credentials).json()["error"] == "invalid_scope"
    finally:
        world.admin.ok("PUT", "/application/settings", json={"ropc_without_client_credentials": True})


def test_somebody_who_registered_confirms_the_address_first(world: World) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    body = {"grant_type": "password", "username": person.username, "password": PASSWORD}
    with world.server.services.db.write() as tx:
        tx.execute(update(users).where(users.c.id == person.id).values(confirmed_at=None, profile={"registered": True}))

    assert token(world, **body).json()["error"] == "invalid_grant"
    with world.server.services.db.write() as tx:
        tx.execute(update(users).where(users.c.id == person.id).values(confirmed_at=now()))
    assert token(world, **body).status_code == 200


def test_it_ends_where_people_do_not_sign_in_with_passwords(world: World) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    body = {"grant_type": "password", "username": person.username, "password": PASSWORD}
    of_directory = world.user(password=PASSWORD, force_random_password=False)
    entry = {"provider": "ldapmain", "extern_uid": f"uid={of_directory.username},dc=corp"}
    world.admin.ok("PUT", f"/users/{of_directory.id}", json=entry)
    assert token(world, **{**body, "username": of_directory.username}).json()["error"] == "invalid_grant"
    world.admin.ok("PUT", "/application/settings", json={"password_authentication_enabled_for_web": False})
    try:
        assert token(world, **body).json()["error"] == "invalid_grant"
    finally:
        world.admin.ok("PUT", "/application/settings", json={"password_authentication_enabled_for_web": True})


def test_it_does_not_pass_by_a_second_factor_nor_a_block_nor_the_limit(world: World) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    body = {"grant_type": "password", "username": person.username, "password": PASSWORD}
    with world.server.services.db.write() as tx:
        second_factors.enable(tx, world.server.services, person.id, second_factors.new_secret(), 0)
    assert token(world, **body).json()["error"] == "invalid_grant"
    blocked = world.user(password=PASSWORD, force_random_password=False)
    world.admin.ok("POST", f"/users/{blocked.id}/block")
    assert token(world, **{**body, "username": blocked.username}).json()["error"] == "invalid_grant"

    victim = world.user(password=PASSWORD, force_random_password=False)
    this_minute = int(time.time()) // 60 * 60
    windows = [
        {"key": f"password:{victim.id}", "starts_at": this_minute + 60 * n, "period": 60, "observed": 5}
        for n in range(30)
    ]
    with world.server.services.db.write() as tx:
        tx.execute(insert(rate_windows), windows)
    assert token(world, **{**body, "username": victim.username}).json()["error"] == "invalid_grant"
