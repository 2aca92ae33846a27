"""Matching names against patterns in SQL, like `gitstore.listing.matches_pattern`."""

from sqlalchemy import ColumnElement, func


def matches(dialect: str, name: ColumnElement[str], pattern: ColumnElement[str]) -> ColumnElement[bool]:
    """`*` stands for anything, slashes included; letter case counts on both databases."""
    if dialect == "sqlite":  # LIKE ignores case; GLOB has two more special characters
        plain = func.replace(func.replace(pattern, "[", "[[]"), "?", "[?]")
        condition: ColumnElement[bool] = name.op("GLOB", is_comparison=True)(plain)
        return condition
    for mark in ("\\", "%", "_"):
        pattern = func.replace(pattern, mark, f"\\{mark}")
    like: ColumnElement[bool] = name.like(func.replace(pattern, "*", "%"), escape="\\")
    return like
