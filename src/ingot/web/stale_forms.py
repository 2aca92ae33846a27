"""What answers a form whose session has ended: that of signing in, or the question whether it shall be sent."""

from ingot.features.people.user_pages import is_surely_from_here, local_path
from ingot.web.call import PageCall, View
from ingot.web.kept_forms import GO_ON, LONGEST, NOT_STORED, KeptForm, ask_to_send, carried, find_kept, form_of
from ingot.web.pages.sign_in import sign_in_form
from ingot.web.sending import flat_fields

SIGN_IN = "/users/sign_in"
TOO_LATE = "This page was open for too long. Enter your password again."
LONGEST_LOGIN = 255


def answer_stale_form(call: PageCall) -> View | None:
    """The page that takes the form over; None where it is not known to come from one of ours, or needs no session."""
    if not is_surely_from_here(call.request, call.base_url):
        return None
    if call.request.url.path == SIGN_IN and call.session is None:
        return _sign_in_again(call)
    form = find_kept(call) if call.request.url.path == GO_ON else None
    if form is None:
        if not call.endpoint.guard.needs_user and call.endpoint.tag == "site":
            return None
        if sum(len(value) for _, value in flat_fields(call.values)) > LONGEST:
            return None
        form = form_of(call)
    return ask_to_sign_in(call, form) if call.session is None else ask_to_send(call, form)


def ask_to_sign_in(call: PageCall, form: KeptForm) -> View:
    """The form of signing in, which takes another along."""
    call.values = carried(form)
    view = sign_in_form(call, "/", status=401)
    view.data["kept_form"] = form
    view.data["has_ended"] = True
    view.headers.update(NOT_STORED)
    return view


def _sign_in_again(call: PageCall) -> View:
    """The form of signing in with a fresh token: its page was open for longer than a day."""
    user = call.values.get("user")
    login = str(user.get("login", ""))[:LONGEST_LOGIN] if isinstance(user, dict) else ""
    return sign_in_form(call, local_path(str(call.values.get("return_to", "")), fallback="/"), login, TOO_LATE, 403)
