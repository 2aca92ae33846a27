"""Types of columns that both databases read and write alike."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, Integer
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine

# SQLite gives automatic ids only to a column declared INTEGER.
Id = BigInteger().with_variant(Integer(), "sqlite")


class Json(TypeDecorator[Any]):
    """A JSON document: text on SQLite, binary on PostgreSQL, whose dialect is loaded only there; None is NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name != "postgresql":
            return super().load_dialect_impl(dialect)
        from sqlalchemy.dialects.postgresql import JSONB

        return dialect.type_descriptor(JSONB(none_as_null=True))

    def coerce_compared_value(self, op: OperatorType | None, value: object) -> TypeEngine[Any]:
        """A value is compared as what it is, not as a document."""
        plain = self.impl_instance.coerce_compared_value(op, value)
        return self if plain is self.impl_instance else plain


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC moment with microseconds, comparable on both databases."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime reached the database")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
