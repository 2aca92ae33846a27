"""The page that asks people once more who they are."""

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import local_path
from ingot.web.call import PageCall, View
from ingot.web.hurdles import CONFIRM_ACCESS
from ingot.web.kept_forms import GO_ON, ask_to_send, find_kept
from ingot.web.proving import check_proof, confirm_view
from ingot.web.registry import Pages
from ingot.web.sending import done
from ingot.web.stale_forms import ask_to_sign_in
from ingot.web.visitors import require_session

pages = Pages("site")


@pages.get(CONFIRM_ACCESS, guard=SIGNED_IN)
def show_confirmation(call: PageCall) -> View:
    """The form alone."""
    require_session(call)
    return confirm_view(call, _return_to(call))


@pages.post(CONFIRM_ACCESS, guard=SIGNED_IN)
def confirm_access(call: PageCall) -> View | Response:
    """Note in the session that its person has proved who they are; then show the form that had to wait."""
    form = find_kept(call)
    problem = check_proof(call)
    if problem is not None:
        return confirm_view(call, _return_to(call), problem.words, problem.status, is_held="is_held" in call.values)
    if form is not None:
        return ask_to_send(call, form, status=200, is_confirmed=True)
    return done(call, _return_to(call), "Identity confirmed. You will not be asked again for ten minutes.")


@pages.post(GO_ON.removeprefix("/"))
def go_on(call: PageCall) -> View | Response:
    """Show the form that had to wait, to somebody who signed in in another tab meanwhile."""
    form = find_kept(call)
    if form is None:
        return done(call, "/", "There is no saved form to continue.")
    return ask_to_sign_in(call, form) if call.session is None else ask_to_send(call, form, status=200)


def _return_to(call: PageCall) -> str:
    return local_path(str(call.values.get("return_to", "")), fallback="/")
