"""Integrations of projects: chat rooms and mailboxes that hear of changes, and settings of other services."""
