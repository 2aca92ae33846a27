"""Feature flags of the instance: named switches with a default, changed by administrators."""

from sqlalchemy import Connection, select

from ingot.instance.tables import feature_flags_table

FLAGS: dict[str, bool] = {
    "import_project_from_remote_file": True,
    "mr_approved_filter": False,
    "restrict_merge_status_recheck": False,
}


def is_on(conn: Connection, name: str) -> bool:
    """The flag's state, or its default while nobody has set it."""
    row = conn.execute(select(feature_flags_table.c.enabled).where(feature_flags_table.c.name == name)).one_or_none()
    return FLAGS.get(name, False) if row is None else bool(row.enabled)
