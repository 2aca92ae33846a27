"""Moving projects and files in and out: archives and uploads."""
