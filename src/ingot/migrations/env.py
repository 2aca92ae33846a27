"""Alembic's entry point: runs inside the transaction that the caller opened."""

from alembic import context

from ingot.kit.db import metadata


def include_name(name: str | None, kind: str, _parents: object) -> bool:
    """Only tables that are declared; what `extra_ddl` makes is written by hand."""
    return kind != "table" or name in metadata.tables


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    include_name=include_name,
    render_as_batch=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
