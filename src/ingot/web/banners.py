"""Messages of administrators on top of pages: to whom they are shown, where, and until they are closed."""

from ingot.features.instance.broadcast_messages import MessageRow, current_messages
from ingot.kit.clock import now
from ingot.kit.wildcards import matches_wildcard
from ingot.web.call import PageCall
from ingot.web.markdown import markdown

# How the themes of messages look here; the others look like warnings.
TONES = {"red": "bad", "green": "ok", "blue": "info", "indigo": "info"}
COOKIE = "hide_broadcast_message_"


def banners(call: PageCall) -> list[dict[str, object]]:
    """The messages for this visitor and page."""
    moment = now()
    return [
        {"id": row.id, "html": markdown(call, row.message), "can_close": row.dismissable,
         "tone": TONES.get(row.theme.removeprefix("light-"), "")}
        for row in current_messages(call.services.db)
        if row.starts_at <= moment < row.ends_at and _is_for(call, row)
    ]  # fmt: skip


def _is_for(call: PageCall, row: MessageRow) -> bool:
    if row.dismissable and f"{COOKIE}{row.id}" in call.request.cookies:
        return False
    if row.target_path and not matches_wildcard(call.request.url.path, row.target_path):
        return False
    if not row.target_access_levels:
        return True
    place = call.project_or_none or call.group_or_none
    return place is not None and place.level in row.target_access_levels
