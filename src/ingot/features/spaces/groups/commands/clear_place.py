"""Nothing of an earlier group with the same number is left to a new one."""

from ingot.gitstore import storages_of
from ingot.gitstore.storage import delete
from ingot.kit.services import Services


def clear_place(services: Services, group_id: int) -> None:
    """Remove what lies at the place of a group's wiki: of a new group, or of one that is gone.

    Storages that were restored from a later copy than the database hold wikis of groups that it does not know.
    """
    storages = storages_of(services)
    for name in storages.roots:
        wiki = storages.repository(name, storages.key_of_group(group_id), "wiki")
        if wiki.exists():
            delete(wiki)
