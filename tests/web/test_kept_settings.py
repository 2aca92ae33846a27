"""Settings that forms call kept for other servers are those that nothing here reads, and no others."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

import ingot
from ingot.features.instance.plan_limits.fields import LIMITS
from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.instance.settings import DEFAULTS
from ingot.web import pages as folder
from ingot.web.kept_settings import KEPT, KEPT_LIMITS
from ingot.web.sections import Collection, Settings, SettingsPage

SOURCE = Path(ingot.__file__).parent
# Where settings are declared, checked, shown, copied, and written to archives or read from them.
CARRIERS = (
    "instance/settings.py", "features/instance/application_settings/", "features/instance/plan_limits/",
    "features/spaces/groups/settings/", "features/spaces/groups/presenting.py", "features/spaces/groups/params.py",
    "features/spaces/projects/settings/", "features/spaces/projects/entities/", "features/spaces/projects/params",
    "features/spaces/projects/commands/requested_settings.py", "seed/", "web/kept_settings.py",
    "web/fields.py", "web/pages/admin.py", "web/pages/admin_settings.py", "web/pages/group_settings.py",
    "web/pages/project_settings.py", "features/people/users/",
)  # fmt: skip
# Kept in a section of their own, with its words.
ELSEWHERE = {"container_expiration_policy"}
# Not shown in forms, or not settings that anybody reads.
NOT_SET = {"runners_token", "compliance_frameworks"}
# Put together from parts that say little.
COMPOSED = {"throttle_authenticated_api_enabled", "throttle_unauthenticated_api_enabled"}


def is_carrier(path: str, text: str) -> bool:
    """Archives hold the settings of projects and groups; those of the instance say how they are made."""
    if path.startswith("features/transfer/uploads/"):
        return False
    if path.startswith("features/transfer/") and not path.endswith("/settings.py"):
        return "application_setting" not in text and "named_settings" not in text
    return path.startswith((*CARRIERS, "features/transfer/"))


@pytest.fixture(scope="module")
def mentioned() -> set[str]:
    """Names that code outside the carriers mentions as a text or an attribute, or puts together from parts."""
    names, patterns = set(COMPOSED), set()
    for file in SOURCE.rglob("*.py"):
        text = file.read_text()
        if is_carrier(str(file.relative_to(SOURCE)), text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
            elif isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.JoinedStr):
                patterns.add("".join(str(getattr(part, "value", "")) if isinstance(part, ast.Constant) else "*"
                                     for part in node.values))  # fmt: skip
    for template in SOURCE.rglob("templates/*.html"):
        names.update(re.findall(r"\w+", template.read_text()))
    known = [*DEFAULTS, *LIMITS, *GroupSettings.__struct_fields__, *ProjectSettings.__struct_fields__]
    # Those with words enough to mean one family, such as `password_*_required`.
    families = [pattern for pattern in patterns if pattern.count("*") == 1 and len(re.findall("[a-z]+", pattern)) > 1]
    return names | {name for name in known if any(fnmatchcase(name, family) for family in families)}


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("/application/settings", set(DEFAULTS)),
        ("/application/plan_limits", set(LIMITS)),
        ("/groups/:id", set(GroupSettings.__struct_fields__)),
        ("/projects/:id", set(ProjectSettings.__struct_fields__)),
    ],
)
def test_what_is_only_kept_is_what_nothing_reads(address: str, known: set[str], mentioned: set[str]) -> None:
    named = (set(KEPT[address]) | set(KEPT_LIMITS.get(address, ()))) & known
    unread = known - mentioned - ELSEWHERE - NOT_SET
    assert named == unread


def test_sections_of_settings_do_not_mix_both() -> None:
    for section in _sections():
        unread = {*KEPT.get(section.address, ()), *KEPT_LIMITS.get(section.address, ())}
        names = {entry.name for entry in section.inputs}
        assert not names & unread or section.key in ("kept", "kept_limits"), (section.key, names & unread)


def _sections() -> Iterator[Settings]:
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        yield from _in(list(vars(importlib.import_module(module.name)).values()))


def _in(values: Iterable[Any]) -> Iterator[Settings]:
    for value in values:
        if isinstance(value, Settings):
            yield value
        elif isinstance(value, SettingsPage):
            yield from _in(value.sections)
        elif isinstance(value, list | tuple) and not isinstance(value, Collection):
            yield from _in(value)
