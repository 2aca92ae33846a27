"""Code in repositories: reading, pushing and protecting it."""
