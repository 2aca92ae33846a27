"""Parameters of the changelog endpoints."""

from datetime import datetime

from ingot.kit.params import Param, Params

VERSION = r"v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"


class ChangelogRange(Params):
    """Which commits become notes, and how."""

    version: str = Param("The version that the notes are for.", required=True, max_length=255, pattern=VERSION)
    from_: str | None = Param("The commit before the first; the tag of the version before where absent.", wire="from")
    to: str | None = Param("The last commit; the head of the default branch where absent.")
    date: datetime | None = Param("When the version is released; now where absent.")
    trailer: str = Param("The trailer of messages that names a category.", default="Changelog", blank=False)
    config_file: str = Param("The file that says how notes look.", default=".gitlab/changelog_config.yml", blank=False)
    config_file_ref: str | None = Param("Where that file is read; the default branch where absent.")


class WriteChangelog(ChangelogRange):
    """Where the notes are written to."""

    branch: str | None = Param("The branch; the default branch where absent.")
    file: str = Param("The file.", default="CHANGELOG.md", blank=False)
    message: str | None = Param("The commit message.")
