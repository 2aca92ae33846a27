"""Who may have draft notes: readers of the merge request. Writing them needs the right to comment on it."""

from ingot.access.abilities import ProjectAbility

# The project is visible; rights on the request itself are checked after it was found.
USE_DRAFT_NOTES = ProjectAbility(ability="read_draft_note", outsiders=True, needs_user=True)
