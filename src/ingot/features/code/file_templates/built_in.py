"""Templates that come with the server: files in `texts`."""

from functools import cache
from pathlib import Path

import msgspec

TEXTS = Path(__file__).parent / "texts"
ENDINGS = {
    "dockerfiles": ".dockerfile", "gitignores": ".gitignore", "gitlab_ci_ymls": ".yml", "licenses": ".txt",
}  # fmt: skip


class LicenseFacts(msgspec.Struct, frozen=True):
    """What is known of a licence besides its text."""

    key: str
    name: str
    description: str | None = None
    nickname: str | None = None
    source_url: str | None = None
    popular: bool = False
    conditions: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()


@cache
def built_in_keys(kind: str) -> tuple[str, ...]:
    """The keys of all templates of a kind, in order."""
    ending = ENDINGS[kind]
    names = (path.name.removesuffix(ending) for path in (TEXTS / kind).iterdir() if path.name.endswith(ending))
    return tuple(sorted(names, key=str.lower))


def built_in_template(kind: str, key: str) -> str | None:
    """The text of a template; None if there is none of this key."""
    return _read(kind, key) if kind in ENDINGS and key in built_in_keys(kind) else None


@cache
def _read(kind: str, key: str) -> str:
    return (TEXTS / kind / f"{key}{ENDINGS[kind]}").read_text(encoding="utf-8")


@cache
def license_facts() -> dict[str, LicenseFacts]:
    """All licences by their keys, in order."""
    facts = msgspec.json.decode((TEXTS / "licenses.json").read_bytes(), type=list[LicenseFacts])
    return {one.key: one for one in sorted(facts, key=lambda one: one.key)}
