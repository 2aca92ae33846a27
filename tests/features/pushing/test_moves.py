"""Which moves are told of late, from notes that do not know where they lead."""

from itertools import pairwise

from sqlalchemy import select

from ingot.access.events import RefChange
from ingot.access.push_notes import note_push, push_notes
from ingot.access.tables import projects
from ingot.features.pushing.moves import Moves, moves_of
from ingot.gitstore import refs
from tests.support.world import World


def test_a_push_led_to_where_the_next_one_began(world: World) -> None:
    made = world.project(world.user(), initialize_with_readme=True)
    services, repository = world.server.services, world.repository(made)
    tips = [refs.find_branch(repository, "main") or ""]
    for number in range(5):
        world.commit(made, "main", {"a": f"{number}\n"})
        tips.append(refs.find_branch(repository, "main") or "")
    with services.db.write() as tx:
        tx.execute(push_notes.delete())
        for tip in tips[:-1]:
            note_push(tx, made["id"], 1, {"refs/heads/main": tip})

    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == made["id"])).one()
        found = [moves_of(services, conn, project, row) for row in conn.execute(select(push_notes))]

    pairs = list(pairwise(tips))
    assert [moves.own for moves in found] == [(RefChange("refs/heads/main", *pair),) for pair in pairs]
    assert found[-1] == Moves(changes=(RefChange("refs/heads/main", *pairs[-1]),))
