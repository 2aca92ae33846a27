"""Folders of objects that no row names; `passing` and `backups` say more."""

PASSING = "passing"
BACKUPS = f"{PASSING}/backups"
