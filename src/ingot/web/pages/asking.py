"""Asking to become a member of a project or group that one sees."""

from starlette.responses import Response

from ingot.features.spaces.access_requests import may_ask as may_ask_of
from ingot.web.call import PageCall
from ingot.web.guards import InGroup, InProject
from ingot.web.registry import Pages
from ingot.web.sending import done

project = Pages("project")
group = Pages("group")


@project.post("request_access", guard=InProject(needs_user=True))
@group.post("request_access", guard=InGroup(needs_user=True))
def request_access(call: PageCall) -> Response:
    """Ask; a maintainer or owner decides."""
    is_project = call.project_or_none is not None
    call.ask(f"/{'projects' if is_project else 'groups'}/:id/access_requests", "POST")
    path = f"/{call.project.full_path}" if is_project else f"/groups/{call.group.full_path}"
    return done(
        call,
        path,
        f"Access requested. {'A maintainer or owner' if is_project else 'An owner'} will review your request.",
    )


def may_ask(call: PageCall) -> bool:
    """The visitor is signed in and no member; whether the place takes requests, it says itself."""
    subject = call.project if call.project_or_none is not None else call.group
    return call.session is not None and may_ask_of(subject, enabled=True)
