"""How a repository lies on disk, compared with what git itself counts."""

from ingot.gitstore.health import examine
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder


def counted(build: Builder) -> dict[str, int]:
    lines = build.git("count-objects", "-v").splitlines()
    return {name: int(value) for name, _, value in (line.partition(": ") for line in lines)}


def test_loose_objects_and_refs_are_counted_as_git_counts_them(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a.txt": "1", "folder/b.txt": "2"})

    health = examine(repo)

    assert health.objects.loose_objects_count == counted(build)["count"]
    assert (health.objects.packfile_count, health.objects.stale_loose_objects_count) == (0, 0)
    assert health.references.loose_count == 1
    assert health.objects.size == health.objects.recent_size > 0
    assert health.size > health.objects.size
    assert (health.commit_graph, health.bitmap, health.multi_pack_index, health.last_full_repack) == (None,) * 4


def test_packs_and_indexes_are_found(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a.txt": "1"})
    build.git("repack", "-a", "-d", "--quiet", "--write-bitmap-index")
    build.git("pack-refs", "--all")
    build.commit("other", {"b.txt": "2"})
    build.git("repack", "-d", "--quiet", "--no-write-bitmap-index")
    build.git("commit-graph", "write", "--reachable", "--changed-paths")
    build.git("multi-pack-index", "write")

    health = examine(repo)

    assert health.objects.packfile_count == counted(build)["packs"] == 2
    assert health.objects.loose_objects_count == counted(build)["count"] == 0
    assert (health.references.loose_count, health.references.packed_size > 0) == (1, True)
    assert health.commit_graph is not None
    assert (health.commit_graph.has_bloom_filters, health.commit_graph.has_generation_data) == (True, True)
    assert health.commit_graph.commit_graph_chain_length == 0
    assert health.bitmap is not None
    assert (health.bitmap.version, health.bitmap.has_hash_cache) == (1, True)
    assert health.multi_pack_index is not None
    assert (health.multi_pack_index.packfile_count, health.multi_pack_index_bitmap) == (2, None)
    assert health.last_full_repack is not None

    (repo.path / "objects" / "info" / "commit-graph").unlink()
    for name in ("third", "fourth"):
        build.commit(name, {"c.txt": name})
        build.git("commit-graph", "write", "--reachable", "--split=no-merge")
    graph = examine(repo).commit_graph
    assert graph is not None
    assert (graph.commit_graph_chain_length, graph.has_bloom_filters) == (2, False)
