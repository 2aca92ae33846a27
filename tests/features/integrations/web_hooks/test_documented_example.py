"""The page about web hooks tells the truth: its commands are run as they stand."""

import os
import re
import subprocess
from pathlib import Path

from tests.support.receiver import Receiver
from tests.support.world import World

PAGE = (Path(__file__).parents[4] / "docs" / "web-hooks.md").read_text()


def test_the_commands_of_the_page_make_a_hook_that_tells_of_an_issue(open_world: World, receiver: Receiver) -> None:
    owner = open_world.user()
    project = open_world.project(owner)
    [commands] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    values = {
        "URL": open_world.server.url,
        "TOKEN": owner.token,
        "PROJECT": str(project["id"]),
        "RECEIVER": f"{receiver.url}/documented/",
    }

    subprocess.run(["sh", "-ec", commands], env={**os.environ, **values}, check=True, timeout=120, capture_output=True)
    open_world.server.run_jobs()

    [arrived] = receiver.received("/documented/")
    assert arrived.headers["X-Gitlab-Event"] == "Issue Hook"
    assert arrived.headers["X-Gitlab-Token"] == "only-we-know"
    assert arrived.body["object_kind"] == "issue"
    assert arrived.body["object_attributes"]["title"] == "The hinge squeaks"
    assert arrived.body["object_attributes"]["action"] == "open"
