"""Applications that sign people in here: a person's own, a group's, the instance's; and those that a person let in."""

from collections.abc import Callable

import msgspec
from sqlalchemy import ColumnElement
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import ADMINISTRATOR, OWN_GROUP, SIGNED_IN
from ingot.features.people.oauth import (
    SCOPES,
    ApplicationRow,
    authorized_applications,
    create_application,
    delete_application,
    find_application,
    list_applications,
    renew_secret,
)
from ingot.identity.oauth_tables import oauth_applications as applications
from ingot.identity.oauth_tokens import revoke_of_application
from ingot.kit.endpoint import Guard
from ingot.kit.errors import ApiError, Conflict, NotFound
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.guards import InGroup, Proved
from ingot.web.one_time_secrets import show_once, with_secret
from ingot.web.pages.admin import admin_view
from ingot.web.pages.group_settings import settings_view
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done

site_pages = Pages("site")
group_pages = Pages("group")
OWN = "-/user_settings/applications"
ADMIN = "admin/applications"
GROUP = "settings/applications"
MOST = 100
TOO_MANY = f"You have reached the limit of {MOST} applications. Delete one that is no longer used."


class Owner(msgspec.Struct, frozen=True):
    """Whose applications a page shows; the instance's have no owner."""

    user_id: int | None = None
    group_id: int | None = None

    def conditions(self) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        """The rows of this owner."""
        return (
            applications.c.user_id.is_not_distinct_from(self.user_id),
            applications.c.group_id.is_not_distinct_from(self.group_id),
        )


class ApplicationForm(msgspec.Struct):
    """A form as it was sent."""

    name: str
    redirect_uri: str
    scopes: str
    confidential: bool
    trusted: bool


Frame = Callable[..., View]


def _declare(pages: Pages, path: str, guard: Guard, owner_of: Callable[[PageCall], Owner], frame: Frame) -> None:
    def show_applications(call: PageCall) -> View:
        """The list, and the form for a new one."""
        return with_secret(call, lambda secret: _show(call, frame, owner_of(call), secret=secret))

    def add_application(call: PageCall) -> View | Response:
        """Register one; the page shows its secret once."""
        owner = owner_of(call)
        form = _form(call, may_trust=path == ADMIN)
        try:
            with call.services.db.write() as tx:
                if len(tx.execute(list_applications(*owner.conditions())).all()) >= MOST:
                    raise Conflict(TOO_MANY)
                row, secret = create_application(tx, form, user_id=owner.user_id, group_id=owner.group_id)
        except ApiError as error:
            return _show(call, frame, owner, status=error.status, form=form, problem=refusal_of(error))
        return _back_with_secret(call, row, secret)

    def renew_application_secret(call: PageCall) -> Response:
        """A new secret in place of the former."""
        with call.services.db.write() as tx:
            row = _application(call, owner_of(call))
            secret = renew_secret(tx, row)
        return _back_with_secret(call, row, secret)

    def remove_application(call: PageCall) -> Response:
        """Delete it with all its tokens."""
        with call.services.db.write() as tx:
            delete_application(tx, _application(call, owner_of(call)))
        call.services.tokens.forget()
        return done(call, _place(call), "Application deleted.")

    pages.get(path, guard=guard)(show_applications)
    pages.post(path, guard=Proved(guard))(add_application)
    pages.post(path + "/{number:int}/renew", guard=Proved(guard))(renew_application_secret)
    pages.post(path + "/{number:int}/remove", guard=Proved(guard))(remove_application)


def _application(call: PageCall, owner: Owner) -> ApplicationRow:
    with call.services.db.read() as conn:
        row = find_application(conn, int(call.path["number"]), *owner.conditions())
    if row is None:
        raise NotFound
    return row


def _back_with_secret(call: PageCall, row: ApplicationRow, secret: str) -> Response:
    return show_once(call, _place(call), name=row.name, uid=row.uid, value=secret)


def _form(call: PageCall, *, may_trust: bool) -> ApplicationForm:
    scopes = call.values.get("scopes")
    return ApplicationForm(
        name=str(call.values.get("name", "")),
        redirect_uri=str(call.values.get("redirect_uri", "")),
        scopes=" ".join(map(str, scopes)) if isinstance(scopes, list) else "",
        confidential="confidential" in call.values,
        trusted=may_trust and "trusted" in call.values,
    )


def _place(call: PageCall) -> str:
    """The page that the form belongs to."""
    if call.group_or_none is not None:
        return f"/groups/{call.group.full_path}/-/{GROUP}"
    return f"/{ADMIN}" if call.request.url.path.startswith(f"/{ADMIN}") else f"/{OWN}"


def _show(call: PageCall, frame: Frame, owner: Owner, status: int = 200, **data: object) -> View:
    place = _place(call)
    with call.services.db.read() as conn:
        rows = conn.execute(list_applications(*owner.conditions()).limit(MOST)).all()
        authorized = authorized_applications(conn, owner.user_id) if owner.user_id is not None else []
    shown = {"rows": rows, "authorized": authorized, "place": place, "scopes": SCOPES, "part": "applications",
             "may_trust": place == f"/{ADMIN}", "is_own": owner.user_id is not None}  # fmt: skip
    view = frame(call, "applications", "settings", status, **shown, **data)
    view.headers["Cache-Control"] = "no-store"
    return view


def _own_view(call: PageCall, template: str, _tab: str, status: int = 200, /, **data: object) -> View:
    return site_view(call, template, status, **data)


@site_pages.get("oauth/applications", guard=SIGNED_IN)
def show_own_applications(_: PageCall) -> Response:
    """The former address."""
    return RedirectResponse(f"/{OWN}", 302)


@site_pages.post(OWN + "/{number:int}/revoke", guard=Proved(SIGNED_IN))
def revoke_application(call: PageCall) -> Response:
    """Take back what the visitor allowed an application."""
    with call.services.db.write() as tx:
        revoke_of_application(tx, int(call.path["number"]), call.actor.id)
    call.services.tokens.forget()
    return done(call, f"/{OWN}", "Application revoked.")


_declare(site_pages, OWN, SIGNED_IN, lambda call: Owner(user_id=call.actor.id), _own_view)
_declare(site_pages, ADMIN, ADMINISTRATOR, lambda _: Owner(), admin_view)
_declare(
    group_pages, GROUP, InGroup(OWN_GROUP, needs_user=True), lambda call: Owner(group_id=call.group.id), settings_view
)
