"""Who may remove locks of Git LFS that others have."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import MAINTAINER

FORCE_UNLOCK = ProjectAbility(ability="force_unlock", level=MAINTAINER)
