"""Which moves are told of late, from notes that do not know where they lead."""

import re
from itertools import pairwise
from typing import Any

from sqlalchemy import event, select

from ingot.access.tables import projects
from ingot.events import RefChange
from ingot.features.code.pushing.later import LaterNotes
from ingot.features.code.pushing.moves import Moves, moves_of
from ingot.features.code.pushing.notes import note_push, push_notes
from ingot.gitstore import refs
from tests.support.world import World


def test_a_push_led_to_where_the_next_one_began(world: World) -> None:
    created = world.project(world.user(), initialize_with_readme=True)
    services, repository = world.server.services, world.repository(created)
    tips = [refs.find_branch(repository, "main") or ""]
    for number in range(5):
        world.commit(created, "main", {"a": f"{number}\n"})
        tips.append(refs.find_branch(repository, "main") or "")
    with services.db.write() as tx:
        tx.execute(push_notes.delete())
        for tip in tips[:-1]:
            note_push(tx, created["id"], 1, {"refs/heads/main": tip})

    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == created["id"])).one()
        notes = conn.execute(select(push_notes).order_by(push_notes.c.id)).all()
        result = [moves_of(services, conn, project, row, LaterNotes()) for row in notes]
        asked: list[tuple[str, Any]] = []
        event.listen(conn, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
        later = LaterNotes()
        again = [moves_of(services, conn, project, row, later) for row in notes]
        read = [
            len(conn.exec_driver_sql(*one).all()) for one in tuple(asked) if re.search(r"FROM push_notes\b", one[0])
        ]

    pairs = list(pairwise(tips))
    assert [moves.own for moves in result] == [(RefChange("refs/heads/main", *pair),) for pair in pairs]
    assert again == result
    assert read == [4, 0, 0, 0, 0]  # looked at in one go, each later note is read once
    assert result[-1] == Moves(changes=(RefChange("refs/heads/main", *pairs[-1]),))
