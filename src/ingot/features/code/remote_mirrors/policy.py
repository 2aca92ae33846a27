"""Who manages push mirrors."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import MAINTAINER
from ingot.kit.errors import Unauthorized

READ_MIRRORS = ProjectAbility(ability="read_remote_mirror", level=MAINTAINER, needs_user=True, refusal=Unauthorized)
ADMIN_MIRRORS = ProjectAbility(
    ability="admin_remote_mirror", level=MAINTAINER, writes=True, needs_user=True, refusal=Unauthorized
)
