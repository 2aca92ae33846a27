"""`ingot service install`: how systemd runs this instance."""

import sys
from dataclasses import fields
from pathlib import Path

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.ready import load_settings
from ingot.settings import Settings

service_cli = typer.Typer(no_args_is_help=True, help="Run Ingot as a system service.")
# Everybody on the machine can read a unit; secrets belong in a file that only the service reads.
SECRETS = {spec.name for spec in fields(Settings) if spec.metadata["secret"]}
ENVIRONMENT = "/etc/ingot/environment"
UNIT = """\
# Write to /etc/systemd/system/ingot.service, then: systemctl enable --now ingot
[Unit]
Description=Ingot, a code-hosting and CI service
After=network-online.target
Wants=network-online.target

[Service]
Type=simple
User={user}
UMask=0077
WorkingDirectory={folder}
{settings}# Secrets, one NAME=value per line{secrets}
EnvironmentFile=-{environment}
ExecStart={program} serve
Restart=on-failure
RestartSec=2
# Give requests and jobs in progress time to finish.
TimeoutStopSec=45
# Signal only the main process, so that git can finish pushes in progress.
KillMode=mixed
NoNewPrivileges=true
ProtectSystem=strict
ReadWritePaths={writable}
PrivateTmp=true
PrivateDevices=true
ProtectKernelTunables=true
ProtectKernelModules=true
ProtectControlGroups=true
RestrictSUIDSGID=true
LockPersonality=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
"""


@service_cli.callback()
def service() -> None:
    """Run Ingot as a system service."""


@service_cli.command("install")
def install(
    user: str = typer.Option("ingot", help="System user that runs Ingot."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Print a systemd unit for the current settings. No files are written."""
    sys.stdout.write(unit_of(load_settings(data=data, database_url=database_url), user))


def unit_of(settings: Settings, user: str) -> str:
    """The text of the unit: every setting that differs from its default is in it, but for secrets."""
    changed = {
        spec.name: getattr(settings, spec.name)
        for spec in fields(settings)
        if spec.name != "data" and getattr(settings, spec.name) != spec.default
    }
    plain = {"data": settings.data_folder, **{name: one for name, one in changed.items() if name not in SECRETS}}
    hidden = [f"INGOT_{name.upper()}" for name in changed if name in SECRETS]
    return UNIT.format(
        user=user,
        folder=settings.data_folder,
        settings="".join(f'Environment="INGOT_{name.upper()}={_escaped(value)}"\n' for name, value in plain.items()),
        secrets=f": {', '.join(hidden)}" if hidden else "",
        environment=ENVIRONMENT,
        program=Path(sys.argv[0]).absolute(),
        writable=" ".join(map(str, [settings.data_folder, *_outside(settings)])),
    )


def _outside(settings: Settings) -> list[Path]:
    """Repository roots that are not below the data folder."""
    return [root for root in settings.storage_roots.values() if not root.is_relative_to(settings.data_folder)]


def _escaped(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
