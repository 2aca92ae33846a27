"""How long a deleted project or group can be brought back."""

from ingot.instance.settings import named_settings
from ingot.web.call import PageCall


def grace_days(call: PageCall, place: str) -> int:
    """For how many days a deleted project or group can be brought back; 0 where it is gone at once."""
    if not call.services.settings.has_tier("premium"):
        return 0
    if place == "project" and call.project.namespace_kind != "group":
        return 0
    with call.services.db.read() as conn:
        settings = named_settings(conn, f"delayed_{place}_deletion", "deletion_adjourned_period")
    return int(settings["deletion_adjourned_period"]) if settings[f"delayed_{place}_deletion"] else 0
