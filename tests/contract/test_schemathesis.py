"""Arguments that nobody thought of: schemathesis reads the description and looks for answers that are faults."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import GenerationMode

from ingot import __version__
from ingot.kit.openapi import describe
from tests.support.server import ROOT_TOKEN
from tests.support.walking import ENDPOINTS, Scenery
from tests.support.world import World

pytestmark = pytest.mark.costly

SCHEMA = schemathesis.openapi.from_dict(describe(ENDPOINTS, __version__))
SCHEMA.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
# What ends the walk itself, or takes the ground from under it, is left out.
LEFT_OUT = (
    "/personal_access_tokens/self", "/application/settings",
    "/application/appearance", "/users/{id}/block", "/users/{id}/ban",
    "/projects/{id}/archive", "/projects/{id}/transfer", "/groups/{id}/transfer",
)  # fmt: skip
KEPT = ("/projects/{id}", "/groups/{id}", "/users/{id}")


@pytest.fixture(scope="module")
def address(scenery: Scenery) -> str:
    return f"{scenery.world.server.url}/api/v4"


@SCHEMA.exclude(path_regex="|".join(path.replace("{", r"\{") for path in LEFT_OUT)).parametrize()
@settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_argument_is_answered_with_a_fault(case: Any, address: str, scenery: Scenery) -> None:
    if case.method == "DELETE" and case.path in KEPT:
        return
    for name, value in scenery.identifiers(case.path).items():
        if name in case.path_parameters:
            case.path_parameters[name] = value

    reply = case.call(base_url=address, headers={"PRIVATE-TOKEN": ROOT_TOKEN})

    assert reply.status_code < 500, f"{case.method} {reply.url}: {reply.status_code} {reply.text[:300]}"


def test_the_server_is_still_well(world: World) -> None:
    assert world.admin.get("/version").status_code == 200
