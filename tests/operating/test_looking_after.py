"""The commands that look after an instance: users, tokens, projects and settings, for people and for programs."""

import json
import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from ingot import settings
from tests.operating.test_command_line import ingot, refused

pytestmark = [pytest.mark.long, pytest.mark.costly]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an instance."""
    place = tmp_path_factory.mktemp("instance")
    assert ingot("init", cwd=place).returncode == 0
    return place


def said(result: subprocess.CompletedProcess[str]) -> str:
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    "words",
    [("doctor",), ("worker",), ("backup", "there"), ("export", "1", "x.tar.gz"), ("jobs", "list"), ("user", "list")],
    ids=" ".join,
)
def test_only_serving_setting_up_and_restoring_make_an_instance(tmp_path: Path, words: tuple[str, ...]) -> None:
    refused(ingot(*words, cwd=tmp_path), f"There is no instance in {tmp_path / 'data'}. Create one with `ingot init`,")

    assert list(tmp_path.iterdir()) == []


def test_users_are_listed_shown_blocked_and_deleted(folder: Path) -> None:
    said(ingot("user", "create", "smith", "--email", "smith@example.com", "--name", "Ada Smith", cwd=folder))

    assert "smith@example.com" in said(ingot("user", "list", cwd=folder))
    assert [row["username"] for row in json.loads(said(ingot("user", "list", "--json", cwd=folder)))] == [
        "smith",
        "root",
    ]
    assert re.search(r"^name +Ada Smith$", said(ingot("user", "show", "smith", cwd=folder)), re.MULTILINE)
    assert said(ingot("user", "block", "smith", cwd=folder)) == "smith is now blocked.\n"
    assert json.loads(said(ingot("user", "show", "smith", "--json", cwd=folder)))["state"] == "blocked"
    assert said(ingot("user", "unblock", "smith", cwd=folder)) == "smith is now active.\n"
    refused(
        ingot("user", "block", "root", cwd=folder),
        "root is the only administrator. Create another administrator first.",
    )
    refused(ingot("user", "delete", "root", "--yes", cwd=folder), "root is the only administrator. Create another")
    assert ingot("user", "delete", "smith", cwd=folder).returncode == 1  # nobody answers the question
    assert said(ingot("user", "delete", "smith", "--yes", cwd=folder)) == "smith was deleted.\n"
    refused(
        ingot("user", "show", "smith", cwd=folder), "There is no user smith. Run `ingot user list` to see all users."
    )


def test_tokens_are_listed_and_revoked(folder: Path) -> None:
    said(ingot("token", "create", "root", "--name", "for tests", cwd=folder))

    (row,) = [one for one in tokens(folder) if one["name"] == "for tests"]
    assert (row["active"], row["scopes"]) == (True, ["api"])
    assert said(ingot("token", "revoke", str(row["id"]), cwd=folder)) == f"Token {row['id']} was revoked.\n"
    (row,) = [one for one in tokens(folder) if one["name"] == "for tests"]
    assert (row["active"], row["revoked"]) == (False, True)
    refused(
        ingot("token", "revoke", "4711", cwd=folder),
        "There is no token 4711. Run `ingot token list",
    )


def tokens(folder: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(said(ingot("token", "list", "root", "--json", cwd=folder)))
    return rows


def test_settings_are_read_and_changed(folder: Path) -> None:
    assert said(ingot("settings", "set", "max_artifacts_size", "50", cwd=folder)) == "max_artifacts_size is 50.\n"
    assert said(ingot("settings", "get", "max_artifacts_size", cwd=folder)) == "50\n"
    assert json.loads(said(ingot("settings", "get", "--json", cwd=folder)))["max_artifacts_size"] == 50
    refused(ingot("settings", "get", "max_artifact_size", cwd=folder), "There is no setting max_artifact_size (did you")
    much = ingot("settings", "set", "max_artifacts_size", "much", cwd=folder)
    refused(much, "max_artifacts_size is invalid; expected a whole number; current value: 50.")
    refused(ingot("settings", "set", "max_artifacts_size", "-1", cwd=folder), "max_artifacts_size must be greater than")
    refused(ingot("settings", "get", "", cwd=folder), "There is no setting without a name (`ingot settings get` lists")


def test_a_failed_import_leaves_nothing_and_exports_overwrite_nothing(folder: Path) -> None:
    (folder / "broken.tar.gz").write_text("no archive")

    failed = ingot("import", "broken.tar.gz", "root/broken", cwd=folder)

    refused(failed, "The import failed and was rolled back: ")
    assert json.loads(said(ingot("project", "list", "--json", cwd=folder))) == []
    refused(
        ingot("project", "show", "root/broken", cwd=folder),
        "There is no project root/broken. Run `ingot",
    )
    assert list((folder / "data/repositories").rglob("*.git")) == []


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"INGOT_PRT": "1"}, "Invalid setting: unknown variable INGOT_PRT (did you mean INGOT_PORT?)."),
        (
            {"INGOT_CONFIG": "nowhere.toml"},
            "Invalid setting: INGOT_CONFIG points to nowhere.toml, which is not a file;",
        ),
        (
            {"INGOT_DATABASE_URL": "mysql://a:secret@b/c"},
            "Invalid setting: database_url must begin with sqlite: or postgresql:, not mysql:.",
        ),
    ],
    ids=str,
)
def test_variables_that_would_be_ignored_are_refused(tmp_path: Path, variables: dict[str, str], sentence: str) -> None:
    refused(ingot("serve", cwd=tmp_path, **variables), sentence)


def test_settings_that_mean_nothing_any_more_stop_no_upgrade(tmp_path: Path) -> None:
    file = tmp_path / "ingot.toml"
    file.write_text("token_cache_seconds = 5\nport = 9001\n")

    loaded = settings.load(environment={"INGOT_CONFIG": str(file), "INGOT_TOKEN_CACHE_SECONDS": "0"})

    assert loaded.port == 9001


def test_the_version_is_an_option_too(tmp_path: Path) -> None:
    told = said(ingot("version", cwd=tmp_path))

    assert said(ingot("--version", cwd=tmp_path)) == told
    assert told == f"ingot {json.loads(said(ingot('version', '--json', cwd=tmp_path)))['version']}\n"


def test_the_unit_of_systemd_holds_the_settings_but_no_secrets(tmp_path: Path) -> None:
    names = [spec.name for spec in fields(settings.Settings) if re.search("secret|password$|token$|^smtp", spec.name)]
    secrets = {f"INGOT_{name.upper()}": "deadbeef" for name in names}
    unit = said(
        ingot(
            "service",
            "install",
            "--user",
            "git",
            cwd=tmp_path,
            INGOT_PORT="9000",
            **secrets,
            INGOT_REPOSITORY_STORAGES="a=/mnt/a,b=data/b",
        )
    )

    assert f'Environment="INGOT_DATA={tmp_path / "data"}"\nEnvironment="INGOT_PORT=9000"\n' in unit
    assert f"ReadWritePaths={tmp_path / 'data'} /mnt/a\n" in unit
    assert "User=git\n" in unit
    assert f"# Secrets, one NAME=value per line: {', '.join(secrets)}\n" in unit
    assert "deadbeef" not in unit
    assert list(tmp_path.iterdir()) == []
