"""The wheel holds what an installation outside of a checkout needs."""

import subprocess
import sys
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=CHECKOUT, check=True, capture_output=True, timeout=300,
    )  # fmt: skip

    (wheel,) = tmp_path.glob("ingot-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    tracked = subprocess.run(
        ["git", "ls-files", "src/ingot"], cwd=CHECKOUT, check=True, capture_output=True, text=True, timeout=60
    ).stdout.split()
    assert {file.removeprefix("src/") for file in tracked} <= set(packed)
    assert {"ingot/web/manual/docs/operating.md", "ingot/web/manual/docs/pictures/project.png"} <= set(packed)
    assert packed["ingot/gitstore/hooks/pre-receive"] & 0o111, "git runs the hook only if it is executable"
