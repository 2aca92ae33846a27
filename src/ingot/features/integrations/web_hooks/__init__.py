"""Web hooks: what happens in projects and groups and on the instance, told to other services."""
