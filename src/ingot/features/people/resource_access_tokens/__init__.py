"""Access tokens of projects and groups: each belongs to a bot that is a member only there."""
