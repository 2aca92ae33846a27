"""Every command in README and manual is run: here, one after another as a reader would, or where a table says."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from ingot.cli import cli
from ingot.testing import Ingot
from tests.operating.documented_commands import ELSEWHERE, NOT_RUN, PAGES_ELSEWHERE, ROOT, Command, documented_commands
from tests.support.waiting import until

pytestmark = pytest.mark.costly  # the instance of a reader is an embedded one
COMMANDS = documented_commands()
SERVE = "INGOT_ROOT_TOKEN=glpat-my-fixed-token-12345 .venv/bin/ingot serve --port 0"
TOKEN = "glpat-my-fixed-token-12345"


def is_run_here(command: Command) -> bool:
    known = any(map(command.begins_with, [*ELSEWHERE, *NOT_RUN, SERVE]))
    return not known and command.page not in PAGES_ELSEWHERE


class Reader:
    """Somebody who types the commands into a shell, with their own names, port and folders."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        (folder / "bin").mkdir()
        self._program("ingot", f'exec {sys.executable} -m ingot "$@"')
        self._program("curl", 'exec /usr/bin/curl --fail-with-body --silent --show-error "$@"')
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
        self.environment = {
            **inherited, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src"),
            "INGOT_DATA": str(self.data), "TOKEN": TOKEN, "GITLAB_TOKEN": TOKEN, "INGOT_SSH": "off",
        }  # fmt: skip
        (serve,) = [one.text for one in COMMANDS if one.begins_with(SERVE)]
        serve = serve.replace(".venv/bin/", "").replace('"$(mktemp -d)"', f'"{self.data}"')
        assert str(self.data) in serve
        self.server = subprocess.Popen(
            ["sh", "-c", f"exec env {serve}"], env=self.environment, cwd=folder, stdout=subprocess.PIPE, text=True
        )
        assert self.server.stdout is not None
        self.url = self.server.stdout.readline().removeprefix("Ingot is at ").strip()
        self.environment |= {"URL": self.url, "INGOT": self.url, "GITLAB": self.url}
        self.ingot = Ingot(self.url, TOKEN)
        self.restored = 0

    def _program(self, name: str, line: str) -> None:
        (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
        (self.folder / "bin" / name).chmod(0o755)

    def type(self, command: Command) -> str:
        """Run it; what it printed, or an AssertionError that names it."""
        place = self.data
        if command.begins_with("ingot restore"):
            self.restored += 1
            place = self.folder / f"restored{self.restored}"
        text = command.text.replace("http://127.0.0.1:8080", self.url).replace("@127.0.0.1:8080", f"@{self.url[7:]}")
        text = text.replace("https://git.example.com", self.url)
        text = text.replace("/var/lib/ingot", str(place)).replace("/backups/", f"{self.folder}/backups/")
        result = subprocess.run(
            ["bash", "-c", text], env=self.environment, cwd=self.folder, capture_output=True, text=True, timeout=580,
            check=False,
        )  # fmt: skip
        where = f"{command.page}: {command.text}"
        assert result.returncode == 0, f"{where}\n{result.stdout[-500:]}\n{result.stderr[-500:]}"
        return result.stdout

    def stop(self) -> None:
        self.server.terminate()
        self.server.communicate(timeout=120)
        assert self.server.returncode == 0


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    created = Reader(tmp_path_factory.mktemp("reader"))
    yield created
    created.stop()


def project_to_move(reader: Reader) -> None:
    """The project that lies on the other side before it is moved."""
    group: dict[str, Any] = reader.ingot.call("GET", "/groups/tools")
    reader.ingot.make_project("app", namespace_id=group["id"], files={"README.md": "Hello\n"})


def finished_export(reader: Reader) -> None:
    until(lambda: reader.ingot.call("GET", "/projects/tools%2Fapp/export")["export_status"] == "finished")


def free_place(reader: Reader) -> None:
    """The other side is another server: here the path has to be free."""
    reader.ingot.call("DELETE", "/projects/tools%2Fapp")


def clone(reader: Reader) -> None:
    subprocess.run(["git", "init", "--quiet", "."], cwd=reader.folder, check=True, timeout=120)
    subprocess.run(["git", "remote", "add", "origin", reader.url], cwd=reader.folder, check=True, timeout=120)


def group_with_certificate(reader: Reader) -> None:
    reader.ingot.make_group("acme")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=idp", "-keyout", "idp.key"]
    subprocess.run([*command, "-out", "idp.pem"], cwd=reader.folder, check=True, capture_output=True, timeout=300)


def scim_token(reader: Reader) -> None:
    reader.environment["SCIM_TOKEN"] = reader.ingot.call("POST", "/groups/acme/scim_token")["token"]


def backup_before_upgrade(reader: Reader) -> None:
    reader.type(Command("operating.md", "ingot backup /backups/before-upgrade"))


def application(reader: Reader) -> None:
    body = {"name": "lamp", "redirect_uri": "http://127.0.0.1/", "scopes": "read_user", "confidential": False}
    reader.environment["ID"] = reader.ingot.call("POST", "/applications", body)["application_id"]


# What the page's text asks for before a command.
BEFORE: dict[str, Callable[[Reader], None]] = {
    'curl --request POST --header "PRIVATE-TOKEN: $GITLAB_TOKEN"': project_to_move,
    'curl --header "PRIVATE-TOKEN: $GITLAB_TOKEN" --output app.tar.gz': finished_export,
    'curl --header "PRIVATE-TOKEN: $TOKEN" --form "path=app"': free_place,
    "git remote set-url": clone,
    'curl -X PUT -H "PRIVATE-TOKEN: $TOKEN" "$URL/api/v4/groups/acme/saml_provider"': group_with_certificate,
    'curl -H "Authorization: Bearer $SCIM_TOKEN"': scim_token,
    'curl --data "client_id=$ID': application,
    "ingot restore /backups/before-upgrade": backup_before_upgrade,
}


def test_every_command_works_as_it_stands(reader: Reader) -> None:
    for command in filter(is_run_here, COMMANDS):
        for prepare in (step for words, step in BEFORE.items() if command.begins_with(words)):
            prepare(reader)
        reader.type(command)

    assert (reader.folder / "forge" / "README.md").exists()
    assert (reader.folder / "restored1" / "ingot.db").exists()
    assert {user["username"] for user in reader.ingot.call("GET", "/users")} >= {"root", "ann"}
    until(lambda: reader.ingot.call("GET", "/projects/tools%2Fapp/import")["import_status"] == "finished")
    example = re.search(r"    import gitlab\n(?:    .*\n)+", (ROOT / "docs" / "getting-started.md").read_text())
    assert example is not None
    script = f"TOKEN = {TOKEN!r}\n" + re.sub("^    ", "", example[0], flags=re.MULTILINE)
    shown = subprocess.run(
        [sys.executable, "-c", script.replace("http://127.0.0.1:8080", reader.url)],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert shown.stdout == f"{reader.url}/root/forge\n"


def test_the_tables_of_other_commands_are_current() -> None:
    used = [words for words in [*ELSEWHERE, *NOT_RUN] if any(one.begins_with(words) for one in COMMANDS)]

    assert used == [*ELSEWHERE, *NOT_RUN]
    assert [path for path in PAGES_ELSEWHERE.values() if not (ROOT / path).exists()] == []
    wrong = [path for path, piece in ELSEWHERE.values() if piece not in (ROOT / path).read_text()]
    assert wrong == []


def test_commands_in_sentences_exist_with_their_options() -> None:
    """`ingot …` in the middle of a text: the command is there, and so is each option."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    spans = {span for page in pages for span in re.findall(r"`ingot ([a-z][^`\n]*)`", page.read_text())}
    top = typer.main.get_command(cli)
    wrong = []
    for span in spans:
        place: Any = top
        for word in re.split(r"[\s,]+", span):
            if word in getattr(place, "commands", {}):
                place = place.commands[word]
        known = {name for parameter in place.params for name in (*parameter.opts, *parameter.secondary_opts)}
        options = set(re.findall(r"--[a-z][a-z-]*", span)) - {"--json"}
        if place is top or not options <= known | {"--help"}:
            wrong.append(f"ingot {span}: {json.dumps(sorted(options - known))}")

    assert len(spans) > 20
    assert wrong == []
