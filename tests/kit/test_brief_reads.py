"""Brief reads are answered on the event loop, and hold up nobody there."""

import threading
from pathlib import Path

from sqlalchemy import literal, select

from ingot.kit.brief_reads import AT_ONCE, LoopTime, run_briefly
from ingot.kit.db import Database
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World


def test_a_read_that_has_to_write_waits_without_holding_up_others(server: RunningServer, world: World) -> None:
    newcomer = world.user()  # whose token was never used: its first use is written down
    answers: list[int] = []
    reading = threading.Thread(target=lambda: answers.append(newcomer.client.get("/user").status_code))

    with server.services.db.write():
        reading.start()
        for _ in range(20):
            assert world.anonymous.get("/version").status_code == 401

    reading.join()
    assert answers == [200]
    tokens = newcomer.client.ok("GET", "/personal_access_tokens")
    assert tokens[0]["last_used_at"] is not None


def test_a_long_statement_is_left_to_a_thread(tmp_path: Path) -> None:
    db = Database(f"sqlite:///{tmp_path / 'brief.db'}")
    numbers = select(literal(1).label("n")).cte(recursive=True)
    numbers = numbers.union_all(select(numbers.c.n + 1).where(numbers.c.n < 100_000_000))

    with db.read() as conn:
        brief = run_briefly(lambda: conn.execute(select(literal(7))).scalar_one())
        long = run_briefly(lambda: conn.execute(select(numbers.c.n).where(numbers.c.n < 0)).all())

    assert brief == 7
    assert long is None
    db.dispose()


def test_what_is_brief_by_experience_has_a_part_of_the_time_of_the_loop() -> None:
    time = LoopTime()
    assert time.is_left()

    time.spend(3600)

    assert not time.is_left()
    later = LoopTime()
    later.spend(AT_ONCE)
    until(later.is_left)
