"""Names of archives, as in GitLab: a time, the full path, and the suffix that importers expect."""

from datetime import datetime

LONGEST = 51


def archive_name(moment: datetime, full_path: str) -> str:
    """`2024-05-07_09-41-083_group_app_export.tar.gz`: hour, minute and milliseconds, without seconds."""
    stamp = f"{moment:%Y-%m-%d_%H-%M}-{moment.microsecond // 1000:03d}"
    return f"{stamp}_{full_path.replace('/', '_')}"[:LONGEST] + "_export.tar.gz"
