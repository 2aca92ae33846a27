"""What calls to other machines may reach, by the administrator's settings."""

from sqlalchemy import Connection
from yarl import URL

from ingot.instance.settings import application_setting, named_settings
from ingot.kit.outbound import Rules
from ingot.kit.services import Services

LOCAL_FOR_HOOKS = "allow_local_requests_from_web_hooks_and_services"
LISTED = "outbound_local_requests_whitelist"
DENY_OTHERS = "deny_all_requests_except_allowed"
SILENT_MODE = "silent_mode_enabled"


def outbound_rules(
    services: Services, conn: Connection, schemes: tuple[str, ...] = ("https",), local: str = LOCAL_FOR_HOOKS
) -> Rules:
    """The rules for one call; our own configured address may always be called.

    `local` names the setting that opens local addresses.
    """
    values = named_settings(conn, local, LISTED, DENY_OTHERS, SILENT_MODE)
    return Rules(
        allow_local=bool(values[local]) or services.settings.outbound_allow_local,
        schemes=schemes,
        allowed=tuple(values[LISTED] or []) + _own_place(services.settings.base_url),
        deny_others=bool(values[DENY_OTHERS]),
        is_silent=bool(values[SILENT_MODE]),
    )


def listed_rules(conn: Connection, schemes: tuple[str, ...]) -> Rules:
    """The rules for calls that anybody can cause by writing a text: of local places only those that are listed."""
    values = named_settings(conn, LISTED, DENY_OTHERS)
    return Rules(schemes=schemes, allowed=tuple(values[LISTED] or []), deny_others=bool(values[DENY_OTHERS]))


def is_silent(conn: Connection) -> bool:
    """Whether nothing may leave: administrators try a copy of an instance whose people must not hear of it."""
    return bool(application_setting(conn, SILENT_MODE))


def _own_place(base_url: str) -> tuple[str, ...]:
    own = URL(base_url) if base_url else None
    if own is None or own.raw_host is None:
        return ()
    host = f"[{own.raw_host}]" if ":" in own.raw_host else own.raw_host
    return (f"{host}:{own.port}",)
