"""SAML sign-in of groups, the identities that it makes, and group links that turn groups into roles."""
