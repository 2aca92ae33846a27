"""SSH clone addresses of this instance."""

from ingot.settings import Settings

_settings = Settings(ssh=False)


def announce(settings: Settings) -> None:
    """Use the addresses of these settings."""
    global _settings  # noqa: PLW0603 - a process serves one instance
    _settings = settings


def url_of(host: str | None, path: str) -> str:
    """The address of a repository: the short form for port 22, a URL for others."""
    name, user = _settings.ssh_public_host or host or "", _settings.ssh_user
    port = _settings.advertised_ssh_port
    is_ipv6 = ":" in name
    if port != 22:
        return f"ssh://{user}@{f'[{name}]' if is_ipv6 else name}:{port}/{path}.git"
    return f"[{user}@{name}]:{path}.git" if is_ipv6 else f"{user}@{name}:{path}.git"
