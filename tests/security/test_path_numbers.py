"""Numbers in addresses outside the API that no row can have: nothing is there, and nothing breaks."""

import pytest

from tests.support import plain_http
from tests.support.server import RunningServer

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
