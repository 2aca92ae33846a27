"""Relations of a project as separate files, which direct transfers fetch one by one."""
