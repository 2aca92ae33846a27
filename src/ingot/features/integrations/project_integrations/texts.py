"""What a chat room reads about a change."""

from collections.abc import Callable, Mapping
from html import escape

import msgspec

from ingot.features.integrations.project_integrations.told import Told

Link = Callable[[str, str], str]
LONGEST = 2000
_DONE = {
    "open": "opened", "close": "closed", "reopen": "reopened", "merge": "merged", "approved": "approved",
    "unapproved": "unapproved", "approval": "added their approval to", "unapproval": "removed their approval from",
}  # fmt: skip
_WIKI = {"create": "created", "update": "edited", "delete": "deleted"}
_ENDED = {"success": "has passed", "failed": "has failed"}
_DEPLOYED = {"success": "succeeded", "failed": "failed", "canceled": "was canceled", "running": "is running"}
_COLOURS = {"success": "good", "failed": "danger"}
_SPECIAL = frozenset("\\`*_[]()<>#~")


class ChatText(msgspec.Struct, frozen=True):
    """A sentence, what is shown below it, and a colour."""

    sentence: str
    details: str = ""
    colour: str = "#345"


def angle_link(url: str, text: str) -> str:
    """A link as Slack and Google Chat write it; without an address, the text alone."""
    shown = escape(text[:LONGEST], quote=False).replace("|", "¦")
    return f"<{url}|{shown}>" if url else shown


def markdown_link(url: str, text: str) -> str:
    """A link in Markdown; without an address, the text alone. Nobody is mentioned."""
    shown = "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in text[:LONGEST])
    shown = shown.replace("@", "@\u200b")
    return f"[{shown}]({url})" if url else shown


def chat_text(told: Told, link: Link) -> ChatText | None:
    """What a room reads; None where it is told nothing."""
    builder = _BUILDERS.get(told.object_kind)
    return None if builder is None else builder(told, link)


def _place(told: Told, link: Link) -> str:
    return link(told.project.web_url, told.project.path_with_namespace)


def _push(told: Told, link: Link) -> ChatText:
    is_tag, web, name = told.object_kind == "tag_push", told.project.web_url, told.ref_name
    word, who, place = ("tag" if is_tag else "branch"), link("", told.who), _place(told, link)
    if told.is_deletion:
        return ChatText(f"{who} removed {word} {link('', name)} from {place}")
    there = link(f"{web}/-/{'tags' if is_tag else 'commits'}/{name}", name)
    commits = (
        ""
        if is_tag
        else "\n".join(
            f"{link(one.url, one.id[:8])}: {link('', one.title)} - {link('', one.author.name)}" for one in told.commits
        )
    )
    if told.is_creation:
        return ChatText(f"{who} pushed new {word} {there} to {place}", commits)
    compare = link(f"{web}/-/compare/{told.before}...{told.after}", "Compare changes")
    return ChatText(f"{who} pushed to {word} {there} of {place} ({compare})", commits)


def _issue(told: Told, link: Link) -> ChatText | None:
    record = told.object_attributes
    if record.action not in _DONE:
        return None
    title, done = link(record.url, f"#{record.iid} {record.title}"), _DONE[record.action]
    text = f"[{_place(told, link)}] Issue {title} {done} by {link('', told.who)}"
    return ChatText(text, link("", record.description or "") if record.action == "open" else "")


def _merge_request(told: Told, link: Link) -> ChatText | None:
    record = told.object_attributes
    if record.action not in _DONE:
        return None
    title, done = link(record.url, f"!{record.iid} {record.title}"), _DONE[record.action]
    return ChatText(f"{link('', told.who)} {done} merge request {title} in {_place(told, link)}")


def _note(told: Told, link: Link) -> ChatText | None:
    record = told.object_attributes
    if record.action == "update":
        return None
    kinds = {
        "Issue": ("issue #", told.issue), "MergeRequest": ("merge request !", told.merge_request),
        "Snippet": ("snippet $", told.snippet), "Commit": ("commit ", told.commit),
    }  # fmt: skip
    word, about = kinds.get(record.noteable_type or "", ("", None))
    number = "" if about is None else str(about.iid or about.id)[:8]
    where = f"{link(record.url, f'commented on {word}{number}')} in {_place(told, link)}"
    title = link("", (about.title if about else None) or "")
    return ChatText(f"{link('', told.who)} {where}: {title}", link("", record.note or ""))


def _pipeline(told: Told, link: Link) -> ChatText | None:
    record = told.object_attributes
    if record.status not in _ENDED:
        return None
    number = link(f"{told.project.web_url}/-/pipelines/{record.id}", f"#{record.id}")
    minutes, seconds = divmod(int(record.duration or 0), 60)
    text = (
        f"{_place(told, link)}: Pipeline {number} of {'tag' if record.tag else 'branch'} "
        f"{link('', record.ref or '')} by {link('', told.who)} {_ENDED[record.status]} in {minutes:02}:{seconds:02}"
    )
    broken = ", ".join(one.name for one in told.builds if one.status == "failed" and not one.allow_failure)
    return ChatText(text, f"Failed jobs: {link('', broken)}" if broken else "", _COLOURS[record.status])


def _wiki_page(told: Told, link: Link) -> ChatText:
    record = told.object_attributes
    page, done = link(record.url, record.title), _WIKI.get(record.action or "", "changed")
    return ChatText(f"{link('', told.who)} {done} wiki page {page} in {_place(told, link)}")


def _deployment(told: Told, link: Link) -> ChatText | None:
    if told.status not in _DEPLOYED:
        return None
    place = f"{link('', told.environment)} of {_place(told, link)}"
    commit = f"{link(told.commit_url, told.short_sha)}: {link('', told.commit_title or '')}"
    text = f"Deploy to {place} by {link('', told.who)} {_DEPLOYED[told.status]}"
    return ChatText(text, commit, _COLOURS.get(told.status, "#345"))


_BUILDERS: Mapping[str, Callable[[Told, Link], ChatText | None]] = {
    "push": _push,
    "tag_push": _push,
    "issue": _issue,
    "merge_request": _merge_request,
    "note": _note,
    "pipeline": _pipeline,
    "wiki_page": _wiki_page,
    "deployment": _deployment,
}
