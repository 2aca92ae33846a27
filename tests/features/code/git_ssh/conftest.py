"""One server with SSH for all tests of a module."""

from collections.abc import Iterator

import pytest

from tests.features.code.git_ssh.ssh_client import SshWorld, ssh_server
from tests.support.databases import Databases


@pytest.fixture(scope="module")
def ssh(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshWorld]:
    data = tmp_path_factory.mktemp("data")
    with ssh_server(databases.fresh(data), data) as server:
        world = SshWorld(server, tmp_path_factory.mktemp("ssh"))
        world.project()
        _, key = world.person()
        world.wait_for_ssh(key)
        yield world
