"""Releases of tags: the room of releases registers their source."""

from collections.abc import Callable

import msgspec

from ingot.access.call import Call


class TagReleases(msgspec.Struct, frozen=True):
    """How the descriptions of releases are read, by tag, and how the release of a deleted tag is removed."""

    descriptions: Callable[[Call, list[str]], dict[str, str | None]]
    forget: Callable[[Call, str], None]


_sources: list[TagReleases] = []


def release_source(source: TagReleases) -> TagReleases:
    """Register the releases of the call's project."""
    _sources[:] = [source]
    return source


def release_descriptions(call: Call, tags: list[str]) -> dict[str, str | None]:
    """The descriptions of the releases of these tags, as far as the caller may see them."""
    return _sources[0].descriptions(call, tags) if _sources else {}


def forget_release(call: Call, tag: str) -> None:
    """The tag was deleted."""
    for source in _sources:
        source.forget(call, tag)
