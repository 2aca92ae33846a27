"""The operators' page fits the program: its settings table, its commands, its deployment files."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import yaml

from ingot.instance.settings import DEFAULTS
from ingot.settings import Settings
from ingot.settings_table import renewed

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text()


def test_the_settings_table_is_current() -> None:
    assert renewed(PAGE) == PAGE, "run `make docs`"


def test_every_setting_says_what_it_means() -> None:
    assert [spec.name for spec in fields(Settings) if not spec.metadata["doc"].endswith(".")] == []


def test_the_deployment_files_name_settings_that_exist() -> None:
    known = {f"INGOT_{spec.name.upper()}" for spec in fields(Settings)}
    for file in (path for path in (ROOT / "deploy").rglob("*") if path.is_file()):
        named = set(re.findall(r"INGOT_[A-Z0-9_]+", file.read_text()))
        assert named <= known, f"{file.name}: {sorted(named - known)}"


def test_the_page_about_tls_shows_the_examples_whole() -> None:
    page = (ROOT / "docs" / "tls.md").read_text()

    assert [
        name
        for name in ("nginx.conf", "Caddyfile", "haproxy-tls.cfg")
        if (ROOT / "deploy" / name).read_text() not in page
    ] == []


def test_the_compose_file_starts_the_scale_out_form() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]

    commands = [service.get("command") for service in services.values()]

    assert commands.count(["serve", "--no-worker"]) == 2
    assert commands.count(["worker"]) == 2
    assert {"postgres", "objects", "balancer"} <= services.keys()


def test_the_page_names_the_commands_for_operators() -> None:
    for command in (
        "backup",
        "restore",
        "doctor",
        "worker",
        "serve --no-worker",
        "jobs list",
        "jobs retry",
        "jobs cancel",
    ):
        assert f"ingot {command}" in PAGE


def test_the_image_installs_what_the_project_declares() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = (ROOT / "requirements" / "runtime.txt").read_text()

    names = [re.split(r"[\[<>=!~ ]", name, maxsplit=1)[0].lower() for name in declared]
    assert [name for name in names if f"\n{name}==" not in f"\n{pinned}"] == []


def test_the_security_page_names_settings_and_files_that_exist() -> None:
    page = (ROOT / "docs" / "security.md").read_text()
    known = {spec.name for spec in fields(Settings)} | DEFAULTS.keys()  # and those that administrators set
    limits = page.partition("## Limits")[2].partition("\n## ")[0]
    settings = re.findall(r"`([a-z_]+)`", limits)
    files = re.findall(r"`((?:kit|identity|features|access)/[\w/.]*)`", page)

    assert len(settings) >= 4
    assert [name for name in settings if name not in known] == []
    assert len(files) >= 6
    assert [name for name in files if not (ROOT / "src" / "ingot" / name).exists()] == []
    assert "docs/security.md" in (ROOT / "README.md").read_text()
