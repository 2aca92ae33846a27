"""Nodes and workers are rolled to the next version one by one, and back, while people work.

The version before is the one of the last commit before the newest migration, out of git's history; where that is not
there, as in a shallow clone, only an invented next version is tried. `INGOT_TEST_OLD_SOURCES` names the folder `src` of
another one.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ingot.kit import schema
from ingot.kit.db import Database
from tests.scale.changes import CHANGES
from tests.scale.checks import check_logs, check_promises, wait_for_the_queue
from tests.scale.cluster import ROOT, Cluster, Process, running_cluster
from tests.scale.doubled import doubled
from tests.scale.ledger import Ledger
from tests.scale.load import Load, available
from tests.scale.progress import say
from tests.support.waiting import until


def next_version(folder: Path) -> Path:
    """The sources of a version that adds to tables which every request uses."""
    sources = folder / "next"
    shutil.copytree(ROOT / "src", sources, ignore=shutil.ignore_patterns("__pycache__"))
    place = sources / "ingot" / "migrations" / "versions"
    before = schema.revisions()[-1]
    number = f"{int(before) + 1:04}"
    newest = next(place.glob(f"{before}_*.py")).read_text()
    down = newest.partition('down_revision = "')[2][:4]
    text = newest.replace(f'"{before}"', f'"{number}"').replace(f'"{down}"', f'"{before}"')
    (place / f"{number}_next.py").write_text(text)
    statements = [
        "ALTER TABLE projects ADD COLUMN rolled VARCHAR(8) DEFAULT 'new' NOT NULL",
        "ALTER TABLE users ADD COLUMN rolled BIGINT",
        "ALTER TABLE background_jobs ADD COLUMN rolled BOOLEAN DEFAULT false NOT NULL",
    ]
    (place / f"{number}_next.postgresql.sql").write_text("\n--;\n".join(statements))
    return sources


def roll(cluster: Cluster, sources: str, ledger: Ledger, processes: list[Process] | None = None) -> None:
    """Replace one process after another; each finishes what it has begun, and callers go to the other node."""
    for process in processes or [*cluster.nodes, *cluster.workers]:
        done = ledger.acknowledged
        assert process.stop() == 0
        process.start_with(PYTHONPATH=f"{sources}:.")
        if process in cluster.nodes:
            cluster.wait_ready(cluster.nodes.index(process))
        until(lambda before=done: ledger.acknowledged > before + 3)  # type: ignore[misc]


def old_sources(folder: Path) -> Path:
    """The sources of the version before the newest migration; skips the test where they cannot be had."""
    if given := os.environ.get("INGOT_TEST_OLD_SOURCES"):
        return Path(given).resolve()
    newest = f"src/ingot/migrations/versions/{schema.revisions()[-1]}_*.py"
    added = _git("log", "--diff-filter=A", "--format=%H", "-1", "--", newest).stdout.decode().strip()
    packed = _git("archive", f"{added}^", "src")
    if not added or packed.returncode != 0:
        sentence = "git's history does not reach the version before; only an invented next version is tried"
        say(sentence)
        pytest.skip(sentence)
    say(f"the version before is that before {_git('log', '-1', '--format=%h %s', added).stdout.decode().strip()}")
    place = folder / "before"
    place.mkdir()
    subprocess.run(["tar", "-x", "-C", str(place)], input=packed.stdout, check=True)
    return place / "src"


def _git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, check=False)


def revision(database: Database) -> str | None:
    with database.read() as conn:
        return schema.stored_revision(conn)


@pytest.mark.postgres
def test_one_node_of_the_next_version_works_beside_one_of_this(tmp_path: Path) -> None:
    before = schema.revisions()[-1]
    ledger = Ledger()
    sources = next_version(tmp_path)
    with running_cluster(tmp_path, workers=1) as cluster:
        database = Database(cluster.database_url)
        with Load(cluster.urls, ledger, [*available(cluster.urls), *CHANGES], threads=2):
            roll(cluster, str(sources), ledger, cluster.nodes[:1])
            upgraded = revision(database)
            # The worker and the other node are still of this version, and the first one becomes so again.
            roll(cluster, "src", ledger, cluster.nodes[:1])
        wait_for_the_queue(database)
        check_logs(cluster)
        check_promises(cluster, ledger.promises)
        assert doubled(database, cluster) == {}
        database.dispose()

    assert ledger.faults == []
    assert upgraded == f"{int(before) + 1:04}"


@pytest.mark.scale
@pytest.mark.postgres
def test_nodes_are_rolled_to_the_next_version_and_back_under_load(tmp_path: Path) -> None:
    before = schema.revisions()[-1]
    ledger = Ledger()
    sources = next_version(tmp_path)
    with running_cluster(tmp_path) as cluster:
        database = Database(cluster.database_url)
        with Load(cluster.urls, ledger, [*available(cluster.urls), *CHANGES], threads=2):
            roll(cluster, str(sources), ledger)
            upgraded = revision(database)
            roll(cluster, "src", ledger)
        wait_for_the_queue(database)
        check_logs(cluster)
        check_promises(cluster, ledger.promises)
        assert doubled(database, cluster) == {}
        output = cluster.nodes[0].output
        database.dispose()

    assert ledger.faults == []
    assert upgraded == f"{int(before) + 1:04}"
    assert f"this version (schema {before}) works on it" in output


@pytest.mark.scale
@pytest.mark.postgres
def test_nodes_of_an_earlier_version_are_rolled_to_this_one(tmp_path: Path) -> None:
    ledger = Ledger()
    before = old_sources(tmp_path)
    with running_cluster(tmp_path, settings={"PYTHONPATH": f"{before}:."}) as cluster:
        database = Database(cluster.database_url)
        begun_at = revision(database) or ""
        with Load(cluster.urls, ledger, [*available(cluster.urls), *CHANGES], threads=2):
            roll(cluster, "src", ledger)
            upgraded = revision(database)
            # Versions before schema 0046 refuse to start on a newer database.
            if begun_at >= "0046":
                roll(cluster, str(before), ledger)
        wait_for_the_queue(database)
        check_logs(cluster)
        check_promises(cluster, ledger.promises)
        assert doubled(database, cluster) == {}
        database.dispose()

    print(begun_at, upgraded, ledger.acknowledged, dict(ledger.answers))  # noqa: T201 - figures of the long form
    assert ledger.faults == []
    assert upgraded == schema.revisions()[-1]
    assert begun_at < upgraded
