"""The rules for imports are able to fail, and hold for the whole tree without exceptions."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from importlinter.api import read_configuration

ROOT = Path(__file__).parents[2]
CONFIGURATION = read_configuration(str(ROOT / "pyproject.toml"))
EXCEPTIONS = {"ignore_imports", "exhaustive_ignores", "skip_descendants", "allow_indirect_imports"}

Lint = Callable[[Mapping[str, str]], subprocess.CompletedProcess[str]]


@pytest.fixture
def lint(tmp_path: Path) -> Lint:
    """Check a small house of two floors, `upper` and `lower`, that holds these modules, by the project's own rules."""

    def run(modules: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        for name, text in modules.items():
            file = tmp_path / "house" / "features" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        for folder in ("house", "house/features", "house/features/upper", "house/features/lower"):
            (tmp_path / folder / "__init__.py").touch()
        (tmp_path / "rules.toml").write_text(_rules())
        command = [str(Path(sys.executable).with_name("lint-imports")), "--config", "rules.toml", "--no-cache"]
        environment = {"PYTHONPATH": f"{tmp_path}:{ROOT}", "COLUMNS": "300"}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def _rules() -> str:
    """The contracts of the real tree, for a house with the floors `upper` and `lower`."""
    lines = ["[tool.importlinter]", 'root_package = "house"']
    lines.append(f"contract_types = {CONFIGURATION['session_options']['contract_types']!r}")
    for contract in CONFIGURATION["contracts_options"]:
        place = contract.get("containers") or contract.get("ancestors") or contract.get("house") or ()
        if "ingot.features" not in str(place):
            continue  # about packages that the house does not have
        lines.append("[[tool.importlinter.contracts]]")
        options = contract | ({"layers": ["upper", "lower"]} if "layers" in contract else {})
        # Python's lists and texts read the same in TOML.
        lines += [f"{key} = {repr(value).replace('ingot', 'house')}" for key, value in options.items()]
    return "\n".join(lines).replace("= True", "= true")


GOOD = {
    "upper/attic/__init__.py": "from house.features.lower.cellar import wine",
    "lower/cellar/__init__.py": "from house.features.lower.cellar.shelf import wine",
    "lower/cellar/shelf.py": "wine = 1",
    "lower/pantry/__init__.py": "from house.features.lower.cellar import wine",
}


def test_a_house_in_order_passes(lint: Lint) -> None:
    result = lint(GOOD)

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("module", "imported", "complaint"),
    [
        (
            "upper/attic/door.py",
            "lower.cellar.shelf",
            "upper.attic.door imports house.features.lower.cellar.shelf",
        ),
        ("lower/cellar/hatch.py", "upper.attic", "house.features.lower is not allowed to import house.features.upper"),
        ("lower/cellar/pipe.py", "lower.pantry", "Rooms of a floor do not go round in circles BROKEN"),
    ],
    ids=["past a face", "upwards", "in a circle"],
)
def test_an_import_that_breaks_the_plan_is_named(lint: Lint, module: str, imported: str, complaint: str) -> None:
    result = lint({**GOOD, module: f"import house.features.{imported}"})

    assert result.returncode == 1
    assert complaint in result.stdout


def test_the_contracts_allow_no_exceptions() -> None:
    contracts = CONFIGURATION["contracts_options"]

    assert not {key for contract in contracts for key in contract} & EXCEPTIONS
    assert {"layers", "acyclic_siblings", "room_faces"} <= {contract["type"] for contract in contracts}
