"""Migrations of the schema. `make baseline` and `make migration` write them; `kit.schema` runs them."""
