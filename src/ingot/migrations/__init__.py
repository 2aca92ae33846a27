"""Migrations of the schema. `make migration` writes them; `kit.schema` runs them."""
