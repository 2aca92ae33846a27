"""Web hooks: what happens in projects, in groups and on the instance, sent to other services."""
