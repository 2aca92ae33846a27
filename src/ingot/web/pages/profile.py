"""The visitor's own profile, status, picture, user name and addresses."""

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import TAB_COOKIE, TAB_WIDTHS, THEME_COOKIE, THEMES, set_cookie
from ingot.features.people.users import (
    edit_own_profile,
    own_addresses,
    remove_oneself,
    rename_oneself,
    why_not_removed,
)
from ingot.identity import sessions
from ingot.kit.errors import Forbidden
from ingot.kit.params import UploadedFile
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, declare
from ingot.web.sending import done, refused, text, texts
from ingot.web.visitors import require_session

pages = Pages("site")
PROFILE = "-/user_settings/profile"
ACCOUNT = "-/user_settings/account"
TEXTS = (
    "name", "pronouns", "bio", "location", "job_title", "organization", "website_url", "linkedin", "twitter",
    "discord", "public_email", "commit_email",
)  # fmt: skip
YEAR = 365 * 24 * 3600  # seconds
CLEAR_AFTER = ("30_minutes", "3_hours", "8_hours", "1_day", "3_days", "7_days", "30_days")
# Where GitLab has, or had, the same page.
FORMER = {
    "profile": PROFILE, "-/profile": PROFILE, "profile/account": ACCOUNT, "-/profile/account": ACCOUNT,
    "-/profile/emails": "-/user_settings/emails", "profile/emails": "-/user_settings/emails",
    "-/profile/keys": "-/user_settings/ssh_keys", "profile/keys": "-/user_settings/ssh_keys",
    "-/profile/password/edit": "-/user_settings/password/edit",
    "profile/password/edit": "-/user_settings/password/edit",
    "-/profile/personal_access_tokens": "-/user_settings/personal_access_tokens",
    "profile/personal_access_tokens": "-/user_settings/personal_access_tokens",
    "-/profile/two_factor_auth": "-/user_settings/two_factor_auth",
    "profile/two_factor_auth": "-/user_settings/two_factor_auth",
    "-/profile/active_sessions": "-/user_settings/active_sessions",
    "profile/active_sessions": "-/user_settings/active_sessions", "profile/notifications": "-/profile/notifications",
    "profile/gpg_keys": "-/user_settings/gpg_keys", "-/profile/gpg_keys": "-/user_settings/gpg_keys",
    "profile/applications": "-/user_settings/applications",
    "-/profile/applications": "-/user_settings/applications",
    "profile/preferences": "-/profile/preferences", "-/user_settings/preferences": "-/profile/preferences",
}  # fmt: skip
EMAILS = Collection(
    "emails", "Additional email addresses", "/user/emails", one="email_id", name="email", add="Add address",
    about="Commits with a confirmed address are attributed to you. Your primary address is on the Account page.",
    facts=(("Confirmed", "confirmed_at"),), inputs=(Input("email", "Email address"),),
    empty="No additional email addresses.", is_sensitive=True,
)  # fmt: skip

PREFERENCES = Settings(
    "preferences", "Preferences", "/user/preferences",
    (
        Input("view_diffs_file_by_file", "Show one changed file at a time"),
        Input("show_whitespace_in_diffs", "Show whitespace-only changes"),
        Input("pass_user_identities_to_ci_jwt", "Include my identity provider accounts in the ID tokens of my jobs"),
    ),
)  # fmt: skip


def _declare_redirect(former: str, now: str) -> None:
    def redirect(_: PageCall) -> Response:
        """The page's present address."""
        return RedirectResponse(f"/{now}", 301)

    pages.get(former, guard=SIGNED_IN)(redirect)


for _former, _now in FORMER.items():
    _declare_redirect(_former, _now)


def _settings_view(call: PageCall, template: str, tab: str, code: int = 200, /, **data: object) -> View:
    return site_view(
        call,
        template,
        code,
        part=tab,
        own_settings=True,
        offers_themes=tab == "preferences",
        tab_widths=TAB_WIDTHS,
        **data,
    )


for _page in (
    SettingsPage("-/user_settings/emails", "Email addresses", (EMAILS,), tab="emails"),
    SettingsPage("-/profile/preferences", "Preferences", (PREFERENCES,), tab="preferences"),
):
    declare(pages, _page, _settings_view, SIGNED_IN)


@pages.post("-/profile/preferences/theme", guard=SIGNED_IN)
def choose_theme(call: PageCall) -> Response:
    """Show light or dark pages in this browser, or those of its system."""
    return _choose(call, "theme", THEMES, THEME_COOKIE)


@pages.post("-/profile/preferences/tab_width", guard=SIGNED_IN)
def choose_tab_width(call: PageCall) -> Response:
    """How wide tabs are in code that this browser shows."""
    return _choose(call, "tab_width", TAB_WIDTHS, TAB_COOKIE)


def _choose(call: PageCall, name: str, choices: tuple[str, ...], cookie: str) -> Response:
    """Remember a choice in this browser; anything else leaves it to the browser."""
    response = done(call, f"/-/profile/preferences#{name}", "Saved.", name)
    chosen = text(call, name)
    if chosen in choices:
        set_cookie(response, cookie, chosen, call.base_url, max_age=YEAR)
    else:
        response.delete_cookie(cookie)
    return response


@pages.get(PROFILE, guard=SIGNED_IN)
def show_own_profile(call: PageCall) -> View:
    """What others see of the visitor, in forms."""
    return _profile(call)


@pages.post(PROFILE, guard=SIGNED_IN)
def save_profile(call: PageCall) -> View | Response:
    """Save the texts."""
    require_session(call)
    values: dict[str, object] = {name: value.strip() for name, value in texts(call, TEXTS).items()}
    values["private_profile"] = "private_profile" in call.values
    view = refused(
        lambda: edit_own_profile(call, values), lambda problem, status: _profile(call, problem, status, values)
    )
    return view or done(call, f"/{PROFILE}", "Profile saved.")


@pages.post(f"{PROFILE}/status", guard=SIGNED_IN)
def save_status(call: PageCall) -> View | Response:
    """Say what the visitor is doing, or clear it."""
    given = {name: value for name, value in texts(call, ("message", "emoji", "clear_status_after")).items() if value}
    given["availability"] = "busy" if "busy" in call.values else "not_set"
    view = refused(
        lambda: call.ask("/user/status", "PUT", **given), lambda problem, status: _profile(call, problem, status)
    )
    return view or done(call, f"/{PROFILE}#status", "Status saved.")


@pages.post(f"{PROFILE}/avatar", guard=SIGNED_IN)
def save_picture(call: PageCall) -> View | Response:
    """Show another picture, or none."""
    picture = call.values.get("avatar")
    chosen = picture if isinstance(picture, UploadedFile) and picture.filename else ""
    view = refused(
        lambda: call.ask("/user/avatar", "PUT", avatar=chosen),
        lambda problem, status: _profile(call, problem, status),
    )
    return view or done(call, f"/{PROFILE}#picture", "Avatar saved.")


@pages.get(ACCOUNT, guard=SIGNED_IN)
def show_account(call: PageCall) -> View:
    """The user name."""
    return _account(call, call.actor.username)


@pages.post(ACCOUNT, guard=SIGNED_IN)
def rename(call: PageCall) -> View | Response:
    """Take another user name."""
    require_session(call)
    username = text(call, "username")
    view = refused(
        lambda: rename_oneself(call, username), lambda problem, status: _account(call, username, problem, status)
    )
    return view or done(call, f"/{ACCOUNT}", "Username saved.")


@pages.post(f"{ACCOUNT}/remove", guard=Proved(SIGNED_IN))
def remove_account(call: PageCall) -> View | Response:
    """Delete the account, once its name was typed."""
    session = require_session(call)
    if sessions.IMPERSONATOR in session.details:
        raise Forbidden
    name = call.actor.username
    if text(call, "confirm") != name:
        return _account(call, name, "Type your username to delete the account.", 422)
    view = refused(lambda: remove_oneself(call), lambda problem, status: _account(call, name, problem, status))
    return view or View("account_notice", {"text": "Your account was deleted.", "me": None, "token": ""})


def _account(call: PageCall, username: str, problem: str = "", status: int = 200) -> View:
    user = call.ask("/user")
    return site_view(
        call, "account", status, user=user, username=username, problem=problem, part="account",
        hindrance=why_not_removed(call.conn, call.actor.id),
        projects=call.ask_rows("/users/:user_id/projects", user_id=call.actor.id, per_page="1").total,
    )  # fmt: skip


def _profile(call: PageCall, problem: str = "", status: int = 200, values: dict[str, object] | None = None) -> View:
    user = call.ask("/user")
    return site_view(
        call, "profile", status, user={**user, **(values or {})}, said=call.ask("/user/status"), problem=problem,
        addresses=own_addresses(call.conn, call.actor.id), part="profile",
        clear_after=CLEAR_AFTER,
    )  # fmt: skip
