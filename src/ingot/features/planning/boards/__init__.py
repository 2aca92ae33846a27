"""Issue boards of projects and groups, and their lists."""

from ingot.features.planning.boards.rows import ListRow
from ingot.features.planning.boards.tables import board_labels, board_lists, boards

__all__ = ["ListRow", "board_labels", "board_lists", "boards"]
