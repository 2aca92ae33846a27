"""Every kind of credential at every endpoint: each opens only the doors that are made for it."""

import pytest

from ingot.kit.endpoint import Endpoint
from tests.contract.conftest import people, scenery
from tests.features.people.scim.provider_side import make_scim_group
from tests.security.saml_groups import make_group
from tests.support import plain_http
from tests.support.runner import project_runner
from tests.support.walking import ENDPOINTS, READS, Scenery
from tests.support.world import Person, World

__all__ = ["people", "scenery"]

# Endpoints whose own parameter is a credential of another kind: runners, triggers, and what they reach.
SIGNED = [one for one in ENDPOINTS if one.guard.needs_user and not one.job_token]


@pytest.fixture(scope="module")
def foreign(world: World, scenery: Scenery) -> dict[str, str]:
    """One token of each kind that is no access token."""
    base = f"/projects/{scenery.project['id']}"
    return {
        "SCIM": make_scim_group(world).token,
        "runner": project_runner(world, scenery.project).token,
        "trigger": world.admin.ok("POST", f"{base}/triggers", json={"description": "x"})["token"],
    }


def send(scenery: Scenery, endpoint: Endpoint, headers: dict[str, str]) -> int:
    """The status of a call with nothing but these headers."""
    path = f"/api/v4{scenery.url(endpoint)}"
    return scenery.world.anonymous.http.request(endpoint.method, path, headers=headers).status_code


def test_tokens_of_runners_triggers_and_providers_are_no_access_tokens(
    scenery: Scenery, foreign: dict[str, str]
) -> None:
    wrong = []
    for number, endpoint in enumerate(SIGNED):
        kind = list(foreign)[number % len(foreign)]
        token = foreign[kind]
        for headers in ({"PRIVATE-TOKEN": token}, {"Authorization": f"Bearer {token}"}):
            status = send(scenery, endpoint, headers=headers)
            if status != 401:
                wrong.append((kind, endpoint.method, endpoint.path, status))
    assert wrong == []


def test_a_job_token_that_is_none_opens_nothing(scenery: Scenery, foreign: dict[str, str]) -> None:
    wrong = []
    for endpoint in ENDPOINTS:
        if endpoint.job_token and endpoint.guard.needs_user:
            for kind, token in foreign.items():
                status = send(scenery, endpoint, headers={"JOB-TOKEN": token})
                if status != 401:
                    wrong.append((kind, endpoint.method, endpoint.path, status))
    assert wrong == []


def test_other_sites_cannot_call_the_api_with_a_session_cookie(
    world: World, scenery: Scenery, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nor can anything write without the token of our forms."""
    group = make_group(world, tmp_path_factory.mktemp("idp"))
    name = world.name("browser")
    response = group.idp.response(name, f"{group.saml}/callback", attributes={"email": [f"{name}@x.example"]})
    with group.browser() as browser:
        cookie = group.post(browser, response).cookies["_ingot_session"]
    own = {"Cookie": f"_ingot_session={cookie}"}
    for endpoint in SIGNED:
        if endpoint.method not in READS:
            assert send(scenery, endpoint, headers=own) == 401, endpoint.path
    address = f"{world.server.url}/api/v4/user"
    assert plain_http.get(address, headers=own).json()["email"] == f"{name}@x.example"
    assert plain_http.get(address, headers={**own, "Sec-Fetch-Site": "cross-site"}).status_code == 401
    answer = plain_http.get(address, headers={**own, "Origin": "https://evil.example"})
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers


def test_sudo_is_for_administrators_with_its_scope(world: World, people: dict[str, Person]) -> None:
    admin = world.admin.ok("GET", "/user")["id"]
    without = world.token(admin, ["api"])
    cases = {people["owner"].token: 403, without: 403, world.token(admin, ["api", "sudo"]): 200}
    for token, status in cases.items():
        for options in ({"headers": {"Sudo": "walk-guest"}}, {"params": {"sudo": "walk-guest"}}):
            headers = {"PRIVATE-TOKEN": token, **options.get("headers", {})}
            answer = plain_http.get(f"{world.server.url}/api/v4/user", headers=headers, params=options.get("params"))
            assert answer.status_code == status, answer.text
            assert status != 200 or answer.json()["username"] == "walk-guest"
    assert plain_http.get(f"{world.server.url}/api/v4/projects", headers={"Sudo": "root"}).status_code == 401
