"""Who may read and change bookmarks."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import DEVELOPER

READ_BOOKMARKS = ProjectAbility(ability="read_bookmark", outsiders=True)
ADMIN_BOOKMARKS = ProjectAbility(ability="admin_bookmark", level=DEVELOPER, writes=True, needs_user=True)
