"""People: accounts, credentials, memberships, and how people come in from identity providers."""
