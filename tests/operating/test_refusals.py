"""Faults that are nobody's bug end a command with one sentence."""

import sqlite3
from pathlib import Path

import pytest

from ingot.backup.snapshot import copy_pinned
from ingot.cli.listening import bind
from ingot.cli.refusals import sentence_of


def test_a_copy_of_the_database_that_cannot_be_written(tmp_path: Path) -> None:
    source, target = sqlite3.connect(tmp_path / "ingot.db"), tmp_path / "copy.db"
    source.execute("CREATE TABLE numbers (n INTEGER)")
    target.mkdir()

    with pytest.raises(sqlite3.OperationalError) as caught:
        copy_pinned(source, target)
    source.close()

    known = "The database cannot be used: unable to open database file. Check the settings database_url"
    assert (sentence_of(caught.value) or "").startswith(known)


def test_a_bug_has_no_sentence() -> None:
    assert sentence_of(KeyError("x")) is None


def test_git_does_not_get_the_port_of_the_server() -> None:
    with bind("127.0.0.1", 0) as listener:  # a git that outlives its server would hold it
        assert not listener.get_inheritable()
