"""Identity providers are subject to the request limits of the API, where those are on."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.features.people.scim.provider_side import ScimGroup, make_scim_group, refusal
from tests.operating.test_rate_limits import lower_limit
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


@pytest.fixture
def limited(databases: Databases, tmp_path: Path) -> Iterator[ScimGroup]:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path) as unlimited:
        acme = make_scim_group(World(unlimited))
    with RunningServer(url, tmp_path, rate_limits=True) as running:
        lower_limit(running, "throttle_authenticated_api", 4)
        lower_limit(running, "throttle_unauthenticated_api", 2)
        acme.url = f"{running.url}/api/scim/v2/groups/{acme.org.path}"
        yield acme


def guess(acme: ScimGroup) -> httpx.Response:
    return acme.request("GET", headers={"Authorization": "Bearer wrong"})


def test_whoever_has_no_token_is_counted_by_address_together_with_the_api(limited: ScimGroup) -> None:
    answers = [guess(limited) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert answers[0].headers["RateLimit-Remaining"] == "1"
    assert refusal(answers[-1]) == (429, "Retry later")
    assert answers[-1].headers["RateLimit-Name"] == "throttle_unauthenticated_api"
    assert int(answers[-1].headers["Retry-After"]) > 0
    api = plain_http.get(limited.url.partition("/api/")[0] + "/api/v4/user", verify=False)
    assert api.status_code == 429
    assert limited.request("GET").status_code == 200


def test_the_holder_of_a_token_has_the_limit_of_those_who_are_known(limited: ScimGroup) -> None:
    answers = [limited.request("GET") for _ in range(5)]

    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    assert answers[0].headers["RateLimit-Remaining"] == "3"
    assert answers[-1].headers["RateLimit-Name"] == "throttle_authenticated_api"
    assert guess(limited).status_code == 401


def test_nothing_is_counted_by_default(acme: ScimGroup) -> None:
    assert "RateLimit-Limit" not in acme.request("GET").headers
