"""`ingot service install`: how systemd runs this instance."""

import sys
from dataclasses import fields
from pathlib import Path

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.ready import load_settings
from ingot.settings import Settings

service_cli = typer.Typer(no_args_is_help=True, help="Run Ingot as a service of this machine.")
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
{settings}# Secrets, one NAME=value a line{secrets}
EnvironmentFile=-{environment}
ExecStart={program} serve
Restart=on-failure
RestartSec=2
# Requests in flight and running jobs get their time.
TimeoutStopSec=45
# Only the program is told to stop: the git of a push that is under way must not be.
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
    """Run Ingot as a service of this machine."""


@service_cli.command("install")
def install(
    user: str = typer.Option("ingot", help="Who runs it."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Print the systemd unit for the present settings; nothing is written."""
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
