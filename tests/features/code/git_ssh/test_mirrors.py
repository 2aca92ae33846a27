"""Push mirrors over SSH."""

import pytest

from tests.features.code.git_ssh.ssh_client import SshWorld
from tests.support.waiting import until

pytestmark = pytest.mark.costly


def test_a_mirror_logs_in_with_its_own_key_and_remembers_the_host(ssh: SshWorld) -> None:
    source, target, call = ssh.project(), ssh.project(), ssh.server.call
    call("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    body = {"url": target["ssh_url_to_repo"], "auth_method": "ssh_public_key"}
    mirrors = f"/projects/{source['id']}/remote_mirrors"
    mirror = call("POST", mirrors, json=body)
    one = f"{mirrors}/{mirror['id']}"
    assert mirror["url"] == f"ssh://*****@127.0.0.1:{ssh.port}/{target['path_with_namespace']}.git"
    assert mirror["host_keys"] == []
    key = {"title": "mirror", "key": call("GET", f"{one}/public_key")["public_key"], "can_push": True}
    call("POST", f"/projects/{target['id']}/deploy_keys", json=key)
    (rule,) = call("GET", f"/projects/{target['id']}/protected_branches")
    call("PATCH", f"/projects/{target['id']}/protected_branches/{rule['name']}", json={"allow_force_push": True})

    call("PUT", one, json={"enabled": True})
    done = until(lambda: (shown := call("GET", one))["update_status"] in ("finished", "to_retry", "failed") and shown)

    assert (done["update_status"], done["last_error"]) == ("finished", None)
    heads = [call("GET", f"/projects/{one['id']}/repository/branches/main")["commit"]["id"] for one in (source, target)]
    assert heads[0] == heads[1]
    assert [one["fingerprint_sha256"][:7] for one in done["host_keys"]] == ["SHA256:"]
    other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
    call("PUT", one, json={"host_keys": [other]})
    call("POST", f"{one}/sync")
    wrong = until(lambda: (shown := call("GET", one))["update_status"] in ("to_retry", "failed") and shown)
    assert "Host key verification failed" in wrong["last_error"]
