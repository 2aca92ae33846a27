"""Addresses outside the API that no row can have: nothing is there, and nothing breaks."""

from typing import Any

import pytest

from tests.support import plain_http
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World
from tests.web.browsing import Browser

LONG = "9" * 5000


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", f"/a/b.git/gitlab-lfs/objects/{'a' * 64}/{LONG}"),
        ("GET", f"/a/b/-/releases/v1/evidences/{LONG}.json"),
        ("GET", f"/-/project/{LONG}/uploads/{'a' * 32}/x.txt"),
        ("POST", f"/-/user_settings/personal_access_tokens/{LONG}/revoke"),
        ("GET", f"/a/b/-/issues/{LONG}"),
        ("GET", f"/a/b/-/releases/v1/evidences/{'9' * 30}.json"),
    ],
)
def test_a_number_that_no_row_has_names_nothing(server: RunningServer, method: str, path: str) -> None:
    assert plain_http.request(method, server.url + path).status_code in (404, 405)


@pytest.fixture(scope="module")
def project(world: World) -> dict[str, Any]:
    return world.project(initialize_with_readme=True)


@pytest.mark.parametrize(
    "path",
    [
        "{project}.git/gitlab-lfs/objects/%00",
        "{project}%00.git/gitlab-lfs/objects/a",
        "{project}%00.git/info/refs?service=git-upload-pack",
        "{project}/-/releases/%00/downloads/x",
        "{project}/-/raw/main/%00",
        "{project}/-/tree/%00/x",
        "{project}/-/commit/%00",
        "{project}/-/issues?labels=%00",
        "{project}%00",
        "groups/%00",
        "groups/%00/-/saml/metadata",
        "%00",
        "users/sign_in_link/%00",
        "users/sign_in?return_to=%00",
        "-/project/1/uploads/%00/x.txt",
        "{project}/uploads/%00/x.txt",
        "uploads/-/system/user/avatar/1/%00.png",
        "-/asset/%00/00",
        "-/asset/00/%00",
    ],
)
def test_a_zero_byte_names_nothing(world: World, project: dict[str, Any], path: str) -> None:
    """PostgreSQL refuses to be asked for one."""
    url = f"{world.server.url}/{path.format(project=project['path_with_namespace'])}"

    for credentials in ({}, {"PRIVATE-TOKEN": ROOT_TOKEN}):
        assert plain_http.get(url, headers=credentials).status_code < 500


def test_a_zero_byte_in_a_name_or_password_lets_nobody_in(world: World, project: dict[str, Any]) -> None:
    url = f"{world.server.url}/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"

    for login in ("root\0", "root", "\0"):
        assert plain_http.get(url, auth=(login, f"{ROOT_TOKEN}\0")).status_code == 401
    assert Browser(world.server).sign_in("root\0", "any\0").status in (400, 401, 429)
