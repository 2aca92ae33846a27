"""What a configuration is made of before it is understood: plain values, and references between them."""

Mapping = dict[str, object]


class Reference(list[str]):
    """The path given to `!reference [job, key, ...]`, until it is resolved."""
