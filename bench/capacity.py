"""What an installation needs: the figures of docs/benchmarks.md times what people do in a day.

`python -m bench.capacity 100 10000` prints it for these numbers of people; `python -m bench capacity` writes the table
of docs/capacity.md. What people do (`Day`) is an assumption: change it to what your own logs say.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, fields

from bench._page import DOCS

PEOPLE = (100, 10_000, 1_000_000)
BEGIN, END = "<!-- capacity: generated -->\n", "<!-- capacity: end -->"
# A third of the machine stays free at the peak, and the busiest hour has a fifth of the day's work.
USED = 2 / 3
PEAK_HOUR = 0.2
# Not measured here: simple statements that one PostgreSQL server of 16 cores answers each second.
STATEMENTS_OF_ONE_SERVER = 40_000


@dataclass(frozen=True)
class Day:
    """What one person does on a working day, with the programs and runners that work for them."""

    active: float = 0.5  # share of the people who work that day
    reads: int = 400  # calls and pages
    writes: int = 40
    fetches: int = 25  # most of them by runners
    pushes: int = 4
    jobs: int = 10
    polls: int = 400  # of runners; each waits for twenty seconds
    background: int = 70  # jobs of workers: one for each write and CI job, two for each push, and the rest
    objects: int = 15  # artifacts, logs, uploads
    object_reads: int = 30  # by people and later jobs
    object_bytes: int = 400_000
    objects_days: int = 90  # until they expire
    rows: int = 300
    row_bytes: int = 600  # with their indexes


@dataclass(frozen=True)
class Costs:
    """Measured seconds of a core, and statements."""

    read: float
    read_statements: float
    fetch: float
    push: float
    job: float  # what the queue adds to the work itself
    store: float  # an object, by the node, the database and the store together
    fetch_object: float


@dataclass(frozen=True)
class Needs:
    """What an installation needs at its busiest hour; sizes after a year."""

    requests: float  # each second
    api_cores: float
    git_cores: float
    worker_cores: float
    object_cores: float  # with those of the store
    statements: float  # each second
    statements_of_writers: float  # those that only the primary can answer
    jobs: float  # each second
    database_gb: float
    objects_tb: float


def table(title: str) -> dict[str, list[float]]:
    """The numbers of a section's table, by what the first column says."""
    page = (DOCS / "benchmarks.md").read_text()
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    result = {}
    for line in section.splitlines():
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells and all(cell.replace(".", "", 1).isdigit() for cell in cells):
            result[name] = [float(cell) for cell in cells]
    return result


def measured() -> Costs:
    """The newest figures of the bench, all of them upper bounds.

    Reads count as made anew; git and jobs by the time that passes.
    """
    reads = table("Everyday reads").values()
    git = table("Git over HTTP")
    objects = table("Stored objects")
    return Costs(
        read=sum(row[5] for row in reads) / len(reads) / 1e6,
        read_statements=sum(row[1] for row in reads) / len(reads),
        fetch=git["small clone"][0] / 1000,
        push=git["push of one commit"][0] / 1000,
        job=1 / table("Background jobs")["PostgreSQL"][1],
        store=sum(objects["stored"]) / 1000,
        fetch_object=sum(objects["fetched"]) / 1000,
    )


def needs(people: int, costs: Costs, day: Day) -> Needs:
    """The needs of so many people. A write counts as four reads, a poll as half a read."""
    busy = people * day.active
    each_second = busy * PEAK_HOUR / 3600
    work = day.reads + 4 * day.writes + day.polls / 2
    objects = busy * day.objects * day.object_bytes * day.objects_days
    statements = each_second * work * costs.read_statements
    return Needs(
        requests=each_second * (day.reads + day.writes + day.polls + day.fetches + day.pushes),
        api_cores=each_second * work * costs.read / USED,
        git_cores=each_second * (day.fetches * costs.fetch + day.pushes * costs.push) / USED,
        worker_cores=each_second * day.background * costs.job / USED,
        object_cores=each_second * (day.objects * costs.store + day.object_reads * costs.fetch_object) / USED,
        statements=statements,
        statements_of_writers=statements * (1 - day.reads / work),
        jobs=each_second * day.jobs,
        database_gb=busy * day.rows * day.row_bytes * 250 / 1e9,
        objects_tb=objects / 1e12,
    )


def form(one: Needs) -> str:
    """Which form that is, and how many database servers write."""
    if one.api_cores + one.git_cores + one.worker_cores + one.object_cores <= 8 and one.objects_tb < 1:
        return "embedded, one machine"
    writers = math.ceil(one.statements_of_writers / STATEMENTS_OF_ONE_SERVER)
    copies = math.ceil(one.statements / STATEMENTS_OF_ONE_SERVER) - writers
    if writers > 1:
        return f"{writers} installations, by group"
    return f"scale-out{f', {copies} standbys for lists' if copies > 0 else ''}"


NAMES = {
    "requests": "requests/s",
    "api_cores": "cores for the API",
    "git_cores": "cores for git",
    "worker_cores": "cores for the queue",
    "object_cores": "cores for objects, with the store's",
    "statements": "statements/s",
    "statements_of_writers": "of these on the primary",
    "jobs": "CI jobs/s",
    "database_gb": "database, GB after a year",
    "objects_tb": "objects, TB",
}


def as_table(people: tuple[int, ...]) -> str:
    """The needs side by side, in Markdown."""
    costs = measured()
    columns = [needs(number, costs, Day()) for number in people]
    lines = ["| At the busiest hour | " + " | ".join(f"{number:,} people" for number in people) + " |"]
    lines.append("|---|" + "---:|" * len(people))
    for spec in fields(Needs):
        cells = " | ".join(_number(getattr(one, spec.name)) for one in columns)
        lines.append(f"| {NAMES[spec.name]} | {cells} |")
    lines.append("| form | " + " | ".join(form(one) for one in columns) + " |")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def renewed(page: str) -> str:
    """The page with the table of today's figures."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + as_table(PEOPLE) + END + rest.partition(END)[2]


def main() -> None:
    """Write the table into docs/capacity.md."""
    page = DOCS / "capacity.md"
    page.write_text(renewed(page.read_text()))
    print(as_table(PEOPLE))


if __name__ == "__main__":
    print(as_table(tuple(map(int, sys.argv[1:])) or PEOPLE))
