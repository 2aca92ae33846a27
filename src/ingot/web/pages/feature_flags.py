"""One feature flag with its strategies, and one user list."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.pages.project_settings import GUARD, settings_view
from ingot.web.registry import Pages
from ingot.web.sections import Settings, SettingsPage, declare
from ingot.web.sending import done, refused, text

pages = Pages("project")
FLAG = "/projects/:id/feature_flags/:feature_flag_name"
LISTS = "/projects/:id/feature_flags_user_lists"
PATH = "feature_flags/{name}/edit"
KINDS = {
    "default": "All users", "flexibleRollout": "Percent rollout",
    "gradualRolloutUserId": "Percent of users", "userWithId": "User IDs", "gitlabUserList": "A user list",
}  # fmt: skip
# What each needs besides its environments, and the value of an empty form.
PARAMETERS: Mapping[str, Mapping[str, str]] = {
    "default": {}, "flexibleRollout": {"rollout": "100", "stickiness": "default", "groupId": "default"},
    "gradualRolloutUserId": {"percentage": "100", "groupId": "default"}, "userWithId": {"userIds": ""},
    "gitlabUserList": {},
}  # fmt: skip
STICKY = (
    ("default", "User ID, then session, then random"), ("userId", "User"), ("sessionId", "Session"),
    ("random", "Random"),
)  # fmt: skip
USER_LIST = SettingsPage(
    "feature_flags_user_lists/{iid:int}/edit", "User list",
    (
        Settings(
            "user_list", "User list", f"{LISTS}/:iid",
            (Input("name"), Input("user_xids", "User IDs, separated by commas", kind="long")),
            about="User IDs as used by the application.", remove="Delete user list",
            facts=(("Created", "created_at"), ("Changed", "updated_at")),
        ),
    ),
    keys=lambda call: {"iid": call.path["iid"]}, above="feature_flags", titled_by="name",
)  # fmt: skip
declare(pages, USER_LIST, settings_view, GUARD)


@pages.get("feature_flags_user_lists", guard=GUARD)
def list_user_lists(call: PageCall) -> Response:
    """They stand on the page of the flags."""
    return RedirectResponse(f"/{call.project.full_path}/-/feature_flags#user_lists", 302)


@pages.get("feature_flags_user_lists/{iid:int}", guard=GUARD)
def show_user_list(call: PageCall) -> Response:
    """The page of a list is its form."""
    return RedirectResponse(f"/{call.project.full_path}/-/feature_flags_user_lists/{call.path['iid']}/edit", 302)


@pages.get("feature_flags/{name}", guard=GUARD)
def show_flag(call: PageCall) -> Response:
    """The page of a flag is its form."""
    return RedirectResponse(_here(call), 302)


@pages.get(PATH, guard=GUARD)
def edit_flag(call: PageCall) -> View:
    """The flag, its strategies and their forms."""
    return _show(call)


@pages.post(f"{PATH}/flag", guard=GUARD)
def save_flag(call: PageCall) -> View | Response:
    """Switch the flag, or say what it is for."""
    return _change(call, description=text(call, "description"), active="active" in call.values)


@pages.post(f"{PATH}/strategies", guard=GUARD)
def add_strategy(call: PageCall) -> View | Response:
    """Add a strategy."""
    scopes = [{"environment_scope": name} for name in _environments(call)]
    return _change(call, strategies=[{**_strategy(call, text(call, "kind")), "scopes": scopes}])


@pages.post(f"{PATH}/strategies/{{number:int}}", guard=GUARD)
def change_strategy(call: PageCall) -> View | Response:
    """Change a strategy; environments that are no longer named are removed from it."""
    flag = _flag(call)
    known = next((row for row in flag["strategies"] if str(row["id"]) == call.path["number"]), None)
    if known is None:
        raise NotFound
    names, before = _environments(call), {scope["environment_scope"]: scope["id"] for scope in known["scopes"]}
    scopes = [{"id": number, "_destroy": True} for name, number in before.items() if name not in names]
    scopes += [{"environment_scope": name} for name in names if name not in before]
    return _change(call, strategies=[{"id": known["id"], **_strategy(call, known["name"]), "scopes": scopes}])


@pages.post(f"{PATH}/strategies/{{number:int}}/remove", guard=GUARD)
def remove_strategy(call: PageCall) -> View | Response:
    """Remove a strategy."""
    return _change(call, strategies=[{"id": call.path["number"], "_destroy": True}])


@pages.post(f"{PATH}/remove", guard=GUARD)
def remove_flag(call: PageCall) -> Response:
    """Delete the flag."""
    call.ask(FLAG, "DELETE", feature_flag_name=call.path["name"])
    return done(call, f"/{call.project.full_path}/-/feature_flags", "Feature flag deleted.")


def _strategy(call: PageCall, kind: str) -> dict[str, object]:
    """The kind of a strategy with what its form says."""
    given: dict[str, object] = {"name": kind}
    given["parameters"] = {name: text(call, name) or start for name, start in PARAMETERS.get(kind, {}).items()}
    if kind == "userWithId":
        ids = [part.strip() for part in text(call, "userIds").split(",")]
        given["parameters"] = {"userIds": ",".join(part for part in ids if part)}
    if kind == "gitlabUserList":
        given["user_list_id"] = text(call, "user_list_id") or None
    return given


def _environments(call: PageCall) -> list[str]:
    names = [part.strip() for part in text(call, "environments").split(",")]
    return list(dict.fromkeys(name for name in names if name)) or ["*"]


def _change(call: PageCall, **values: object) -> View | Response:
    view = refused(
        lambda: call.ask(FLAG, "PUT", feature_flag_name=call.path["name"], **values),
        lambda problem, status: _show(call, problem, status),
    )
    return view or done(call, f"{_here(call)}", "Feature flag saved.")


# Any: a record of the API.
def _flag(call: PageCall) -> dict[str, Any]:
    flag: dict[str, Any] = call.ask(FLAG, feature_flag_name=call.path["name"])
    return flag


def _show(call: PageCall, problem: str = "", status: int = 200) -> View:
    return settings_view(
        call, "feature_flag", "settings", status, flag=_flag(call), kinds=KINDS, parameters=PARAMETERS, sticky=STICKY,
        lists=call.ask_or_none(LISTS, per_page="100") or [], problem=problem, here=_here(call),
        may_change=call.may("PUT", FLAG, feature_flag_name=call.path["name"]),
    )  # fmt: skip


def _here(call: PageCall) -> str:
    return f"/{call.project.full_path}/-/feature_flags/{quote(call.path['name'], safe='')}/edit"
