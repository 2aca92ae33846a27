"""Every command, called wrongly in every way we could think of: one message, a status, and never a traceback."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer.main

from ingot.cli import cli
from tests.operating.test_command_line import environment

# Runs all invocations in one process, since starting two hundred takes minutes.
DRIVER = """
import contextlib, io, json, sys
from ingot.cli import main
results = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["ingot", *words]
    status = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code
        except BaseException as fault:
            status = f"{type(fault).__name__}: {fault}"
    results.append([words, status, err.getvalue()])
json.dump(results, sys.stdout)
"""


def commands(group: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    result = []
    for name, command in group.commands.items():
        here = (*path, name)
        result += commands(command, here) if hasattr(command, "commands") else [(here, command)]
    return result


COMMANDS = commands(typer.main.get_command(cli))


def bad_invocations() -> list[list[str]]:
    """Unknown options, too many words, missing words, values of the wrong kind, odd folders and databases."""
    result: list[list[str]] = [["nonsense"], ["--nonsense"], ["user", "nonsense"], ["user", "--nonsense"]]
    result.append(["doctor", "--database-url", "postgresql://127.0.0.1:1/x"])
    for path, command in COMMANDS:
        words = ["x" for parameter in command.params if parameter.param_type_name == "argument"]
        result.append([*path, *words, "--nonsense"])
        result.append([*path, *words, "one", "word", "too", "many"])
        options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
        required = [word for one in options if one.required for word in (one.opts[0], "x")]
        kinds = get_type_hints(command.callback)
        names = {one.name for one in options}
        if words:
            result.append([*path, *required])
        for option in options:
            if option.name in ("repair", "help") or option.is_flag:
                continue
            result.append([*path, *words, option.opts[0]])
            if "int" in str(kinds[option.name]):
                result.append([*path, *words, *required, option.opts[0], "many"])
                result.append([*path, *words, *required, option.opts[0], "-99999999999999999999999"])
        if "data" in names and path[0] not in ("serve", "init", "restore", "service"):
            result.append([*path, *words, *required, "--data", "nowhere"])
            result.append([*path, *words, *required, "--data", "/dev/null/x"])
            result.append([*path, *words, *required, "--data", ""])
        if "database_url" in names:
            result += [
                [*path, *words, *required, "--database-url", url]
                for url in ("nonsense", "mysql://a@b/c", "postgresql://[/x")
            ]
    return result


def unknown_names() -> list[list[str]]:
    """On an instance: names that nothing has, none at all, as of an unset variable, one that is no text, and lies."""
    result: list[list[str]] = [
        ["settings", "set", "signup_enabled", "maybe"],
        ["settings", "set", "no_such", "1"],
        ["user", "create", "root", "--email", "other@example.com"],
        ["user", "create", "ada", "--email", "nonsense"],
        ["user", "block", "root"],
        ["user", "delete", "root", "--yes"],
        ["token", "create", "root", "--scopes", "nonsense"],
        ["token", "revoke", "999999"],
        ["jobs", "retry", "999999"],
        ["jobs", "cancel", "999999"],
        ["export", "no/such", "archive.tar.gz"],
        ["import", "broken.tar.gz", "root/new"],
    ]
    named = ["show", "block", "unblock", "password", "delete", "sign-in-link", "disable-two-factor"]
    result += [["user", verb, ""] for verb in named]
    result += [["token", "list", ""], ["project", "show", ""], ["project", "delete", ""], ["settings", "get", ""]]
    result += [["user", "show", "\udce9"], ["project", "show", "\udce9"], ["project", "show", "no/such"]]
    return result


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[list[str], int | str | None, str]]:
    folder: Path = tmp_path_factory.mktemp("nowhere")
    instance = tmp_path_factory.mktemp("instance") / "data"
    subprocess.run([sys.executable, "-m", "ingot", "init", "--data", str(instance)], env=environment(), check=True)
    (folder / "broken.tar.gz").write_bytes(b"no archive")
    on_an_instance = [[*words, "--data", str(instance)] for words in unknown_names()]
    run = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps([*bad_invocations(), *on_an_instance]),
        capture_output=True, text=True, cwd=folder, env=environment(), timeout=600, check=True,
    )  # fmt: skip
    assert list(folder.rglob("ingot.db")) == [], "a command made an instance"
    return [(words, status, err) for words, status, err in json.loads(run.stdout)]


def test_none_succeeds_and_none_shows_a_trace(results: list[tuple[list[str], int | str | None, str]]) -> None:
    assert len(results) >= 200
    wrong = [
        (" ".join(words), status, err[-300:])
        for words, status, err in results
        if status not in (1, 2) or not err.strip() or "Traceback" in err
    ]

    assert wrong == []


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(path) for path, _ in COMMANDS])
def test_help_shows_the_default_of_every_option(path: tuple[str, ...], command: Any) -> None:
    silent = [
        parameter.opts[0]
        for parameter in command.params
        if parameter.param_type_name == "option"
        and not parameter.is_flag
        and not parameter.required
        and parameter.default is None
        and not isinstance(parameter.show_default, str)
    ]

    assert silent == []


def test_every_command_that_reads_prints_json() -> None:
    reading = [command for path, command in COMMANDS if path[-1] in ("list", "show", "get", "doctor", "version")]
    without = [one.name for one in reading if "--json" not in {word for given in one.params for word in given.opts}]

    assert len(reading) >= 9
    assert without == []
