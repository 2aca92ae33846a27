"""`python -m ingot` and the `ingot` command."""

import sys

OPENSSH_VERBS = (["ssh", "authorized-keys"], ["ssh", "shell"])


def main() -> None:
    """Entry point. What OpenSSH runs for every connection starts without the rest of the command line."""
    words = sys.argv[1:]
    if words[:2] in OPENSSH_VERBS and "--help" not in words:
        from ingot.ssh_client import main as answer_openssh

        sys.exit(answer_openssh(words[1:]))
    from ingot.kit.loading import without_collection

    with without_collection():
        from ingot.cli import main as run_command_line
    run_command_line()


if __name__ == "__main__":
    main()
