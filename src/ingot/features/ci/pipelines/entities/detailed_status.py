"""A status for display: text, icon and address."""

from ingot.kit.entity import Entity

_WORDS = {
    "created": ("Created", "created"),
    "waiting_for_resource": ("Waiting", "waiting for resource"),
    "preparing": ("Preparing", "preparing"),
    "waiting_for_callback": ("Waiting", "waiting for callback"),
    "pending": ("Pending", "pending"),
    "running": ("Running", "running"),
    "success": ("Passed", "passed"),
    "failed": ("Failed", "failed"),
    "canceling": ("Canceling", "canceling"),
    "canceled": ("Canceled", "canceled"),
    "skipped": ("Skipped", "skipped"),
    "manual": ("Blocked", "waiting for manual action"),
    "scheduled": ("Delayed", "waiting for delayed job"),
}


class DetailedStatus(Entity):
    """A status for display."""

    icon: str
    text: str
    label: str
    group: str
    tooltip: str
    has_details: bool
    details_path: str
    illustration: str | None
    favicon: str


def detailed_status(status: str, details_path: str, *, has_warnings: bool = False) -> DetailedStatus:
    """The display form of a status; a success with allowed failures says so."""
    text, label = _WORDS[status]
    icon, group = status, status.replace("_", "-")
    if status == "success" and has_warnings:
        text, label, icon, group = "Warning", "passed with warnings", "warning", "success-with-warnings"
    return DetailedStatus(
        icon=f"status_{icon}",
        text=text,
        label=label,
        group=group,
        tooltip=label,
        has_details=True,
        details_path=details_path,
        illustration=None,
        favicon=f"/assets/ci_favicons/favicon_status_{status}.png",
    )
