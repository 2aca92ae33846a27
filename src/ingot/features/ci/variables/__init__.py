"""CI variables of projects, groups and the instance."""
