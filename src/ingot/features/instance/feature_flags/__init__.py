"""Instance feature flags, readable and switchable by administrators."""
