"""The commands in README and manual: which there are, and which of them the test of the manual does not run itself."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PROGRAMS = (
    "make", "curl", "git", "ingot", "uv", "pip", "pipx", "python", "python3", "podman", "podman-compose", "docker",
    "helm", "kubectl", "ssh", "systemctl", "useradd", "cp", "journalctl", "runuser", "gitlab-runner", "export",
    "openssl",
)  # fmt: skip
_PREFIX = r"(?:[A-Z_]+=\S+ +)*"
_FIRST_WORD = re.compile(rf"{_PREFIX}(?:\\$|(?:\.venv/bin/)?(?:{'|'.join(PROGRAMS)}|python3\.\d+)(?: |$))")
_REMARK = re.compile(r" {3,}[^-\s].*$")

# Pages whose commands another test runs.
PAGES_ELSEWHERE = {
    "saml-walkthroughs.md": "tests/features/people/saml/test_documented_walkthroughs.py",
    "testing.md": "tests/operating/test_test_server.py",
    "web-hooks.md": "tests/features/integrations/web_hooks/test_documented_example.py",
}
# Commands that another test runs, there with values of its own: where, and a piece of it.
ELSEWHERE = {
    "make test": (".ci/run", "make test"),
    "make serve\n": ("tests/first_minute.sh", "serve"),
    "uv tool install": ("tests/first_minute.sh", "tool install"),
    "make serve demo=1": ("tests/operating/test_demo.py", "--demo-runner"),
    "git lfs": ("tests/features/code/git_ssh/test_large_files.py", '"lfs", "track"'),
    "git add .gitattributes": ("tests/features/code/git_ssh/test_large_files.py", '"lfs", "track"'),
    "ssh -T -p 2222": ("tests/features/code/git_ssh/test_access.py", "Welcome to Ingot"),
    "git clone ssh://": ("tests/features/code/git_ssh/test_fetch_and_push.py", '"clone"'),
    "ingot runner --url": ("tests/features/ci/runners/test_built_in_runner.py", '"runner"'),
    'curl --header "PRIVATE-TOKEN: $TOKEN" --data "status=approved"': (
        "tests/features/ci/protected_environments/test_protected_environments.py",
        '/approval"',
    ),
    "python -m bench.capacity": ("tests/operating/test_capacity.py", "bench.capacity"),
    "ingot jobs retry": ("tests/operating/test_engine_in_processes.py", '"jobs", "retry"'),
    "ingot jobs cancel": ("tests/operating/test_engine_in_processes.py", '"jobs", "cancel"'),
    "INGOT_HOST=0.0.0.0 INGOT_PORT=443": ("tests/operating/test_tls.py", "tls_certificate"),
    "ingot restore /backups/2026-11-15\n": ("tests/operating/test_scale_out_backup.py", '"restore"'),
}
# Commands that no test runs, and why.
NOT_RUN = {
    "python3.11 -m venv .venv": "fetches every package from the network; tests/first_minute.sh installs the same pins",
    ".venv/bin/pip install": "fetches packages from the network, as above",
    "useradd": "changes the machine",
    "cp deploy/ingot.service": "changes the machine",
    "systemctl": "changes the machine",
    "journalctl": "shows the log of a service that only systemd starts",
    "podman": "needs an engine for containers, and images from the network",
    "gitlab-runner register": "another program; tests/support/runner.py speaks its protocol",
    "ingot serve\n": "serves until it is stopped; the one with a port of its own is run",
    "ingot serve --data /var/lib/ingot\n": "part of a picture",
    "ingot serve --no-worker\n": "part of a picture",
    "ingot worker\n": "part of a picture",
    "export TOKEN": "shows where the token goes",
}


class Command(NamedTuple):
    """One command of a page."""

    page: str
    text: str

    def begins_with(self, words: str) -> bool:
        """It does; words that end in a line end are the whole command."""
        return f"{self.text}\n".startswith(words)


def documented_commands() -> list[Command]:
    """All of them, page by page, each text once for a page."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    result = (
        Command(page.name, text) for page in pages for block in _blocks(page.read_text()) for text in _split(block)
    )
    return list(dict.fromkeys(result))


def _blocks(text: str) -> Iterator[list[str]]:
    """Fenced blocks for a shell and indented ones; those of other languages hold no commands."""
    block: list[str] = []
    fence: str | None = None
    for line in [*text.splitlines(), "end"]:
        if line.startswith("```"):
            if fence in ("sh", "bash", "console"):
                yield block
            block, fence = [], None if fence is not None else line[3:].strip()
        elif fence is not None:
            block.append(line)
        elif line.startswith("    ") and not line.lstrip().startswith(("- ", "* ")):
            block.append(line.strip())
        elif line.strip():
            yield block
            block = []


def _split(block: list[str]) -> Iterator[str]:
    """Commands of a block, with the lines that belong to them."""
    lines: list[str] = []
    for line in block:
        if not lines and not _FIRST_WORD.match(line):
            continue
        lines.append(line if lines else _REMARK.sub("", line))
        if not line.endswith("\\") and _is_closed("\n".join(lines)):
            yield "\n".join(lines)
            lines = []


def _is_closed(text: str) -> bool:
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True
