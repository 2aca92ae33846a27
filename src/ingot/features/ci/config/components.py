"""`include:component`: a file below `templates/` of a project on this server, at a version of it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ingot.features.ci.config.files import Files
from ingot.features.ci.config.problems import ConfigInvalid
from ingot.kit.patterns import pattern

LATEST = "~latest"
_VERSION = pattern(r"v?(\d+)\.(\d+)\.(\d+)")
_PARTIAL = pattern(r"\d+(\.\d+)?")


class Component(msgspec.Struct, frozen=True):
    """The location of a component's file."""

    project: str
    ref: str
    path: str
    files: Files


def find_component(address: str, shown: str, variables: Mapping[str, str], files: Files) -> Component:
    """The file that an address such as `git.example.com/group/project/name@1.0` means.

    Raises `ConfigInvalid`, which names the address as it is `shown`.
    """
    place, at, version = address.rpartition("@")
    host, _, path = place.partition("/")
    project, _, name = path.rpartition("/")
    if not at or not version or not name or "/" not in project:
        raise _refused(shown, "the address should be `host/project/component@version`")
    if host not in (variables.get("CI_SERVER_FQDN"), variables.get("CI_SERVER_HOST")):
        raise _refused(shown, "only components of this server can be included")
    ref = _ref(project, version, files)
    result = None if ref is None else files.project(project, ref)
    if ref is None or result is None:
        raise _refused(shown, "the project or version does not exist, or you may not read it")
    for candidate in (f"templates/{name}.yml", f"templates/{name}/template.yml"):
        if result.read(candidate) is not None:
            return Component(project, ref, candidate, result)
    raise _refused(shown, "content not found")


def _ref(project: str, version: str, files: Files) -> str | None:
    """A tag, branch or commit as it is named; `~latest`, `1` and `1.2` mean the newest release tag that fits."""
    tags = files.tags(project) or ()
    if version != LATEST and (version in tags or not _PARTIAL.fullmatch(version)):
        return version
    version_parts = () if version == LATEST else tuple(int(part) for part in version.split("."))
    result = {
        numbers: tag
        for tag in tags
        if (match := _VERSION.fullmatch(tag))
        and (numbers := tuple(map(int, match.groups())))[: len(version_parts)] == version_parts
    }
    if result:
        return result[max(result)]
    return None if version == LATEST else version


def _refused(shown: str, why: str) -> ConfigInvalid:
    return ConfigInvalid([f"Component '{shown}' - {why}"])
