"""The files in `deploy/`, judged by the tools that read them, where those are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
pytestmark = pytest.mark.scale


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def run(*command: str) -> str:
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def documented_values(folder: Path) -> Path:
    """The values that the manual asks for."""
    page = (ROOT / "docs" / "operating.md").read_text()
    lines = page.partition("    image: {")[2].partition("\n\n")[0]
    file = folder / "values.yaml"
    file.write_text("\n".join(line.strip() for line in f"image: {{{lines}".splitlines()))
    return file


@needs("helm")
def test_helm_accepts_the_chart_and_renders_every_kind(tmp_path: Path) -> None:
    values = str(documented_values(tmp_path))

    run("helm", "lint", "--strict", str(DEPLOY / "helm"), "--values", values)
    rendered = list(yaml.safe_load_all(run("helm", "template", "forge", str(DEPLOY / "helm"), "--values", values)))

    kinds = sorted(one["kind"] for one in rendered)
    assert kinds == [
        "ConfigMap", "Deployment", "Deployment", "Ingress", "PersistentVolumeClaim", "Secret", "Service",
    ]  # fmt: skip


@needs("systemd-analyze")
@pytest.mark.parametrize("unit", ["ingot.service", "ingot-worker.service"])
def test_systemd_accepts_the_units(unit: str, tmp_path: Path) -> None:
    text = (DEPLOY / unit).read_text().replace("/opt/ingot/.venv/bin/ingot", shutil.which("true") or "")
    (tmp_path / unit).write_text(text)

    run("systemd-analyze", "verify", str(tmp_path / unit))


@needs("caddy")
def test_caddy_accepts_its_example() -> None:
    run("caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))


@needs("promtool")
def test_prometheus_accepts_the_alerts() -> None:
    run("promtool", "check", "rules", str(DEPLOY / "monitoring" / "alerts.yml"))


@needs("hadolint")
def test_hadolint_accepts_the_containerfile() -> None:
    run("hadolint", str(DEPLOY / "Containerfile"))


@needs("docker")
def test_compose_accepts_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "deploy"
    shutil.copytree(DEPLOY, folder)
    shutil.copy(folder / "environment.example", folder / "environment")
    if subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=120, check=False).returncode != 0:
        pytest.skip("docker has no compose")

    shown = yaml.safe_load(run("docker", "compose", "--file", str(folder / "compose.yaml"), "config"))

    assert {"api-1", "api-2", "worker-1", "worker-2", "balancer"} <= shown["services"].keys()
