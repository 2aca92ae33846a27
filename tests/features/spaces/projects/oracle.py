"""The expected answer of the project list, computed in plain Python."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from tests.features.spaces.projects.seeded import Caller, Seed

Rule = Callable[[Caller, Seed, Any], bool]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def last_moment(text: str) -> datetime:
    """A bound without a fraction covers its second."""
    return moment(text) + timedelta(microseconds=999_999)


def terms(search: str) -> list[str]:
    return [term.strip('"').lower() for term in re.findall(r'"[^"]+"|\S+', search)]


def searched(seed: Seed, search: str, *, whole_path: bool) -> bool:
    whole = [seed.full_path, seed.full_name] if whole_path else []
    texts = [seed.path, seed.name, seed.description, *whole]
    return all(any(term in text.lower() for text in texts) for term in terms(search))


def available(caller: Caller, level: str, seed: Seed, needed: int) -> bool:
    if caller.is_admin:
        return level != "disabled"
    return level == "enabled" or (level == "private" and caller.level(seed) >= needed)


RULES: dict[str, Rule] = {
    "archived": lambda _c, s, v: s.archived == v,
    "active": lambda _c, s, v: (not s.archived and s.marked is None) == v,
    "visibility": lambda _c, s, v: s.visibility == v,
    "starred": lambda c, s, v: not v or c.user_id is None or c.user_id in s.starred_by,
    "imported": lambda c, s, v: not v or (s.import_type is not None and s.creator == c.user_id),
    "with_issues_enabled": lambda c, s, v: not v or available(c, s.issues, s, 10),
    "with_merge_requests_enabled": lambda c, s, v: not v or available(c, s.merge_requests, s, 20),
    "with_programming_language": lambda _c, s, v: (s.language or "").lower() == v.lower(),
    "id_after": lambda _c, s, v: s.id > v,
    "id_before": lambda _c, s, v: s.id < v,
    "last_activity_after": lambda _c, s, v: s.last_activity >= moment(v),
    "last_activity_before": lambda _c, s, v: s.last_activity <= last_moment(v),
    "updated_after": lambda _c, s, v: s.updated >= moment(v),
    "updated_before": lambda _c, s, v: s.updated <= last_moment(v),
    "repository_storage": lambda c, s, v: not c.is_admin or s.storage == v,
    "topic": lambda _c, s, v: all(name.strip() in s.topics for name in v.split(",") if name.strip()),
    "marked_for_deletion_on": lambda _c, s, v: s.marked == date.fromisoformat(v),
    "repository_checksum_failed": lambda _c, s, v: not v or s.repository_failed,
    "wiki_checksum_failed": lambda _c, s, v: not v or s.wiki_failed,
    "custom_attributes": lambda c, s, v: not c.is_admin or s.color == v["color"],
}


def base(caller: Caller, seed: Seed, body: dict[str, Any]) -> bool:
    if body.get("owned"):
        return caller.level(seed) == 50
    if "min_access_level" in body:
        return caller.level(seed) >= body["min_access_level"]
    if body.get("membership"):
        return caller.level(seed) > 0
    return caller.sees(seed)


def alive(caller: Caller, seed: Seed, body: dict[str, Any]) -> bool:
    asks = caller.is_admin
    return (not seed.pending or bool(asks and body.get("include_pending_delete"))) and (
        not seed.hidden or bool(asks and body.get("include_hidden"))
    )


def trigrams(text: str) -> set[str]:
    result = set()
    for word in re.findall(r"[^\W_]+", text.lower()):
        padded = f"  {word} "
        result |= {padded[at : at + 3] for at in range(len(padded) - 2)}
    return result


def similarity(one: str, other: str) -> float:
    left, right = trigrams(one), trigrams(other)
    return len(left & right) / len(left | right) if left | right else 0.0


def score(seed: Seed, search: str) -> float:
    parts = ((seed.path, 1.0), (seed.name, 0.7), (seed.description, 0.2))
    return round(sum(similarity(text, search) * weight for text, weight in parts), 9)


def ordered(caller: Caller, seeds: list[Seed], body: dict[str, Any]) -> list[Seed]:
    order = body.get("order_by", "created_at")
    if order == "similarity" and body.get("search") and caller.user_id is not None:
        mine = [seed for seed in seeds if caller.level(seed) > 0]
        return sorted(mine, key=lambda seed: (score(seed, body["search"]), seed.id), reverse=True)
    keys: dict[str, Callable[[Seed], Any]] = {
        "name": lambda seed: seed.name.lower().encode(),
        "path": lambda seed: seed.path.lower().encode(),
        "updated_at": lambda seed: seed.updated,
        "last_activity_at": lambda seed: seed.last_activity,
        "star_count": lambda seed: seed.stars,
    }
    if caller.is_admin:
        keys |= {
            "repository_size": lambda seed: seed.size,
            "storage_size": lambda seed: seed.size,
            "packages_size": lambda seed: seed.size % 3,
            "wiki_size": lambda _seed: 0,
        }
    key = keys.get(order, lambda _seed: 0)
    return sorted(seeds, key=lambda seed: (key(seed), seed.id), reverse=body.get("sort", "desc") == "desc")


def expected(caller: Caller, seeds: list[Seed], body: dict[str, Any]) -> list[int]:
    """The ids that the list must show, in order."""
    result = []
    for seed in seeds:
        if not alive(caller, seed, body) or not base(caller, seed, body):
            continue
        if not all(RULES[name](caller, seed, value) for name, value in body.items() if name in RULES):
            continue
        if body.get("search") and not searched(seed, body["search"], whole_path=bool(body.get("search_namespaces"))):
            continue
        result.append(seed)
    return [seed.id for seed in ordered(caller, result, body)]
