"""Why a backup or a restore cannot go on."""


class BackupError(Exception):
    """A sentence for whoever runs the command."""
