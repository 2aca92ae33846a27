"""People: accounts, credentials, memberships, and sign-in through identity providers."""
