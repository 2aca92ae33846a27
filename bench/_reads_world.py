"""The world in which everyday reads are measured: the demo, with more than a page of everything."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from sqlalchemy import select

from ingot import app as composition
from ingot import settings as configuration
from ingot.access.tables import projects
from ingot.features.planning.issues import issues
from ingot.first_start import ensure_root
from ingot.identity import tokens
from ingot.identity.tables import users
from ingot.kit import schema
from ingot.kit.services import Services
from ingot.seed import plant
from ingot.seed.inside import Inside

MORE = 24
UNSEEN = "tool-0"
ANVIL = "/projects/smithy%2Fanvil"
READS = {
    "/version": "/version",
    "the caller": "/user",
    "one project": ANVIL,
    "20 projects": "/projects?per_page=20",
    "20 merge requests": f"{ANVIL}/merge_requests?per_page=20&state=all",
    "one merge request": f"{ANVIL}/merge_requests/2",
    "20 commits": f"{ANVIL}/repository/commits?per_page=20",
    "20 branches": f"{ANVIL}/repository/branches?per_page=20",
    "raw file": f"{ANVIL}/repository/files/README.md/raw?ref=main",
}


def open_services(folder: str, database_url: str = "") -> Services:
    """Services over a data folder; an empty database gets its tables."""
    composition.load_features()
    settings = configuration.make({"data": folder, "database_url": database_url, "log_level": "warning"})
    services = composition.build_services(settings)
    schema.prepare(services.db)
    return services


def fill(folder: str, database_url: str = "") -> str:
    """Plant the world; returns the token of one of its members."""
    services = open_services(folder, database_url)
    ensure_root(services)
    plant(services)
    with services.db.write() as tx:
        ada = tx.execute(select(users.c.id).where(users.c.username == "ada")).scalar_one()
        token = tokens.create(tx, ada, "bench", ["api"])[1]
    try:
        _extend(Inside(composition.build(services), token))
    finally:
        services.pools.close()
        services.db.dispose()
    return token


def elsewhere(services: Services) -> Callable[[], None]:
    """A write that no read shows: the issue of a project that is not on the first page gets another title."""
    numbers = count()
    with services.db.read() as conn:
        number = conn.execute(select(projects.c.id).where(projects.c.path == UNSEEN)).scalar_one()

    def write() -> None:
        with services.db.write() as tx:
            tx.execute(issues.update().where(issues.c.project_id == number).values(title=f"Title {next(numbers)}"))

    return write


def _extend(ada: Inside) -> None:
    group = ada.get("/groups/smithy")["id"]
    for place in range(MORE):
        created = ada.post(
            "/projects", name=f"Tool {place}", path=f"tool-{place}", namespace_id=group, visibility="internal"
        )
        ada.post(f"/projects/{created['id']}/issues", title="Sharpen it")
        file = {"action": "create", "file_path": f"notes/{place}.md", "content": f"Note {place}\n"}
        ada.post(f"{ANVIL}/repository/commits", branch="main", commit_message=f"Note {place}", actions=[file])
        other = {**file, "file_path": f"drafts/{place}.md"}
        ada.post(
            f"{ANVIL}/repository/commits",
            branch=f"draft-{place}",
            start_branch="main",
            commit_message=f"Draft {place}",
            actions=[other],
        )
        ada.post(
            f"{ANVIL}/merge_requests",
            source_branch=f"draft-{place}",
            target_branch="main",
            title=f"Draft number {place}",
            labels="feature",
        )
