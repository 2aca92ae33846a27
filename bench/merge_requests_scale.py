"""Lists of merge requests at 1,000 and at 1,000,000 requests: what grows with their number, and what not.

Of their project, of its group and of everything, for an administrator and a member of the group. Databases, sizes and
servers are chosen as in `projects_scale`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select

from bench._bulk import indexes_last, insert_rows
from bench._postgres import chosen
from bench._scale import EPOCH, SMALL, WORDS, Call, Calls, Site, compare, write
from ingot.access.authorizations import refresh_groups
from ingot.access.tables import members, projects
from ingot.features.people.users import create_user
from ingot.features.planning.labels import labels
from ingot.features.review.merge_requests import merge_request_labels, merge_requests
from ingot.features.spaces.groups import create_group
from ingot.features.spaces.projects import NewProject, create_project
from ingot.identity import tokens
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.services import Services

AUTHORS = 50
CALLERS = {"administrator": "root", "member": "author-0"}
OF_MANY: dict[str, dict[str, Any]] = {
    "first page": {},
    "state=opened": {"state": "opened"},
    "labels=bug&state=opened": {"labels": "bug", "state": "opened"},
    "labels=None&state=opened": {"labels": "None", "state": "opened"},
    "search=zeppelin": {"search": "zeppelin"},
    "order_by=updated_at": {"order_by": "updated_at"},
}
OF_PROJECT: dict[str, dict[str, Any]] = {
    **OF_MANY,
    "page 40": {"page": 40},
    "labels=bug": {"labels": "bug"},
    "labels=rare": {"labels": "rare"},
    "labels=bug,half": {"labels": "bug,half"},
    "labels=bug,rare": {"labels": "bug,rare"},
    "labels=Any": {"labels": "Any"},
    "labels=None": {"labels": "None"},
    "not[labels]=bug": {"not[labels]": "bug"},
    "not[labels]=rare": {"not[labels]": "rare"},
    "author_username=author-7": {"author_username": "author-7"},
    "search=xylophone": {"search": "xylophone"},
    "search=about": {"search": "about"},
}


def fill(services: Services, number: int) -> dict[str, str]:
    """One project of a group with so many requests; returns a token by caller."""
    with services.db.write() as tx:
        known = {row.username: row.id for row in tx.execute(select(users.c.username, users.c.id))}
        if known:
            return {caller: tokens.create(tx, known[name], "bench", ["api"])[1] for caller, name in CALLERS.items()}
        root = create_user(tx, username="root", name="Root", email="root@example.com", is_admin=True)
        authors = [
            create_user(tx, username=f"author-{place}", name=f"Author {place}", email=f"a{place}@example.com")
            for place in range(AUTHORS)
        ]
        result = {
            caller: tokens.create(tx, user_id, "bench", ["api"])[1]
            for caller, user_id in zip(CALLERS, (root, authors[0]), strict=True)
        }
        actor = Actor(user_id=root, is_admin=True)
        group_id = create_group(tx, actor, name="group", path="group")
        tx.execute(
            insert(members).values(
                user_id=authors[0], group_id=group_id, access_level=30, created_at=EPOCH, updated_at=EPOCH
            )
        )
        project_id = create_project(
            tx, actor, NewProject(name="large", path="large", namespace_id=group_id, storage="default")
        )
        refresh_groups(tx, [group_id])
        moments = {"created_at": EPOCH, "updated_at": EPOCH}
        named = {
            name: tx.execute(
                insert(labels).values(project_id=project_id, name=name, color="#fff", **moments).returning(labels.c.id)
            ).scalar_one()
            for name in ("bug", "rare", "half", "other")
        }
    with indexes_last(services.db, merge_requests, merge_request_labels):
        for start in range(0, number, 10_000):
            end = min(start + 10_000, number)
            with services.db.write() as tx:
                insert_rows(tx, merge_requests, _rows(project_id, authors, start, end))
                links = (
                    {"merge_request_id": place + 1, "label_id": named[name]}
                    for place in range(start, end)
                    for name in _labels_of(place)
                )
                insert_rows(tx, merge_request_labels, links)
    with services.db.write() as tx:
        tx.execute(projects.update().values(empty_repo=False))
    return result


def _labels_of(place: int) -> Iterator[str]:
    if place % 5 == 4:
        return
    yield "bug" if place % 3 == 0 else "other"
    if place % 2 == 0:
        yield "half"
    if place % 50 == 0 and place < SMALL:
        yield "rare"


def _rows(project_id: int, authors: list[int], start: int, end: int) -> Iterator[dict[str, Any]]:
    for place in range(start, end):
        moment = EPOCH + timedelta(seconds=place)
        rare = " zeppelin" if place % 50 == 0 and place < SMALL else ""
        yield {
            "iid": place + 1,
            "project_id": project_id,
            "source_project_id": project_id,
            "source_branch": f"topic-{place}",
            "target_branch": "main",
            "author_id": authors[place % AUTHORS],
            "title": f"{WORDS[place % 10]} {place}{rare}",
            "description": f"A change about {WORDS[place % 7]} and {WORDS[place % 9]}",
            "state": ("opened", "merged", "merged", "closed")[place % 4],
            "merge_status": "can_be_merged",
            "commits_count": 1,
            "created_at": moment,
            "updated_at": moment,
        }


def calls(site: Site) -> Calls:
    """Lists of one project in all ways, of the project's group and of everything in the dearest ones."""
    with site.services.db.read() as conn:
        project_id, group_id = conn.execute(select(projects.c.id, projects.c.namespace_id)).one()
    lists = {
        "of the project": (f"/projects/{project_id}/merge_requests", OF_PROJECT),
        "of the group": (f"/groups/{group_id}/merge_requests", OF_MANY),
        "`scope=all`": ("/merge_requests", OF_MANY),
    }
    return {
        (caller, name, asked): Call(caller, path, {"scope": "all", **params})
        for name, (path, several) in lists.items()
        for caller in site.tokens
        for asked, params in several.items()
    }


def main() -> None:
    """Print and write the tables."""
    for database in chosen():
        result, version = compare("merge_requests", database, fill, calls)
        columns = ("Caller", "List", f"Merge requests, {database}")
        write(f"Lists of merge requests on {database}", columns, result, version=version)


if __name__ == "__main__":
    main()
