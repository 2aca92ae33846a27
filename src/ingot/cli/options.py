"""Options that several verbs share."""

import typer

DATA = typer.Option(None, help="Data folder.")
DATABASE = typer.Option(None, help="Database URL; empty means SQLite in the data folder.")
