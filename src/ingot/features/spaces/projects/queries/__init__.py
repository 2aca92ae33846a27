"""Reading projects: lists, their filters and their orders."""
