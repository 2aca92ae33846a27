"""`artifacts`: what the runner uploads, for whom, and for how long."""

from __future__ import annotations

from typing import Literal, cast

from ingot.features.ci.config.plan import Artifacts
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry, as_list, is_strings_or_string
from ingot.kit.patterns import ALPHANUMERIC, consists_of
from ingot.kit.time_spans import is_never, parse_duration

_KEYS = ("name", "untracked", "paths", "reports", "when", "expire_in", "expose_as", "exclude", "public", "access")
_WHEN = ("on_success", "on_failure", "always")
_ACCESS = ("all", "developer", "maintainer", "none")
_EXPOSE_AS = f"{ALPHANUMERIC}_- "
REPORT_TYPES = (
    "junit", "codequality", "sast", "secret_detection", "dependency_scanning", "container_scanning",
    "cluster_image_scanning", "dast", "license_scanning", "performance", "browser_performance", "load_performance",
    "lsif", "dotenv", "terraform", "accessibility", "requirements", "requirements_v2", "coverage_fuzzing",
    "api_fuzzing", "cyclonedx", "metrics", "annotations", "repository_xray", "cobertura", "cluster_applications",
)  # fmt: skip
_COVERAGE_FORMATS = ("cobertura", "jacoco")


def parse_artifacts(where: str, value: object, problems: Problems) -> Artifacts | None:
    if value is None:
        return None
    place = f"{where}:artifacts"
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash")
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(_KEYS)
    entry.forbid_together(("public", "access"))
    paths = entry.strings("paths") or ()
    expire_in = value.get("expire_in")
    if expire_in is not None and not is_never(expire_in) and parse_duration(expire_in) is None:
        entry.fail("expire in should be a duration")
    return Artifacts(
        name=entry.text("name"),
        paths=paths,
        exclude=entry.strings("exclude") or (),
        untracked=entry.boolean("untracked") or False,
        when=entry.one_of("when", _WHEN) or "on_success",
        expire_in=None if expire_in is None else str(expire_in),
        expose_as=_expose_as(entry, paths),
        access=_access(entry),
        reports=_reports(entry),
    )


def _access(entry: Entry) -> Literal["all", "developer", "maintainer", "none"]:
    access = entry.one_of("access", _ACCESS)
    if access is not None:
        return cast("Literal['all', 'developer', 'maintainer', 'none']", access)
    return "developer" if entry.boolean("public") is False else "all"


def _expose_as(entry: Entry, paths: tuple[str, ...]) -> str | None:
    name = entry.text("expose_as")
    if name is None:
        return None
    if len(name) > 100:
        entry.fail("expose as is too long (maximum is 100 characters)")
    if not consists_of(name, _EXPOSE_AS):
        entry.fail("expose as can contain only letters, digits, '-', '_' and spaces")
    if not paths:
        entry.fail("paths can't be blank")
    elif any("*" in path for path in paths):
        entry.fail("paths can't contain '*' when used with 'expose_as'")
    return name


def _reports(entry: Entry) -> dict[str, tuple[str, ...]]:
    value = entry.get("reports")
    if value is None:
        return {}
    place = f"{entry.where}:reports"
    if not isinstance(value, dict):
        entry.problems.add(place, "config should be a hash")
        return {}
    reports = Entry(place, value, entry.problems)
    reports.allow_keys((*REPORT_TYPES, "coverage_report"))
    result = {
        kind: tuple(as_list(paths))
        for kind, paths in value.items()
        if kind != "coverage_report" and _usable(reports, kind)
    }
    return result | _coverage_report(reports)


def _usable(reports: Entry, kind: str) -> bool:
    paths = reports.get(kind)
    if paths is None or kind not in REPORT_TYPES:
        return False
    if is_strings_or_string(paths):
        return True
    reports.fail(f"{kind.replace('_', ' ')} should be an array of strings or a string")
    return False


def _coverage_report(reports: Entry) -> dict[str, tuple[str, ...]]:
    value = reports.get("coverage_report")
    if value is None:
        return {}
    place = f"{reports.where}:coverage_report"
    if not isinstance(value, dict):
        reports.problems.add(place, "config should be a hash")
        return {}
    entry = Entry(place, value, reports.problems)
    entry.allow_keys(("coverage_format", "path"))
    path = entry.text("path")
    if not path:
        entry.fail("path can't be blank")
    kind = value.get("coverage_format")
    if kind not in _COVERAGE_FORMATS:
        entry.fail("coverage format must be one of supported formats: cobertura, jacoco")
        return {}
    return {kind: (path,)} if path else {}
