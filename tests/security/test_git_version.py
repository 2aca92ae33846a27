"""A git with known holes that a pushed file reaches: the program does not start with it, and says why."""

from pathlib import Path

import pytest

from ingot.gitstore.version import problem_with_version
from tests.operating.test_command_line import ingot

VERBS = (
    ("serve", "--port", "0"),
    ("init",),
    ("worker",),
    ("export", "group/project", "archive.tar.gz"),
    ("import", "archive.tar.gz", "group/project"),
)


def path_with_git(folder: Path, version: str) -> str:
    """A PATH whose git says that it is of this version."""
    program = folder / "git"
    program.write_text(f"#!/bin/sh\necho 'git version {version}'\n")
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_no_verb_works_with_an_unsafe_git(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = path_with_git(tmp_path, "2.39.0")

    result = ingot(*words, "--data", "data", cwd=tmp_path, PATH=path)

    assert result.returncode == 1
    assert result.stderr == (
        "ingot: git is not safe (git version 2.39.0): a vulnerability allows a pushed file to run code on "
        "this machine (CVE-2022-23521, CVE-2022-41903); Ingot needs git 2.38.3, 2.39.1 or newer.\n"
    )
    assert not (tmp_path / "data").exists()


def test_what_is_too_old_is_told_which_faults_it_has(tmp_path: Path) -> None:
    result = ingot("init", "--data", "data", cwd=tmp_path, PATH=path_with_git(tmp_path, "2.37.7"))

    assert result.returncode == 1
    assert result.stderr == (
        "ingot: The git version is too old (git version 2.37.7): a vulnerability allows a pushed file to run code on "
        "this machine (CVE-2022-23521, CVE-2022-41903), and it cannot merge without a working tree; "
        "Ingot needs git 2.38.3, 2.39.1 or newer.\n"
    )


@pytest.mark.parametrize("version", ["2.39.5", "2.38.3"])
def test_repaired_releases_start(tmp_path: Path, version: str) -> None:
    result = ingot("init", "--data", "data", cwd=tmp_path, PATH=path_with_git(tmp_path, version))

    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "version", ["1.9.1", "2.9.99", "2.30.2", "2.37.7", "2.38", "2.38.0", "2.38.2", "2.39", "2.39.0", "2.39.0.rc1"]
)
def test_releases_before_the_repair_are_refused(version: str) -> None:
    assert "Ingot needs git 2.38.3, 2.39.1 or newer" in (problem_with_version(f"git version {version}") or "")


@pytest.mark.parametrize(
    "version", ["2.38.3", "2.38.10", "2.39.1", "2.39.5", "2.39.5 (Apple Git-154)", "2.40.0", "2.47.3", "2.51", "3.0.0"]
)
def test_releases_with_the_repair_are_accepted(version: str) -> None:
    assert problem_with_version(f"git version {version}") is None


@pytest.mark.parametrize("answer", ["", "git", "not git at all 2.50.1", "git version two"])
def test_an_answer_without_a_version_is_refused(answer: str) -> None:
    assert "The git version is too old" in (problem_with_version(answer) or "")
