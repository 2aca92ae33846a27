"""Parameters of the repository endpoints."""
