from pathlib import Path

from ingot.seed import plant
from tests.support.databases import Databases
from tests.support.server import RunningServer


def test_the_demo_world_is_planted_once_and_believable(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path) as server:
        first, second = plant(server.services), plant(server.services)
        admin = server.client()
        anvil = admin.ok("GET", "/projects/smithy%2Fanvil")
        requests = admin.ok("GET", f"/projects/{anvil['id']}/merge_requests?state=all")

        assert (first, second) == (True, False)
        assert (anvil["star_count"], anvil["visibility"], anvil["default_branch"]) == (3, "public", "main")
        assert {one["state"] for one in requests} == {"opened", "merged"}
        assert [one["title"] for one in requests if one["draft"]] == ["Draft: Round things"]
        assert [one["path"] for one in server.client(None).ok("GET", "/projects")] == ["anvil"]
        assert admin.ok("GET", "/personal_access_tokens?search=planting") == []
        assert "Say how to install" in [
            one["title"] for one in admin.ok("GET", f"/projects/{anvil['id']}/repository/commits")
        ]
