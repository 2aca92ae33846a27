"""The SCIM 2.0 messages that identity providers send and read. Pure: knows nothing of groups, HTTP or the database."""
