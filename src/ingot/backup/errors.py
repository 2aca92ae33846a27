"""Why a backup or a restore cannot go on."""


class BackupError(Exception):
    """An error message for the user of the command."""
