"""Parameters of the project endpoints."""
