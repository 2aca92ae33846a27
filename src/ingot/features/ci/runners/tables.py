"""The registration token of the instance; runners themselves lie with the jobs that they take."""

from sqlalchemy import Column, String, Table

from ingot.kit.db import Id, UtcDateTime, metadata

instance_registration_tokens = Table(
    "instance_registration_tokens",
    metadata,
    Column("id", Id, primary_key=True),  # only 1
    Column("token_digest", String(64), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)
