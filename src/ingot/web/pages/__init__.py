"""The pages themselves: each module declares those of one thing, and is found because it is here."""
