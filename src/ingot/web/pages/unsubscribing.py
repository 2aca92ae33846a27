"""The page behind the link in mails that ends the mails about one issue or merge request."""

from ingot.features.integrations.notifications import find_unsubscription, unsubscribe
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.faults import LinkEnded
from ingot.web.frames import site_view
from ingot.web.registry import Pages

pages = Pages("site")
ENDED = "The item was deleted, or the link is incomplete. You can manage emails in your notification settings."


@pages.get("-/sent_notifications/{token}/unsubscribe")
def show_unsubscription(call: PageCall) -> View:
    """A button ends the mails, so that link previews change nothing."""
    token = call.path["token"]
    with call.services.db.read() as conn:
        ended = find_unsubscription(call.services, conn, token)
    if ended is None:
        raise _ended()
    return form_view(call, "unsubscribe", {"mail_token": token, "what": ended.title})


@pages.post("-/sent_notifications/{token}/unsubscribe")
def end_mails(call: PageCall) -> View:
    """End the mails."""
    with call.services.db.write() as tx:
        ended = find_unsubscription(call.services, tx, call.path["token"])
        if ended is None:
            raise _ended()
        unsubscribe(tx, ended)
    return site_view(call, "unsubscribe", what=ended.title, done=True)


def _ended() -> LinkEnded:
    return LinkEnded(ENDED, ("Notification settings", "/-/profile/notifications"))
