"""The tree of an unpacked archive: lines per relation, from the current form or the legacy single file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from ingot.archives.lines import read_document, read_lines
from ingot.archives.unpack import ArchiveRefused

SINGLES = frozenset(
    {
        "auto_devops", "project_feature", "ci_cd_settings", "container_expiration_policy", "error_tracking_setting",
        "service_desk_setting", "security_setting", "push_rule", "metrics_setting",
    }
)  # fmt: skip
# The known relations; whatever else a legacy file holds are root attributes.
KNOWN = frozenset(
    {
        *SINGLES, "labels", "milestones", "issues", "snippets", "releases", "project_members", "merge_requests",
        "external_pull_requests", "commit_notes", "ci_pipelines", "pipelines", "pipeline_schedules",
        "protected_branches", "protected_tags", "custom_attributes", "project_badges", "boards", "triggers", "services",
        "hooks", "deploy_keys", "prometheus_metrics", "protected_environments", "approval_rules", "vulnerabilities",
        "events", "user_contributions",
    }
)  # fmt: skip


class Tree(Protocol):
    """Root attributes and relations."""

    weight: int  # bytes of lines read so far

    def total(self) -> int:
        """Bytes of all lines; 0 where nobody knows."""

    def root(self) -> dict[str, Any]:
        """Attributes of the project."""

    def relations(self) -> list[str]:
        """Names of the relations that are there."""

    def lines(self, relation: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Records with their index."""


class LineTree:
    """`tree/project.json` with one NDJSON file per relation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tree"
        self.weight = 0

    def root(self) -> dict[str, Any]:
        """`tree/project.json`."""
        file = self.folder / "project.json"
        if not file.is_file():
            raise ArchiveRefused("invalid import format")
        result = read_document(file)
        if not isinstance(result, dict):
            raise ArchiveRefused("Incorrect JSON format")
        return result

    def relations(self) -> list[str]:
        """The existing files; hidden files do not count."""
        place = self.folder / "project"
        files = sorted(place.glob("*.ndjson")) if place.is_dir() else []
        return [file.stem for file in files if not file.name.startswith(".")]

    def total(self) -> int:
        """The sizes of the files."""
        return sum((self.folder / "project" / f"{name}.ndjson").stat().st_size for name in self.relations())

    def lines(self, relation: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records of one file."""
        file = self.folder / "project" / f"{relation}.ndjson"
        if file.is_file():
            yield from read_lines(file, self._weigh)

    def _weigh(self, size: int) -> None:
        self.weight += size


class LegacyTree:
    """A single `project.json` with everything in it."""

    def __init__(self, folder: Path) -> None:
        result = read_document(folder / "project.json")
        if not isinstance(result, dict):
            raise ArchiveRefused("Incorrect JSON format")
        self.document: dict[str, Any] = result
        self.weight = 0  # it is all here already

    def root(self) -> dict[str, Any]:
        """All attributes that are not relations."""
        return {key: value for key, value in self.document.items() if key not in KNOWN}

    def relations(self) -> list[str]:
        """Relations with records."""
        return [name for name in KNOWN if self.document.get(name)]

    def total(self) -> int:
        """Not known: it is one document."""
        return 0

    def lines(self, relation: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records of one relation; pipelines in the order of their ids."""
        value = self.document.get(relation)
        if relation == "ci_pipelines" and not value:
            value = self.document.get("pipelines")
        result = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
        if relation == "ci_pipelines":
            result = sorted(result, key=_age)
        for index, record in enumerate(result):
            if isinstance(record, dict):
                yield index, record


def _age(record: object) -> int:
    result = record.get("id") if isinstance(record, dict) else None
    return result if isinstance(result, int) else 0


def open_tree(folder: Path) -> Tree:
    """The tree of an unpacked archive; where both forms are there, the current one counts."""
    if (folder / "tree").is_dir():
        return LineTree(folder)
    if (folder / "project.json").is_file():
        return LegacyTree(folder)
    raise ArchiveRefused("invalid import format")


def check_version(folder: Path) -> None:
    """Accept only the one existing version."""
    file = folder / "VERSION"
    if not file.is_file():
        raise ArchiveRefused("No such file or directory @ rb_sysopen - [FILTERED]")
    with file.open("rb") as opened:
        result = opened.read(64).decode(errors="replace").strip().splitlines()
    version = result[0].strip() if result else ""
    if not version or not all(part.isdecimal() for part in version.split(".")):
        raise ArchiveRefused("Incorrect VERSION format")
    # As dotted versions compare: leading zeros of a part and trailing zero parts say nothing.
    parts = [int(part) for part in version.split(".")]
    if parts[:3] != [0, 2, 4] or any(parts[3:]):
        raise ArchiveRefused(f"Import version mismatch: Required 0.2.4 but was {version}")
