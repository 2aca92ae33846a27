"""What the body of an error says, as one sentence for people."""


def sentence_of_body(content: object) -> str:
    """A sentence, or what is wrong with each field."""
    if isinstance(content, dict):
        for name in ("message", "error_description", "error"):
            if name in content:
                return sentence_of_body(content[name])
        return "; ".join(f"{name} {sentence_of_body(text)}" for name, text in content.items())
    if isinstance(content, list):
        return ", ".join(map(sentence_of_body, content))
    return str(content)
