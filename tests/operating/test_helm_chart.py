"""The Helm chart, as far as it can be checked without Helm: nothing is rendered here."""

import re
from pathlib import Path

import yaml

from ingot import __version__

CHART = Path(__file__).parents[2] / "deploy" / "helm"
TEMPLATES = {path.name: path.read_text() for path in (CHART / "templates").iterdir()}
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())


def test_the_chart_is_of_this_version() -> None:
    assert yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == __version__


def test_templates_use_values_that_exist_and_every_value_is_used() -> None:
    text = "\n".join(TEMPLATES.values())
    used = set(re.findall(r"\.Values\.([A-Za-z0-9.]+)", text))
    missing = []
    for path in used:
        place = VALUES
        for name in path.split("."):
            place = place.get(name) if isinstance(place, dict) else None
        if place is None:
            missing.append(path)
    leaves = {f"{name}.{key}" for name, part in VALUES.items() if isinstance(part, dict) for key in part}
    leaves |= {name for name, part in VALUES.items() if not isinstance(part, dict)}

    assert missing == []
    assert leaves - used == set()


def test_templates_call_parts_that_are_defined() -> None:
    text = "\n".join(TEMPLATES.values())

    assert set(re.findall(r'include "([^"]+)"', text)) == set(re.findall(r'define "([^"]+)"', text))
    assert text.count("{{") == text.count("}}")


def test_nodes_are_probed_and_workers_work() -> None:
    api, worker = TEMPLATES["api.yaml"], TEMPLATES["worker.yaml"]

    assert "livenessProbe:\n            httpGet: { path: /-/liveness, port: http }" in api
    assert "readinessProbe:\n            httpGet: { path: /-/readiness, port: http }" in api
    assert 'args: ["serve", "--no-worker"]' in api
    assert 'args: ["worker"]' in worker
    # A service named `ingot` would give every pod a variable INGOT_PORT that is no port.
    assert "enableServiceLinks: false" in TEMPLATES["_names.tpl"]
