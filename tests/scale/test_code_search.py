"""A rare word in much source is found quickly, and a large push is indexed within seconds."""

import os
import random
import statistics
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingot.events import Pushed, RefChange
from ingot.features.code.code_search import measure_index
from ingot.gitstore import refs
from ingot.gitstore.model import ZERO_ID
from ingot.kit.events import announce
from tests.support.code_index import index_code
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

MEGABYTES = int(os.environ.get("INGOT_TEST_SOURCE_MB", "1000"))
FILE = 10_000  # characters
NEEDLE = "xylograph"
PATIENCE = 4 * 3600.0


def write_tree(folder: Path, files: int, chance: random.Random) -> None:
    """Files of words from a large vocabulary, the common ones often, as in source."""
    size = min(200_000, 50 * files)
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 11))) for _ in range(size)]
    pool = chance.choices(words, [1 / (rank + 10) for rank in range(size)], k=10 * size)
    for number in range(files):
        at, parts, size = chance.randrange(len(pool) - 4_000), [], 0
        while size < FILE:
            line = "    " + "_".join(pool[at : at + 2]) + " = " + ".".join(pool[at + 2 : at + 4]) + f"({number % 97})"
            at, size = (at + 4) % (len(pool) - 10), size + len(line) + 1
            parts.append(line)
        place = folder / f"part{number % 100}" / f"module{number % 7}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"file{number}.py").write_text("\n".join(parts) + "\n")


def commit(world: World, project: dict[str, object], folder: Path, message: str) -> None:
    """Commit the folder and announce the push."""
    repository = world.repository(project)
    old = refs.find_branch(repository, "main")
    git = ["git", f"--git-dir={repository.path}", f"--work-tree={folder}", "-c", "gc.auto=0"]
    env = {**os.environ, "GIT_INDEX_FILE": str(folder.parent / "index")}
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    subprocess.run([*git, "symbolic-ref", "HEAD", "refs/heads/main"], check=True, env=env)
    subprocess.run([*git, "add", "--all", "."], check=True, cwd=folder, env=env)
    subprocess.run([*git, *who, "commit", "--quiet", "-m", message], check=True, cwd=folder, env=env)
    new = refs.find_branch(repository, "main")
    assert new is not None
    change = RefChange("refs/heads/main", old or ZERO_ID, new)
    announce(world.server.services, Pushed(int(str(project["id"])), 1, (change,)))


def search(owner: Person, words: str, times: int = 5) -> tuple[list[str], float]:
    """Paths that are found, and the usual time of the whole request."""
    spent = []
    for _ in range(times):
        begin = time.monotonic()
        answer = owner.client.get("/search", scope="blobs", search=words, headers={"Cache-Control": "no-cache"})
        spent.append(time.monotonic() - begin)
        assert answer.status_code == 200, answer.text
    return [hit["path"] for hit in answer.json()], statistics.median(spent)


@pytest.mark.parametrize(
    ("megabytes", "pushed"),
    [pytest.param(1, 50, id="little"), pytest.param(MEGABYTES, 1_000, marks=pytest.mark.scale, id="much")],
)
def test_rare_words_are_found_in_much_source(world: World, tmp_path: Path, megabytes: int, pushed: int) -> None:
    chance, owner = random.Random(11), world.user()
    project = world.project(owner)
    tree = tmp_path / "tree"
    write_tree(tree, megabytes * 1_000_000 // FILE, chance)
    (tree / "part1" / "rare.py").write_text(f"def {NEEDLE}():\n    pass\n")
    commit(world, project, tree, "Begin")
    begin = time.monotonic()
    index_code(world.server, PATIENCE)
    built = time.monotonic() - begin

    paths, rare = search(owner, NEEDLE)
    assert paths == ["part1/rare.py"]
    nothing, absent = search(owner, "no such phrase anywhere")
    assert nothing == []
    common_paths, common = search(owner, "file1", 3)
    assert len(common_paths) >= 11

    write_tree(tmp_path / "more", pushed, chance)
    (tmp_path / "more").rename(tree / "pushed")
    commit(world, project, tree, "Push many files")
    begin = time.monotonic()
    index_code(world.server, PATIENCE)
    followed = time.monotonic() - begin
    assert len(search(owner, "path:pushed", 1)[0]) == 20

    with world.server.services.db.read() as conn:
        size = measure_index(conn)
        # PostgreSQL collects new entries beside each of the two indexes (`gin_pending_list_limit`), then sorts them in.
        waiting = 2 * 4 * 1024 * 1024 if conn.dialect.name == "postgresql" else 0
    sys.stdout.write(
        f"\n{megabytes} MB of source: indexed in {built:.0f} s, takes {size.stored_bytes / 1e6:.0f} MB;"
        f" rare word {rare * 1000:.0f} ms, absent phrase {absent * 1000:.0f} ms, common path {common * 1000:.0f} ms;"
        f" push of {pushed} files indexed in {followed:.1f} s\n"
    )
    assert size.files == megabytes * 1_000_000 // FILE + 1 + pushed
    assert size.stored_bytes < 2 * size.source_bytes + 1_000_000 + waiting
