"""Pages of a discussion that has gone on for very long."""

import time
from datetime import timedelta

import pytest
from sqlalchemy import insert

from ingot.features.planning.notes import new_discussion_id, notes
from ingot.kit.clock import now
from tests.support.world import World

NOTES = 50_000


@pytest.mark.scale
def test_pages_of_fifty_thousand_notes(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    begin, rows, thread = now(), [], ""
    for number in range(NOTES):
        thread = new_discussion_id() if number % 3 == 0 else thread
        moment = begin + timedelta(seconds=number)
        rows.append(
            {
                "project_id": project["id"],
                "noteable_type": "MergeRequest",
                "noteable_id": created["id"],
                "author_id": owner.id,
                "body": f"Note {number}, and a little more text",
                "type": "DiscussionNote",
                "discussion_id": thread,
                "starts_thread": number % 3 == 0,
                "resolvable": True,
                "created_at": moment,
                "updated_at": moment,
            }
        )
    with world.server.services.db.write() as tx:
        for start in range(0, NOTES, 1000):
            tx.execute(insert(notes), rows[start : start + 1000])
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    for list_ in ("discussions", "notes"):
        for page in (1, 500):
            times = []
            for _ in range(5):
                begun = time.perf_counter()
                shown = owner.client.get(f"{path}/{list_}", page=page)
                times.append(time.perf_counter() - begun)
            print(f"{list_}, page {page}: {min(times) * 1000:.0f} ms")  # noqa: T201 - the figures are the point
            assert len(shown.json()) == 20
            assert min(times) < 0.2
