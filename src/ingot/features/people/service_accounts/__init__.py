"""Service accounts: users for programs, of the instance or of a top-level group, that cannot sign in."""
