"""An archive in which every documented key has a value: what goes in comes out again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingot.features.transfer.project_exports.children import REST_KEY
from tests.features.transfer.project_imports.making import archive, exported, files_of, imported, relation
from tests.support.world import World

# People become the importer, and numbers of other instances mean nothing here.
IDS = frozenset(
    {
        "project_id", "source_project_id", "target_project_id", "group_id", "author_id", "user_id", "updated_by_id",
        "closed_by_id", "last_edited_by_id", "merge_user_id", "merged_by_id", "latest_closed_by_id", "resolved_by_id",
        "owner_id", "author", "note",
    }
)  # fmt: skip
# Decided anew: drafts by their title, branches by what the repository has, no pushes from forks that are not here.
DECIDED = {
    "merge_requests[].draft", "merge_requests[].source_branch_sha", "merge_requests[].target_branch_sha",
    "merge_requests[].allow_maintainer_to_push",
}  # fmt: skip
# The parent's own moments stand for these.
MOMENTS = (
    "events[].",
    "system_note_metadata.",
    "priorities[].",
    "_access_levels[].",
    "custom_attributes[].",
    "auto_devops.",
)


def differences(given: Any, result: Any, place: str) -> Iterator[str]:
    if isinstance(given, dict) and isinstance(result, dict):
        for key, value in given.items():
            if key not in IDS:
                yield from differences(value, result.get(key), f"{place}.{key}")
    elif isinstance(given, list) and isinstance(result, list) and len(given) == len(result):
        for one, other in zip(given, result, strict=True):
            yield from differences(one, other, f"{place}[]")
    elif given != result:
        yield place


def is_own_moment(place: str) -> bool:
    is_moment = place.endswith((".created_at", ".updated_at"))
    return is_moment and any(part in place for part in (*MOMENTS, "container_expiration_policy."))


def test_every_key_comes_out_again(world: World) -> None:
    owner = world.user()
    given = json.loads((Path(__file__).parent / "every_key.json").read_text())

    record = imported(world, owner, archive(given["root"], **given["relations"]))
    assert (record["import_status"], record["failed_relations"]) == ("finished", [])
    files = files_of(exported(world, owner, record["id"]))

    lost = list(differences(given["root"], json.loads(files["tree/project.json"]), "root"))
    for name, value in given["relations"].items():
        result = [json.loads(line) for line in files[f"tree/project/{name}.ndjson"].decode().splitlines()]
        lost += differences(value, result if isinstance(value, list) else result[0], name)
    left = [place for place in lost if place not in DECIDED and not is_own_moment(place)]
    assert left == [
        # An attachment is an object with or without an address; labels inside links are what the project's labels are;
        # fingerprints tell events of wiki pages and designs apart, which have none in archives.
        place
        for place in left
        if place.endswith((".attachment", ".label.template", "events[].fingerprint"))
    ]


def test_no_key_of_an_archive_is_taken_for_what_was_kept_of_children(world: World) -> None:
    owner = world.user()
    odd: dict[str, Any] = {"children": [1], REST_KEY: [1]}
    issue = {"iid": 1, "title": "i", "state": "opened", **odd}
    request = {"iid": 1, "title": "r", "state": "closed", "source_branch": "a", "target_branch": "b", **odd}

    record = imported(world, owner, archive(issues=[issue], merge_requests=[request]))
    content = exported(world, owner, record["id"])

    for name in ("issues", "merge_requests"):
        (result,) = relation(content, name)
        assert (result["children"], REST_KEY in result) == ([1], False)
