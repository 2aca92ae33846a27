"""The pages themselves: each module declares those of one kind of record, and is loaded automatically."""
