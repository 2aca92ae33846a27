"""What forms of comments have in common, on issues and merge requests."""

from collections.abc import Mapping

from ingot.features.planning.issuables import Noteable, may_comment
from ingot.web.call import PageCall


def may_talk(call: PageCall, kind: str, record: Mapping[str, object]) -> bool:
    """The visitor may comment, although the discussion may be locked."""
    return may_comment(call.actor, Noteable(kind, call.project, locked=bool(record.get("discussion_locked"))))


def may_attach(call: PageCall) -> bool:
    """Files can be uploaded to link to them in texts of this project. Texts of groups know no files of theirs."""
    is_here = call.session is not None and call.project_or_none is not None
    return is_here and call.may("POST", "/projects/:id/uploads")


def wiki_files(call: PageCall) -> str:
    """The address of files that the pages of this wiki link to."""
    return "/groups/:id/wikis/attachments" if call.project_or_none is None else "/projects/:id/wikis/attachments"


def may_attach_to_wiki(call: PageCall) -> bool:
    """Files can be added to the wiki of this project or group, to link to them in its pages."""
    return call.session is not None and call.may("POST", wiki_files(call))
