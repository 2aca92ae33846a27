"""The project list at 1,000 and at 1,000,000 projects: first page, last keyset page and search by substring.

On both databases, or on the one that INGOT_BENCH_DB names (`sqlite`, `postgres`). With INGOT_BENCH_ROWS=100000 it is
quicker, and the figures are only printed. To measure again without filling, name a database on a server that has
`pg_trgm`: INGOT_BENCH_SERVER=postgresql://postgres@localhost:5432/postgres. Databases stay there, bench_projects_1000
and so on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, insert, select

from bench._bulk import indexes_last, insert_rows
from bench._postgres import chosen
from bench._scale import EPOCH, SMALL, WORDS, Call, Calls, Site, compare, write
from ingot.access.authorizations import refresh_groups
from ingot.access.levels import FEATURES
from ingot.access.tables import members, namespace_ancestors, namespaces, projects
from ingot.features.people.users import create_user
from ingot.features.spaces.projects.commands.texts import search_values
from ingot.features.spaces.projects.tables import project_statistics
from ingot.identity import tokens
from ingot.identity.tables import users
from ingot.kit.services import Services


def fill(services: Services, number: int) -> dict[str, str]:
    """A database with so many projects in groups of a hundred, one of them the member's; returns a token by caller."""
    with services.db.write() as tx:
        if known := tx.execute(select(users.c.username, users.c.id)).all():
            named = {row.username: tokens.create(tx, row.id, "bench", ["api"])[1] for row in known}
            return {"anonymous": "", "member": named["ben"], "administrator": named["root"]}
        root = create_user(tx, username="root", name="Root", email="root@example.com", is_admin=True)
        ben = create_user(tx, username="ben", name="Ben", email="ben@example.com")
        result = {"anonymous": "", "member": tokens.create(tx, ben, "bench", ["api"])[1]}
        result["administrator"] = tokens.create(tx, root, "bench", ["api"])[1]
        groups = _groups(tx, number // 100)
        tx.execute(
            insert(members).values(user_id=ben, group_id=groups[0], access_level=30, created_at=EPOCH, updated_at=EPOCH)
        )
    with indexes_last(services.db, projects):
        for start in range(0, number, 10_000):
            with services.db.write() as tx:
                insert_rows(tx, projects, _rows(groups, start, min(start + 10_000, number)))
    with services.db.write() as tx:
        ids = tx.execute(select(projects.c.id)).scalars().all()
        insert_rows(tx, project_statistics, ({"project_id": project_id} for project_id in ids))
        refresh_groups(tx, groups[:1])
    return result


def _groups(tx: Connection, number: int) -> list[int]:
    moments = {"settings": {}, "created_at": EPOCH, "updated_at": EPOCH}
    paths = [f"group-{place}" for place in range(number)]
    insert_rows(
        tx,
        namespaces,
        (
            {"kind": "group", "name": path, "path": path, "full_path": path, "full_path_lower": path}
            | {"full_name": path, "visibility": 20, **moments}
            for path in paths
        ),
    )
    is_group = namespaces.c.kind == "group"
    ids = tx.execute(select(namespaces.c.id).where(is_group).order_by(namespaces.c.id)).scalars().all()
    own = ({"namespace_id": group_id, "ancestor_id": group_id, "depth": 0} for group_id in ids)
    insert_rows(tx, namespace_ancestors, own)
    return list(ids)


def _rows(groups: list[int], start: int, end: int) -> Iterator[dict[str, Any]]:
    draw = random.Random(start)
    for number in range(start, end):
        place = number % len(groups)
        name, path = f"{WORDS[number % 10]} {number}", f"{WORDS[number % 7]}-{number}"
        description = f"A project about {WORDS[number % 3]} and {WORDS[number % 9]}"
        if number % 50 == 0 and number < SMALL:
            description += " with a zeppelin"
        full_path = f"group-{place}/{path}"
        moment = EPOCH + timedelta(seconds=number)
        yield {
            "namespace_id": groups[place],
            "name": name,
            "path": path,
            **search_values(name, path, description),
            "full_path": full_path,
            "full_path_lower": full_path,
            "full_name": f"group-{place} / {name}",
            "description": description,
            "description_html": f"<p>{description}</p>",
            "visibility": draw.choice((0, 0, 10, 20, 20)),
            "settings": {"runners_token": f"GR1348941{number:020}"},
            **{f"{feature}_access_level": int(level) for feature, level in FEATURES.items()},
            "created_at": moment,
            "updated_at": moment,
            "last_activity_at": moment,
        }


def calls(site: Site) -> Calls:
    """The calls that must not grow with the number of projects. The member belongs to a group of a hundred."""
    lists: dict[str, dict[str, Any]] = {
        "first page": {},
        "first page, simple": {"simple": "true"},
        "by name": {"order_by": "name", "sort": "asc"},
        "by last activity": {"order_by": "last_activity_at"},
        "last keyset page": {"pagination": "keyset", "order_by": "id", "sort": "asc", "id_after": site.number - 20},
        "search, rare": {"search": "zeppel"},
        "search, common": {"search": "project"},
        "search, two terms": {"search": "ghtly zep"},
        "search, none": {"search": "xylophone"},
        "search, two letters": {"search": "zq"},
    }
    return {
        (caller, name): Call(caller, "/projects", {"per_page": 20, **params})
        for caller in site.tokens
        for name, params in lists.items()
    }


def main() -> None:
    """Print and write the tables, worst ratio last."""
    for database in chosen():
        result, version = compare("projects", database, fill, calls)
        write(f"Lists of projects on {database}", ("Caller", f"Projects, {database}"), result, version=version)


if __name__ == "__main__":
    main()
