"""Settings: one frozen value, read once from `INGOT_*` variables, an optional `ingot.toml`, and the command line.

Each field's metadata is its documentation; `docs/operating.md` lists them.
"""

import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

T = TypeVar("T")


class SettingError(Exception):
    """A setting has a value that cannot be used."""


def setting(default: T, doc: str, *, secret: bool = False) -> T:
    """A documented setting; a secret one is shown nowhere."""
    return field(default=default, metadata={"doc": doc, "secret": secret})


LOG_LEVELS = ("debug", "info", "warning", "error")
LOWEST = {
    "workers": 0, "read_threads": 0, "work_threads": 1, "pool_size": 1, "worker_threads": 1, "worker_takeover": 0.1,
    "statement_timeout": 0, "git_timeout": 0.1, "max_connections": 16,
    "max_connections_per_address": 1, "git_memory": 16, "git_transfers": 1, "git_transfers_per_caller": 1,
    "git_transfers_per_project": 0, "git_transfers_per_address": 0,
    "rate_limit_callers_per_project": 0, "rate_limit_callers_per_address": 0,
    "git_transfer_wait": 0, "git_calls_per_address": 0, "git_call_wait": 0, "slow_request": 0,
}  # fmt: skip
TIERS = ("free", "premium", "ultimate")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with the defaults of the embedded form."""

    host: str = setting("127.0.0.1", "Address to listen on.")
    port: int = setting(8080, "Port to listen on.")
    workers: int = setting(0, "API processes; 0 means one per CPU core, at most eight.")
    data: str = setting("data", "Folder for the embedded database, repositories and objects.")
    database_url: str = setting("", "Database; empty means SQLite below the data folder.", secret=True)
    database_read_url: str = setting(
        "",
        "PostgreSQL standby that serves API lists while it is up to date; empty means none.",
        secret=True,
    )
    database_pooler: bool = setting(
        False,
        "`database_url` points to a pooler in transaction mode, such as PgBouncer, so no session state is used."
        " Statement limits are then those of the database role.",
    )
    base_url: str = setting("", "URL that users open; empty means the address of each request.")
    content_url: str = setting(
        "",
        "Address with another host name, where HTML and SVG files of users may run (docs/tls.md); empty means nowhere.",
    )
    allowed_hosts: str = setting(
        "",
        "Hosts that requests may name besides those of `base_url` and of the listening address, `name,name:port`."
        " Other `Host` values are not used in URLs.",
    )
    tls_certificate: str = setting(
        "", "Certificate file in PEM, with its chain. `port` then serves HTTPS. A renewed file is used immediately."
    )
    tls_key: str = setting("", "File with the key of `tls_certificate`; empty means that it is in the same file.")
    trusted_proxies: str = setting(
        "127.0.0.1,::1",
        "Addresses and networks of proxies whose `X-Forwarded-For` and `-Proto` are trusted.",
    )
    metrics_addresses: str = setting(
        "", "Addresses and networks that can read `/-/metrics` without an administrator token, in addition to loopback."
    )
    metrics_loopback: bool = setting(
        True,
        "Allow this machine to read `/-/metrics` without a token. Turn it off behind a proxy on this machine that"
        " adds no forwarding header, unless `base_url` is set.",
    )
    header_timeout: float = setting(15.0, "Seconds a client has to send the request headers.")
    body_timeout: float = setting(
        60.0, "Seconds a client has to send or receive the next 4 KiB of a body before it is disconnected."
    )
    max_connections: int = setting(4096, "Connections per API process; a new one replaces the longest idle one.")
    max_connections_per_address: int = setting(
        512, "Connections of one address (IPv6: one /64) per API process; trusted proxies have no such limit."
    )
    ssh: bool = setting(
        True,
        "Allow fetch and push over SSH, on `ssh_port` and through the OpenSSH server of the machine (docs/ssh.md).",
    )
    ssh_port: int = setting(
        2222,
        "Port of the SSH server; 0 picks a free port, -1 turns it off, so that only the OpenSSH server of the machine"
        " is used.",
    )
    ssh_user: str = setting("git", "User name for all SSH connections, shown in SSH URLs.")
    ssh_public_host: str = setting("", "Host in SSH addresses; empty means the one of each request.")
    ssh_public_port: int = setting(0, "Port in SSH addresses, where a proxy or OpenSSH listens; 0 means `ssh_port`.")
    lfs: bool = setting(True, "Offer Git LFS; if off, no project has it, regardless of its settings.")
    root_token: str = setting("", "Fixed initial token of the administrator `root`, for test setups.", secret=True)
    tier: str = setting("ultimate", "`free`, `premium` or `ultimate`.")
    oauth_password_grant: bool = setting(
        False, "Allow the OAuth password grant: clients exchange a username and password for a token (docs/oauth.md)."
    )
    openid_issuer: str = setting(
        "", "URL of the OpenID Connect provider for sign-in (docs/openid.md); empty means none."
    )
    openid_client_id: str = setting("", "Client ID issued by the provider.")
    openid_client_secret: str = setting("", "Client secret for `openid_client_id`.", secret=True)
    openid_label: str = setting("OpenID Connect", "Name of the provider on the sign-in page.")
    openid_scopes: str = setting("openid profile email", "Scopes requested from the provider.")
    openid_registration: bool = setting(True, "Create accounts for provider users who have none.")
    ldap_url: str = setting(
        "", "Directory whose users can sign in, `ldaps://host` or `ldap://host` (docs/ldap.md); empty means none."
    )
    ldap_start_tls: bool = setting(True, "Encrypt connections to an `ldap://` address before anything is sent.")
    ldap_ca_file: str = setting("", "CA certificates trusted for the directory; empty means the system's.")
    ldap_base: str = setting("", "Directory entry below which users are searched.")
    ldap_bind_dn: str = setting("", "Entry that the server binds as to search; empty means an anonymous bind.")
    ldap_bind_password: str = setting("", "Password of `ldap_bind_dn`.", secret=True)
    ldap_uid: str = setting("uid", "Attribute that contains the username.")
    ldap_filter: str = setting("", "Additional filter that users must match, such as `(memberOf=cn=git,dc=corp)`.")
    ldap_label: str = setting("LDAP", "Name of the directory on the sign-in page.")
    ldap_registration: bool = setting(True, "Create accounts for directory users who have none.")
    secret_key: str = setting(
        "", "Key for encrypting credentials at rest; empty means one kept in the data folder.", secret=True
    )
    read_threads: int = setting(0, "Threads for reading; 0 means 1 on SQLite and 8 on PostgreSQL.")
    work_threads: int = setting(
        8, "Threads for writes (on SQLite, all but one for slow writes), for git and for objects."
    )
    pool_size: int = setting(16, "Database connections per process and engine.")
    statement_timeout: float = setting(
        30.0,
        "Seconds after which a statement of a request is ended (the answer is 503); 0 means never."
        " Background work, migrations and commands have no such limit.",
    )
    git_memory: int = setting(
        1024, "Megabytes that one git command may allocate (the answer is 413); clones, pushes and upkeep: 4 GB."
    )
    git_timeout: float = setting(
        60.0, "Seconds after which a git command is ended (the answer is 503); clones, pushes and copies have an hour."
    )
    git_calls_per_address: int = setting(
        0,
        "Concurrent API calls and pages that use git, per address (IPv6: one /64) per API process; 0: no limit.",
    )
    git_call_wait: float = setting(
        30.0, "Seconds that a call over `git_calls_per_address` waits before it is rejected with 429; 0 means no limit."
    )
    git_transfers: int = setting(
        64, "Concurrent clones, fetches and pushes per API process, and as many over SSH. Further ones wait."
    )
    git_transfers_per_caller: int = setting(
        16, "Like `git_transfers`, but per user, or per address (IPv6: per /64) for anonymous requests."
    )
    git_transfers_per_project: int = setting(
        0, "Like `git_transfers`, but per project or wiki; 0 means three quarters of `git_transfers`, rounded up."
    )
    git_transfers_per_address: int = setting(
        0,
        "Like `git_transfers`, but per address (IPv6: per /64), regardless of the user; 0 means three quarters of"
        " `git_transfers`, rounded up.",
    )
    git_transfer_wait: float = setting(
        30.0,
        "Seconds that a clone, fetch or push waits in the queue before it is rejected, over HTTP with 503; over SSH"
        " it waits twenty times as long.",
    )
    repository_storages: str = setting(
        "", "Named repository roots, `name=path,name=path`; empty: `default` in the data folder."
    )
    object_store: str = setting(
        "", "Object store URL (`s3://bucket/prefix`); empty means a folder below the data folder."
    )
    s3_endpoint: str = setting("", "Endpoint of the S3 service; empty means the provider's own.")
    s3_region: str = setting("us-east-1", "Region of the bucket.")
    s3_access_key_id: str = setting("", "Access key of the bucket.")
    s3_secret_access_key: str = setting("", "Secret key of the bucket.", secret=True)
    s3_checksums: bool = setting(
        True,
        "Send a SHA-256 checksum with every object, which the store verifies and keeps; some stores do not support"
        " this.",
    )
    s3_import_endpoint: str = setting("", "Endpoint override for imports from S3.")
    object_store_timeout: float = setting(
        15.0,
        "Seconds without a response from the S3 service before requests that need it fail with 503;"
        " it may take eight times as long for 8 MiB.",
    )
    object_redirect: bool = setting(False, "Redirect clients to presigned store URLs for downloads where possible.")
    webhook_timeout: float = setting(
        10.0, "Seconds that a webhook receiver or an external image server has to respond."
    )
    outbound_allow_local: bool = setting(False, "Allow plain http and local addresses for remote imports and uploads.")
    worker: bool = setting(True, "Run background work inside `serve`.")
    worker_threads: int = setting(4, "Concurrent background jobs per process; half of them for long jobs.")
    worker_takeover: float = setting(60.0, "Seconds without a heartbeat after which another worker takes over.")
    job_request_wait: float = setting(
        20.0, "Seconds that a runner's job request stays open when there is no job; 0 means an immediate response."
    )
    rate_limits: bool = setting(False, "Enforce request rate limits.")
    rate_limit_callers_per_project: int = setting(
        20,
        "With `rate_limits`: the limit per project for all users together, and for all anonymous callers together,"
        " as a multiple of the limit per caller (archives, exports, searches, runner jobs); 0 means no limit.",
    )
    rate_limit_callers_per_address: int = setting(
        20,
        "With `rate_limits`: the limit for all callers of one address (IPv6: one /64) across all projects, as a"
        " multiple of the limit per caller (archives, exports, searches, runner jobs); 0 means no limit.",
    )
    smtp_url: str = setting(
        "", "Mail server (`smtp://user:password@host:port`); empty means no emails are sent.", secret=True
    )
    mail_from: str = setting("ingot@localhost", "Sender address of emails.")
    saml_links_without_provider: bool = setting(
        True, "Allow SAML group links before the group has an identity provider; off: they answer 401 until then."
    )
    query_count_header: bool = setting(
        False,
        "Send the number of SQL statements in `X-Query-Count`; for tests only, because it is visible to everyone.",
    )
    slow_request: float = setting(
        2.0,
        "Seconds from which on a request is logged as slow, with the statements, git commands and object"
        " calls that took longest; 0 means never.",
    )
    otlp_endpoint: str = setting(
        "", "Address of an OpenTelemetry collector that traces are sent to (`http://host:4318`); empty means none."
    )
    log_level: str = setting("info", "`debug`, `info`, `warning` or `error`.")

    @property
    def data_folder(self) -> Path:
        """The data folder as an absolute path."""
        return Path(self.data).absolute()

    @property
    def effective_database_url(self) -> str:
        """The database that is really used."""
        return self.database_url or f"sqlite:///{self.data_folder / 'ingot.db'}"

    @property
    def scheme(self) -> str:
        """What the listening port speaks."""
        return "https" if self.tls_certificate else "http"

    @property
    def public_url(self) -> str:
        """The address that people use, as far as the settings tell it."""
        return self.base_url or f"{self.scheme}://{self.host}:{self.port}"

    @property
    def is_sqlite(self) -> bool:
        """The embedded database is in use."""
        return self.effective_database_url.startswith("sqlite")

    @property
    def objects_folder(self) -> Path:
        """Where objects live without an object store."""
        return self.data_folder / "objects"

    @property
    def storage_roots(self) -> dict[str, Path]:
        """Repository storages by name; the first is where new projects go."""
        pairs = [part.partition("=") for part in self.repository_storages.split(",") if part.strip()]
        named = {name.strip(): Path(path.strip()).absolute() for name, _, path in pairs}
        return named or {"default": self.data_folder / "repositories"}

    @property
    def bucket(self) -> tuple[str, str]:
        """Bucket and prefix of the object store."""
        bucket, _, prefix = self.object_store.removeprefix("s3://").partition("/")
        return bucket, prefix.strip("/")

    @property
    def transfers_per_project(self) -> int:
        """How many clones, fetches and pushes one project may have at once."""
        return self.git_transfers_per_project or math.ceil(self.git_transfers * 3 / 4)

    @property
    def transfers_per_address(self) -> int:
        """How many clones, fetches and pushes may come from one address at once."""
        return self.git_transfers_per_address or math.ceil(self.git_transfers * 3 / 4)

    @property
    def advertised_ssh_port(self) -> int:
        """The port in SSH addresses; 22 where nothing says otherwise."""
        return self.ssh_public_port or (self.ssh_port if self.ssh and self.ssh_port > 0 else 22)

    def has_tier(self, tier: str) -> bool:
        """The instance's tier includes this one."""
        return TIERS.index(self.tier) >= TIERS.index(tier)


def load(overrides: Mapping[str, object] | None = None, environment: dict[str, str] | None = None) -> Settings:
    """Settings from file, environment and command line; the later wins."""
    env = os.environ if environment is None else environment
    result: dict[str, Any] = {}
    _refuse_unknown(env)
    file = Path(env.get("INGOT_CONFIG", "ingot.toml"))
    if file.is_file():
        result.update(_from_file(file))
    elif "INGOT_CONFIG" in env:
        raise SettingError(f"INGOT_CONFIG points to {file}, which is not a file; create it or unset the variable")
    for spec in fields(Settings):
        text = env.get(f"INGOT_{spec.name.upper()}")
        if text is not None:
            result[spec.name] = text
    result.update({name: value for name, value in (overrides or {}).items() if value is not None})
    return make(result)


# Variables of ours that are no settings: where the settings are, what `ingot runner` needs, and what tests need.
OTHER_VARIABLES = ("INGOT_CONFIG", "INGOT_RUNNER_URL", "INGOT_RUNNER_TOKEN")
OTHER_PREFIXES = ("INGOT_TEST_", "INGOT_BENCH_")
# Settings of earlier versions that mean nothing any more: an upgrade does not stop at them.
RETIRED = frozenset({"token_cache_seconds"})


def _refuse_unknown(env: Mapping[str, str]) -> None:
    """A misspelt variable would be silently ignored."""
    names = [spec.name for spec in fields(Settings)] + sorted(RETIRED)
    known = [f"INGOT_{name.upper()}" for name in names] + list(OTHER_VARIABLES)
    for name in sorted(env):
        if name.startswith("INGOT_") and name not in known and not name.startswith(OTHER_PREFIXES):
            raise SettingError(f"unknown variable {name} ({_hint(name, known, 'unset it')})")


def _hint(name: str, known: Sequence[str], otherwise: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else otherwise


def make(values: Mapping[str, object]) -> Settings:
    """Settings from loose values, checked."""
    types = {spec.name: type(spec.default) for spec in fields(Settings)}
    ready = {}
    for name, value in values.items():
        if name in RETIRED:
            continue
        if name not in types:
            raise SettingError(f"unknown setting {name} ({_hint(name, list(types), 'remove it')})")
        ready[name] = _coerce(name, value, types[name])
    if ready.get("base_url"):
        ready["base_url"] = _address(ready["base_url"])
    if ready.get("content_url"):
        ready["content_url"] = ready["content_url"].strip().rstrip("/").lower()
    settings = Settings(**ready)
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    for name, lowest in LOWEST.items():
        if getattr(settings, name) < lowest:
            raise SettingError(f"{name} must be at least {lowest}, not {getattr(settings, name)}")
    if settings.tier not in TIERS:
        raise SettingError(f"tier must be one of {', '.join(TIERS)}, not {settings.tier}")
    for name in ("object_store_timeout", "header_timeout", "body_timeout"):
        if getattr(settings, name) <= 0:
            raise SettingError(f"{name} must be more than 0, not {getattr(settings, name)}")
    for name in ("trusted_proxies", "metrics_addresses"):
        _check_networks(name, getattr(settings, name))
    if settings.log_level not in LOG_LEVELS:
        raise SettingError(f"log_level must be one of {', '.join(LOG_LEVELS)}, not {settings.log_level}")
    if not 0 <= settings.port < 65536:
        raise SettingError(f"port must be between 0 and 65535, not {settings.port}")
    # Runners and proxies commonly give up on an answer after a minute.
    if not 0 <= settings.job_request_wait <= 50:
        raise SettingError(f"job_request_wait must be between 0 and 50, not {settings.job_request_wait}")
    _check_ssh(settings)
    _check_content(settings)
    _check_tls(settings)
    _check_places(settings)
    _check_traces(settings.otlp_endpoint)


def _check_traces(endpoint: str) -> None:
    if not endpoint:
        return
    if not endpoint.startswith(("http://", "https://")):
        raise SettingError(f"otlp_endpoint must begin with http:// or https://, not be {endpoint}")
    from importlib.util import find_spec

    if find_spec("opentelemetry") is None:
        raise SettingError("otlp_endpoint needs OpenTelemetry: pip install 'ingot[otel]'")


def _check_ssh(settings: Settings) -> None:
    if not -1 <= settings.ssh_port < 65536:
        raise SettingError(f"ssh_port must be between -1 and 65535, not {settings.ssh_port}")
    if not settings.ssh_user.isascii() or not settings.ssh_user.replace("-", "").replace("_", "").isalnum():
        raise SettingError(f"ssh_user must be the name of a user, not {settings.ssh_user!r}")
    if not 0 <= settings.ssh_public_port < 65536:
        raise SettingError(f"ssh_public_port must be between 0 and 65535, not {settings.ssh_public_port}")


def _check_tls(settings: Settings) -> None:
    if settings.tls_key and not settings.tls_certificate:
        raise SettingError("tls_key requires tls_certificate")
    if settings.tls_certificate and settings.base_url.startswith("http:"):
        raise SettingError(f"base_url must begin with https: because tls_certificate is set, not {settings.base_url}")


def _check_content(settings: Settings) -> None:
    if not settings.content_url:
        return
    place = _split(settings.content_url)
    if place is None or place.path or place.username is not None or not settings.content_url.isascii():
        raise SettingError(f"content_url must look like https://host or https://host:port, not {settings.content_url}")
    others = [urlsplit(settings.base_url).hostname, *(_name_of(part) for part in settings.allowed_hosts.split(","))]
    if place.hostname in others:
        # Cookies of a host come with requests to all of its ports.
        raise SettingError(
            f"content_url must use a different host name than base_url and allowed_hosts: {place.hostname}"
        )


def _name_of(host: str) -> str:
    return (urlsplit(f"//{host.strip()}").hostname or "").lower()


def _check_places(settings: Settings) -> None:
    if settings.object_store and not settings.object_store.startswith("s3://"):
        raise SettingError(f"object_store must look like s3://bucket/prefix, not {settings.object_store}")
    scheme = settings.database_url.partition(":")[0].partition("+")[0]
    if settings.database_url and scheme not in ("sqlite", "postgresql"):
        raise SettingError(f"database_url must begin with sqlite: or postgresql:, not {scheme}:")
    try:
        urlsplit(settings.database_url)
    except ValueError as error:
        raise SettingError(f"database_url is not a valid URL: {error}; use postgresql://USER@HOST/NAME") from None
    if settings.database_read_url and (scheme != "postgresql" or not settings.database_read_url.startswith(scheme)):
        raise SettingError("database_read_url and database_url must both start with postgresql:")
    if any("=" not in part for part in settings.repository_storages.split(",") if part.strip()):
        raise SettingError(
            f"repository_storages must look like name=path,name=path, not {settings.repository_storages}"
        )


def _check_networks(name: str, text: str) -> None:
    for part in text.split(","):
        try:
            if part.strip():
                ip_network(part.strip(), strict=False)
        except ValueError:
            raise SettingError(f"{name} must look like 127.0.0.1,10.0.0.0/8, not {text}") from None


def _address(text: str) -> str:
    """The URL that people use, as all others are built upon it: with scheme and host, without a slash at its end."""
    if _split(text.strip()) is None:
        raise SettingError(f"base_url must look like https://host or https://host/path, not {text}")
    return text.strip().rstrip("/")


def _split(text: str) -> SplitResult | None:
    """An address with scheme and host; None where it is something else."""
    try:
        place = urlsplit(text)
        usable = place.scheme in ("http", "https") and bool(place.hostname) and not place.query and not place.fragment
    except ValueError:
        return None
    return place if usable else None


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text())
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"{file} cannot be read: {error}") from error


KINDS = {int: "a whole number", float: "a number", bool: "true or false"}


def _coerce(name: str, value: object, kind: type) -> Any:
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _boolean(str(value))
        return kind(value)
    except ValueError:
        raise SettingError(f"{name} must be {KINDS.get(kind, kind.__name__)}, not {value!r}") from None


def _boolean(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off", ""):
        return False
    raise ValueError(text)
