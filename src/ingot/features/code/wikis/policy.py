"""Who reads and writes wikis."""

from dataclasses import dataclass, replace

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import DEVELOPER, REPORTER, Feature, Visibility
from ingot.access.subjects import Group
from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.projects import READ_WIKI
from ingot.kit.actor import Actor

# Reading page by page is open to guests; the whole repository is for those who download code.
DOWNLOAD_WIKI = replace(READ_WIKI, ability="download_wiki", level=REPORTER)
WRITE_WIKI = ProjectAbility(ability="create_wiki", level=DEVELOPER, feature="wiki", writes=True, needs_user=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupWikiAbility(GroupAbility):
    """A right on a group's wiki, which the group's switch can take away."""

    def allows(self, actor: Actor, group: Group) -> bool:
        """Whether the actor has the right."""
        switch = Feature.of(GroupSettings.of(group).wiki_access_level)
        if switch is Feature.DISABLED or (self.needs_user and actor.is_anonymous):
            return False
        if actor.is_admin or group.level >= self.level:
            return True
        return self.outsiders and switch is Feature.ENABLED and _is_open_to(actor, group)


def _is_open_to(actor: Actor, group: Group) -> bool:
    """The actor sees the group without being a member."""
    if group.visibility == Visibility.PUBLIC:
        return True
    return bool(group.visibility == Visibility.INTERNAL and not actor.is_anonymous and not actor.is_external)


READ_GROUP_WIKI = GroupWikiAbility(ability="read_group_wiki", outsiders=True)
DOWNLOAD_GROUP_WIKI = replace(READ_GROUP_WIKI, ability="download_group_wiki", level=REPORTER)
WRITE_GROUP_WIKI = GroupWikiAbility(ability="create_group_wiki", level=DEVELOPER, needs_user=True)
