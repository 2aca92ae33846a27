"""The wheel holds what an installation outside of a checkout needs, and a release is what its tag says."""

import subprocess
import sys
import zipfile
from pathlib import Path

from checks.release import problems_of

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


def test_a_tag_agrees_with_version_changelog_and_files(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        subprocess.run(["git", *person, *words], cwd=tmp_path, check=True, capture_output=True, timeout=60)

    changes = tmp_path / "CHANGELOG.md"
    changes.write_text("# Changes\n\n## Not yet released\n")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "Begin")
    untagged = problems_of(tmp_path, "1.2.0")
    git("tag", "v1.3.0")
    wrong = problems_of(tmp_path, "1.2.0")
    changes.write_text("# Changes\n\n## 1.3.0 (2026-11-30)\n")
    changed = problems_of(tmp_path, "1.3.0")
    git("commit", "--quiet", "--all", "--message", "Release 1.3.0")
    git("tag", "--force", "v1.3.0")

    assert untagged == []
    assert [one.split(":")[0] for one in wrong] == [
        "The tag is v1.3.0, but src/ingot/__init__.py says 1.2.0.", "CHANGELOG.md has no section `## 1.2.0 (date)`",
    ]  # fmt: skip
    assert [one.split(":")[0] for one in changed] == ["Some files differ from the commit"]
    assert problems_of(tmp_path, "1.3.0") == []
