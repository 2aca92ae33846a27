"""What a query may cost before it is validated: its length, tokens, depth, fields and aliases, with fragments spread.

Validation compares fields of one name in pairs and follows fragments, so hostile documents are refused before it.
"""

from collections import Counter

import msgspec
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
)

LONGEST_QUERY = 10_000  # characters
MOST_TOKENS = 2_000
DEEPEST = 20
MOST_FIELDS = 600
MOST_ALIASES = 30
MOST_OF_A_NAME = 40


class Cost(msgspec.Struct):
    """Of a selection: how deep it is, and how many fields and aliases it has."""

    depth: int = 0
    fields: int = 0
    aliases: int = 0

    def add(self, other: "Cost", *, deeper: int = 0) -> None:
        """Count a part of the selection; refuses at once what is too much."""
        self.depth = max(self.depth, other.depth + deeper)
        self.fields += other.fields
        self.aliases += other.aliases
        if self.depth > DEEPEST:
            raise GraphQLError(f"Query has depth of more than {DEEPEST}")
        if self.fields > MOST_FIELDS:
            raise GraphQLError(f"Query has more than {MOST_FIELDS} fields")
        if self.aliases > MOST_ALIASES:
            raise GraphQLError(f"Query has more than {MOST_ALIASES} aliases")


def parse_query(text: str) -> DocumentNode:
    """The document of a query within the limits; raises `GraphQLError` for others."""
    if len(text) > LONGEST_QUERY:
        raise GraphQLError(f"Query is longer than {LONGEST_QUERY} characters")
    try:
        document = parse(text, max_lexical_tokens=MOST_TOKENS)
        _Measure(document).check()
    except RecursionError:
        raise GraphQLError("Query is nested too deeply") from None
    return document


class _Measure:
    """Measures a document; looks at each fragment once, however often it is spread."""

    def __init__(self, document: DocumentNode) -> None:
        self._operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
        fragments = [node for node in document.definitions if isinstance(node, FragmentDefinitionNode)]
        self._fragments = {node.name.value: node for node in fragments}
        self._known: dict[str, Cost] = {}
        self._open: set[str] = set()
        self._names: Counter[str] = Counter()

    def check(self) -> None:
        """Refuse a document whose operations together cost too much."""
        total = Cost()
        for operation in self._operations:
            total.add(self._of(operation.selection_set))
        for name in self._fragments:
            self._spread(name)  # also those that no operation uses: all are validated

    def _of(self, selection: SelectionSetNode | None) -> Cost:
        cost = Cost()
        for node in selection.selections if selection is not None else ():
            if isinstance(node, FieldNode):
                self._meet((node.alias or node.name).value)
                cost.add(Cost(1, 1, 1 if node.alias is not None else 0))
                cost.add(self._of(node.selection_set), deeper=1)
            elif isinstance(node, InlineFragmentNode):
                cost.add(self._of(node.selection_set))
            elif isinstance(node, FragmentSpreadNode):
                cost.add(self._spread(node.name.value))
        return cost

    def _meet(self, name: str) -> None:
        self._names[name] += 1
        if self._names[name] > MOST_OF_A_NAME:
            raise GraphQLError(f"Query names {name} more than {MOST_OF_A_NAME} times")

    def _spread(self, name: str) -> Cost:
        fragment = self._fragments.get(name)
        if name in self._open:
            raise GraphQLError(f"Fragment {name} contains itself")
        if fragment is None:
            return Cost()
        if name not in self._known:
            self._open.add(name)
            self._known[name] = self._of(fragment.selection_set)
            self._open.discard(name)
        return self._known[name]
