"""Archives of groups: writing one with all subgroups, and making groups out of one."""

from ingot.features.transfer.group_archives.commands import cancel_import
from ingot.features.transfer.group_archives.states import export_state, import_state

__all__ = ["cancel_import", "export_state", "import_state"]
