"""The condition language of `rules:if` and `only:variables`: `$A == "x" && ($B =~ /y/ || $C)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ingot.features.ci.config.regexps import BadRegexp, compile_regexp, regexp_matches
from ingot.kit.patterns import pattern

Value = str | bool | None
Scope = Mapping[str, str]
Evaluation = Callable[[Scope], Value]

_MAX_LENGTH = 16_384
_MAX_DEPTH = 50
_TOKENS = pattern(
    r"\s*(?:"
    r"(?P<operator>==|!=|=~|!~|&&|\|\||\(|\))"
    r"|\$(?P<variable>[A-Za-z_]\w*)"
    r"|\$\{(?P<braced>[A-Za-z_]\w*)\}"
    r"|(?P<null>null)\b"
    r'|"(?P<double>[^"]*)"'
    r"|'(?P<single>[^']*)'"
    r"|(?P<regexp>/(?:\\.|[^\\/])+/[ismU]*)"
    r")",
    dot_all=True,
)


class BadExpression(ValueError):
    """The text is not a condition."""


class _Token(NamedTuple):
    kind: str
    text: str


class Condition:
    """A parsed condition; `holds` answers it for one set of variables."""

    def __init__(self, text: str) -> None:
        self.text = text
        tokens = _tokenise(text)
        self._parser = _Parser(tokens)
        self._evaluate = self._parser.parse()

    def holds(self, scope: Scope) -> bool:
        return truthy(self._evaluate(scope))


def truthy(value: Value) -> bool:
    return value if isinstance(value, bool) else bool(value and value.strip())


def _tokenise(text: str) -> list[_Token]:
    if len(text) > _MAX_LENGTH:
        raise BadExpression("too long")
    tokens: list[_Token] = []
    at = 0
    for item in _TOKENS.finditer(text):
        kind = item.lastgroup
        if item.start() != at or kind is None:
            raise BadExpression(text)
        word = item[kind]
        if kind in ("double", "single"):
            kind = "string"
        elif kind == "braced":
            kind = "variable"
        elif kind == "operator":
            kind = word
        tokens.append(_Token(kind, word))
        at = item.end()
    if text[at:].strip():
        raise BadExpression(text)
    return tokens


class _Parser:
    """Recursive descent: `||` binds loosest, then `&&`, then comparisons."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def parse(self) -> Evaluation:
        evaluation = self._either()
        if self._at != len(self._tokens):
            raise BadExpression("trailing words")
        return evaluation

    def _next(self) -> _Token:
        if self._at >= len(self._tokens):
            raise BadExpression("ends too early")
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _accept(self, *kinds: str) -> str | None:
        if self._at < len(self._tokens) and self._tokens[self._at].kind in kinds:
            return self._next().kind
        return None

    def _either(self) -> Evaluation:
        branches = [self._both()]
        while self._accept("||"):
            branches.append(self._both())
        if len(branches) == 1:
            return branches[0]
        return lambda scope: any(truthy(branch(scope)) for branch in branches)

    def _both(self) -> Evaluation:
        branches = [self._comparison()]
        while self._accept("&&"):
            branches.append(self._comparison())
        if len(branches) == 1:
            return branches[0]
        return lambda scope: all(truthy(branch(scope)) for branch in branches)

    def _comparison(self) -> Evaluation:
        left = self._operand()
        while operator := self._accept("==", "!=", "=~", "!~"):
            if operator in ("==", "!="):
                left = _equality(left, self._operand(), expected=operator == "==")
            else:
                left = _matching(left, self._pattern(), expected=operator == "=~")
        return left

    def _operand(self) -> Evaluation:
        token = self._next()
        match token.kind:
            case "(":
                self._depth += 1
                if self._depth > _MAX_DEPTH:
                    raise BadExpression("nested too deeply")
                inner = self._either()
                if self._accept(")") is None:
                    raise BadExpression("missing parenthesis")
                self._depth -= 1
                return inner
            case "variable":
                return lambda scope: scope.get(token.text)
            case "string":
                return lambda _scope: token.text
            case "null":
                return lambda _scope: None
        raise BadExpression(f"unexpected {token.text}")

    def _pattern(self) -> Evaluation:
        if self._at < len(self._tokens) and self._tokens[self._at].kind == "regexp":
            text = self._next().text
            try:
                compile_regexp(text)
            except BadRegexp as error:
                raise BadExpression(text) from error
            return lambda _scope: text
        return self._operand()


def _equality(left: Evaluation, right: Evaluation, *, expected: bool) -> Evaluation:
    return lambda scope: (left(scope) == right(scope)) is expected


def _matching(left: Evaluation, right: Evaluation, *, expected: bool) -> Evaluation:
    def evaluate(scope: Scope) -> bool:
        text, pattern = left(scope), right(scope)
        result = isinstance(text, str) and isinstance(pattern, str) and regexp_matches(pattern, text)
        return result is expected

    return evaluate
