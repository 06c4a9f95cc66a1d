"""Mutation operators: the informative ones of cosmic-ray, and further ones of the same form.

cosmic-ray replaces an operator by every other one. Most of those mutants are caught by whatever catches the first, and
some, such as ``is not None`` for ``!= None``, are the same program; both would make the share that is caught look better
or worse than it is. So of each operator one or two replacements are taken: the opposite, and the boundary.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import cosmic_ray.plugins
import parso
from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import ExprStmt, Keyword, PythonNode
from parso.tree import NodeOrLeaf

Span = tuple[tuple[int, int], tuple[int, int]]
"""Where a mutation is: line and column of its beginning and its end."""
PROVIDER = "affray"


def _span(node: NodeOrLeaf) -> Span:
    return node.start_pos, node.end_pos


class SwapMembership(Operator):  # type: ignore[misc]
    """Makes ``not in`` of ``in``, and the other way round."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yields where comparisons ask for membership."""
        if node.type == "comparison":
            yield from (_span(each) for each in _memberships(node))

    def mutate(self, node: Any, index: int) -> NodeOrLeaf:
        """Swaps one."""
        old = _memberships(node)[index]
        new = "in" if old.get_code(include_prefix=False) != "in" else "not in"
        node.children[node.children.index(old)] = _leaf(f" {new}")
        return node  # type: ignore[no-any-return]

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """Returns what it makes of what."""
        return Example("a in b", "a not in b"), Example("a not in b", "a in b")


def _memberships(node: Any) -> list[NodeOrLeaf]:
    return [each for each in node.children[1::2] if each.get_code(include_prefix=False) in ("in", "not in")]


class DropElement(Operator):  # type: ignore[misc]
    """Leaves one element out of a tuple, list, set or dictionary that is written down."""

    _KINDS = ("testlist_comp", "dictorsetmaker", "testlist_star_expr")

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yields where elements stand."""
        yield from ((parts[0].start_pos, parts[-1].end_pos) for parts in self._elements(node))

    def mutate(self, node: Any, index: int) -> NodeOrLeaf:
        """Leaves one out; what is then empty or alone stays what it was."""
        gone = self._elements(node)[index]
        left = [parts for parts in self._elements(node) if parts[0] is not gone[0]]
        codes = ["".join(each.get_code() for each in parts) for parts in left]
        new = ",".join(codes) + ("," if len(codes) == 1 and node.type != "dictorsetmaker" else "")
        return _leaf(new)

    def _elements(self, node: Any) -> list[list[Any]]:
        """The elements of a display of two or more: each its parts, which for a dictionary are key, colon and value."""
        if node.type not in self._KINDS or any(each.type in ("comp_for", "sync_comp_for") for each in node.children):
            return []
        found: list[list[Any]] = [[]]
        for child in node.children:
            if child.type == "operator" and child.value == ",":
                found.append([])
            else:
                found[-1].append(child)
        elements = [parts for parts in found if parts]
        return elements if len(elements) > 1 and not _is_target(node) else []

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """Returns what it makes of what."""
        return Example("x = (a, b)", "x = ( b,)"), Example("x = {a: 1, b: 2}", "x = {a: 1}", occurrence=1)


def _is_target(node: Any) -> bool:
    """Returns whether values are assigned to a display, or it is looped over by name: without one element it cannot run."""
    while node.parent is not None and node.parent.type == "atom":
        node = node.parent
    parent = node.parent
    if parent is None or parent.type in ("for_stmt", "sync_comp_for", "comp_for"):
        return parent is not None and parent.children[1] is node
    return isinstance(parent, ExprStmt) and parent.children[0] is node


class DropKeyword(Operator):  # type: ignore[misc]
    """Leaves one argument that is given by its name out of a call."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yields where such arguments stand."""
        if isinstance(node, PythonNode) and node.type in ("arglist", "trailer"):
            yield from (_span(each) for each in self._named(node))

    def mutate(self, node: Any, index: int) -> NodeOrLeaf:
        """Leaves one out."""
        at = node.children.index(self._named(node)[index])
        until = at + 2 if node.type == "arglist" and at + 1 < len(node.children) else at + 1
        del node.children[at:until]
        return node  # type: ignore[no-any-return]

    def _named(self, node: Any) -> list[Any]:
        given = [each for each in node.children if each.type == "argument" and each.children[1].get_code() == "="]
        return [each for each in given if each.children[0].value != "gc"]  # which changes nothing but the time it takes

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """Returns what it makes of what."""
        return Example("f(a, b=1)", "f(a,)"), Example("f(b=1, c=2)", "f( c=2)")


class DropStatement(Operator):  # type: ignore[misc]
    """Puts ``pass`` in the place of a statement that does something without giving a name to it."""

    _KINDS = ("raise_stmt", "del_stmt", "yield_expr", "atom_expr")

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yields where such statements stand."""
        if self._does_something(node):
            yield _span(node)

    def mutate(self, node: Any, index: int) -> NodeOrLeaf:
        """Drops it."""
        return _leaf(f"{node.get_first_leaf().prefix}pass")

    def _does_something(self, node: Any) -> bool:
        if node.parent is None or node.parent.type != "simple_stmt":
            return False
        if not isinstance(node, ExprStmt):
            return node.type in self._KINDS
        name, sign = node.children[0], node.children[1]
        is_new_name = name.type == "name" and getattr(sign, "value", "") == "="
        return sign.type != "annassign" and not is_new_name

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """Returns what it makes of what."""
        return Example("f(x)\n", "pass\n"), Example("x.y = 1\n", "pass\n"), Example("raise X\n", "pass\n")


class ReturnNothing(Operator):  # type: ignore[misc]
    """Returns None in the place of a value."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yields where values are returned."""
        if node.type == "return_stmt" and node.children[1].get_code(include_prefix=False) != "None":
            yield _span(node)

    def mutate(self, node: Any, index: int) -> NodeOrLeaf:
        """Returns nothing."""
        node.children[1] = Keyword("None", node.children[1].start_pos, prefix=" ")
        return node  # type: ignore[no-any-return]

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """Returns what it makes of what."""
        return (Example("def f():\n    return x\n", "def f():\n    return None\n"),)


class CatchNothing(Operator):  # type: ignore[misc]
    """Lets a handler catch no exception; cosmic-ray's own cannot do that to one with a dotted name."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """Yields where the caught exceptions are named."""
        if node.type == "except_clause":
            yield _span(node.children[1])

    def mutate(self, node: Any, index: int) -> NodeOrLeaf:
        """Names none."""
        node.children[1] = _leaf(" ()")
        return node  # type: ignore[no-any-return]

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """Returns what it makes of what."""
        return (Example("try: f()\nexcept a.B as c: g()", "try: f()\nexcept () as c: g()"),)


def _leaf(code: str) -> NodeOrLeaf:
    """Some code as one node; the tree is only ever written out again."""
    return parso.parse(code)


OWN: Mapping[str, type[Operator]] = {
    each.__name__: each
    for each in (SwapMembership, DropElement, DropKeyword, DropStatement, ReturnNothing, CatchNothing)
}

_REPLACED = {
    "Comparison": ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt",
                   "Is_IsNot", "IsNot_Is"),
    "Binary": ("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul", "BitOr_BitAnd", "BitAnd_BitOr"),
    "Unary": ("Delete_Not", "Delete_USub"),
}  # fmt: skip
SELECTED: tuple[str, ...] = (
    *(f"core/Replace{kind}Operator_{which}" for kind, all_of in _REPLACED.items() for which in all_of),
    *(f"core/{name}" for name in (
        "AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd",
        "ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer", "RemoveDecorator",
        "ZeroIterationForLoop",
    )),
    *(f"{PROVIDER}/{name}" for name in OWN),
)  # fmt: skip
"""The names of the operators that are used."""


def operator(name: str) -> Operator:
    """Returns one of `SELECTED`."""
    register()
    return cosmic_ray.plugins.get_operator(name)()


def register() -> None:
    """Makes ours known to cosmic-ray in this process."""
    cosmic_ray.plugins.OPERATOR_PROVIDERS[PROVIDER] = OWN
