"""The walkthroughs tell the truth: their commands are run as they stand, in the group of the test."""

import os
import re
import subprocess
import textwrap
from pathlib import Path

from tests.features.people.saml.identity_provider import key_pair
from tests.features.people.saml.organisation import Organisation

PAGE = (Path(__file__).parents[4] / "docs" / "saml-walkthroughs.md").read_text()
BLOCK = re.compile(r"^( +)curl .*(?:\n\1 .*)*", re.MULTILINE)


def test_the_commands_of_the_walkthroughs_configure_a_provider(org: Organisation, tmp_path: Path) -> None:
    client = org.owner.client
    (tmp_path / "idp.pem").write_text(key_pair("idp")[1])
    values = {**os.environ, "URL": org.world.server.url, "TOKEN": org.owner.token}
    commands = [textwrap.dedent(match[0]) for match in BLOCK.finditer(PAGE)]

    providers = []
    for command in commands:
        mine = command.replace("groups/acme/", f"groups/{org.path}/").replace("curl ", "curl --fail --silent ", 1)
        subprocess.run(["sh", "-ec", mine], env=values, cwd=tmp_path, check=True, timeout=300, capture_output=True)
        providers.append(client.ok("GET", f"/groups/{org.id}/saml_provider"))

    placeholder, keycloak, entra, okta, linked = providers
    assert (placeholder["enabled"], keycloak["enabled"]) == (False, True)
    assert "keycloak" in keycloak["sso_url"]
    assert "microsoftonline" in entra["sso_url"]
    assert "okta" in okta["sso_url"]
    assert okta["certificate"] is not None
    assert linked == okta
    assert [link["name"] for link in client.ok("GET", f"/groups/{org.id}/saml_group_links")] == ["developers"]
