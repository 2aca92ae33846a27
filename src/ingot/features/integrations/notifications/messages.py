"""A letter to one person as a mail: text, HTML, and headers that put all mails about one record into one thread."""

from email.message import EmailMessage
from email.utils import formataddr, parseaddr
from html import escape
from urllib.parse import urlsplit

from ingot.features.integrations.notifications.happenings import Happening
from ingot.features.integrations.notifications.letters import Letter
from ingot.features.integrations.notifications.recipients import Recipient
from ingot.features.integrations.notifications.unsubscribing import unsubscribe_url
from ingot.kit.mail import header_text, new_message
from ingot.kit.services import Services

# Mail programs have no style sheet of ours; those that drop this one show plain text. Some show mails on a dark ground.
STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:14px/20px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1b1f26;background:#fff;"
    "max-width:720px}"
    "pre,code{font-family:ui-monospace,Menlo,monospace;font-size:13px;background:#eceff3;border-radius:4px}"
    "pre{padding:12px;white-space:pre-wrap}code{padding:2px 4px}pre code{padding:0}"
    "blockquote{margin:0 0 12px;padding-left:12px;border-left:3px solid #d5dae1;color:#57606c}"
    "table{border-collapse:collapse}th,td{border:1px solid #d5dae1;padding:4px 8px;text-align:left}"
    ".contains-task-list{list-style:none;padding-left:4px}"
    "a{color:#1f5fbf}hr{border:0;border-top:1px solid #d5dae1;margin:24px 0 12px}"
    "small{color:#57606c}img{max-width:100%}"
    "@media (prefers-color-scheme:dark){body{color:#e4e8ee;background:#14171c}pre,code{background:#0f1115}"
    "blockquote,small{color:#a3adba}blockquote,th,td,hr{border-color:#323944}a{color:#7db0ff}}"
)
REASONS = {
    "mentioned": "you were mentioned", "assigned": "you were assigned", "review_requested": "a review was requested",
    "own_activity": "you want emails about your own activity", "subscribed": "you subscribed to it",
    "participating": "you are participating", "watching": "you chose to get emails about this project",
}  # fmt: skip
STARTED = "you started it"  # a pipeline


def write(services: Services, happening: Happening, letter: Letter, to: Recipient, job: str) -> EmailMessage:
    """The mail to one person."""
    settings = services.settings
    host, (_, sender) = urlsplit(settings.public_url).hostname or "localhost", parseaddr(settings.mail_from)
    message = new_message()
    message["From"] = formataddr((header_text(letter.author), sender)) if letter.author else settings.mail_from
    message["To"], message["Subject"] = to.address, header_text(letter.subject)
    root = f"<{letter.thread}@{host}>"
    message["Message-ID"] = f"<{letter.thread}_{letter.number}_{job}@{host}>" if letter.number else root
    if letter.number:
        message["In-Reply-To"] = message["References"] = root
    message["List-Id"] = f"{letter.project.full_path} <{letter.project.id}.{letter.project.path}.{host}>"
    message["X-GitLab-Project"], message["X-GitLab-Project-Id"] = letter.project.path, str(letter.project.id)
    message["X-GitLab-Project-Path"] = letter.project.full_path
    message["X-GitLab-NotificationReason"] = to.reason
    message["Auto-Submitted"] = "auto-generated"
    ways = {"View it": letter.url}
    if happening.type in ("Issue", "MergeRequest"):
        end = unsubscribe_url(services, to.user.id, happening.type, happening.record_id)
        message["List-Unsubscribe"] = f"<{end.removesuffix('unsubscribe')}one_click>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        ways["Unsubscribe"] = end
    ways["Manage notifications"] = f"{settings.public_url.rstrip('/')}/-/profile/notifications"
    started = happening.type == "Pipeline" and to.reason == "participating"
    why = f"You are receiving this email because {STARTED if started else REASONS[to.reason]}."
    message.set_content(_text(letter, why, ways))
    message.add_alternative(_html(letter, why, ways), subtype="html")
    return message


def _text(letter: Letter, why: str, ways: dict[str, str]) -> str:
    first, *others = ways.items()
    end = [first[1], why, *(f"{words}: {address}" for words, address in others)]
    return "\n".join([letter.sentence, "", *([letter.body, ""] if letter.body else []), "-- ", *end, ""])


def _html(letter: Letter, why: str, ways: dict[str, str]) -> str:
    first, *others = (f'<a href="{escape(address)}">{words}</a>' for words, address in ways.items())
    end = "<br>".join([first, escape(why), " · ".join(others)])
    head = f'<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>{STYLE}</style></head>'
    body = f"<p>{escape(letter.sentence)}</p>{letter.html}<hr><p><small>{end}</small></p>"
    return f"<!DOCTYPE html><html>{head}<body>{body}</body></html>"
