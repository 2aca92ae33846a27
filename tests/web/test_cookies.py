"""Cookies that stand for a person."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from httpx import Response

from ingot.identity.sign_in_links import create_sign_in_path
from tests.support import plain_http
from tests.support.server import RunningServer
from tests.support.world import World
from tests.web.browsing import Visit, form_values


@pytest.fixture
def https(server: RunningServer) -> Iterator[RunningServer]:
    """The server as it is behind a proxy that speaks https."""
    services = server.services
    unset, services.settings = services.settings, replace(services.settings, base_url="https://git.example")
    yield server
    services.settings = unset


def set_cookies(answer: Response) -> dict[str, tuple[str, set[str]]]:
    """Value and attributes of each cookie that an answer sets."""
    result = {}
    for line in answer.headers.get_list("set-cookie"):
        (name, _, value), *attributes = (part.strip().partition("=") for part in line.split(";"))
        result[name] = value, {"".join(attribute) for attribute in attributes}
    return result


def test_over_https_the_session_has_a_name_that_no_neighbour_can_plant(https: RunningServer, world: World) -> None:
    person = world.user()
    with https.services.db.write() as tx:
        address = f"{https.url}{create_sign_in_path(tx, person.id)}"
    form = plain_http.get(address)
    cookies = "; ".join(f"{name}={value}" for name, (value, _) in set_cookies(form).items())
    entered = plain_http.post(address, data=form_values(Visit(form).tree), headers={"Cookie": cookies})
    value, attributes = set_cookies(entered)["__Host-ingot_session"]

    assert {"Secure", "HttpOnly", "Path=/"} <= attributes
    assert not any(attribute.startswith("Domain") for attribute in attributes)
    password = f"{https.url}/-/user_settings/password/edit"
    assert plain_http.get(password, headers={"Cookie": f"__Host-ingot_session={value}"}).status_code == 200
    assert plain_http.get(password, headers={"Cookie": f"_ingot_session={value}"}).status_code == 302


def test_only_over_https_browsers_are_told_to_stay_there(https: RunningServer) -> None:
    assert plain_http.get(f"{https.url}/users/sign_in").headers["strict-transport-security"] == "max-age=31536000"
    https.services.settings = replace(https.services.settings, base_url="")
    assert "strict-transport-security" not in plain_http.get(f"{https.url}/users/sign_in").headers
