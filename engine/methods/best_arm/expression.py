"""A policy typed as an expression: P(draw arm 1) from counts and sums, read without executing code.

The text is parsed to a syntax tree; only the node kinds, names and functions listed here are accepted,
and the tree is evaluated on arrays over all states of a layer.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.methods.best_arm.rates import best_share

Array = NDArray[Any]

MAX_LENGTH = 500
NAMES = {
    "n1": "draws of arm 1",
    "n2": "draws of arm 2",
    "s1": "successes of arm 1",
    "s2": "successes of arm 2",
    "t": "draws made so far",
    "T": "the budget",
    "m1": "empirical mean of arm 1 (½ when undrawn)",
    "m2": "empirical mean of arm 2 (½ when undrawn)",
    "p1": "smoothed mean (s1+½)/(n1+1)",
    "p2": "smoothed mean (s2+½)/(n2+1)",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "abs": np.abs,
    "min": lambda *a: np.minimum.reduce(np.broadcast_arrays(*a)),
    "max": lambda *a: np.maximum.reduce(np.broadcast_arrays(*a)),
    "clip": np.clip,
    "best_share": best_share,
}
_BINARY: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.true_divide,
    ast.Pow: np.float_power,
    ast.Mod: np.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[..., Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def compile_rule(text: str) -> Callable[..., Any]:
    """A rule for `two_arm_policies.function_policy` from a text such as ``n1 <= n2`` or ``0.5``.

    Allowed: numbers, the `NAMES`, + − * / ** %, comparisons, and/or/not, ``a if c else b`` and the
    `FUNCTIONS`. Truth values count as 1 and 0. Raises ValueError, quoting the part that is not allowed.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"the rule is {len(text)} characters long; at most {MAX_LENGTH} are allowed")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"the rule cannot be read: {getattr(error, 'msg', 'too deep')}") from None
    _check(tree, text.strip())

    def rule(n1: Array, n2: Array, s1: Array, s2: Array, t: int, budget: int) -> Array:
        names = {
            "n1": n1, "n2": n2, "s1": s1, "s2": s2, "t": t, "T": budget,
            "m1": np.where(n1 > 0, s1 / np.maximum(n1, 1), 0.5),
            "m2": np.where(n2 > 0, s2 / np.maximum(n2, 1), 0.5),
            "p1": (s1 + 0.5) / (n1 + 1.0),
            "p2": (s2 + 0.5) / (n2 + 1.0),
        }  # fmt: skip
        with np.errstate(all="ignore"):
            return np.asarray(_value(tree, names), dtype=float)

    return rule


def _check(node: ast.AST, text: str) -> None:
    quoted = ast.get_source_segment(text, node) if isinstance(node, ast.expr) else None
    match node:
        case ast.Constant(value=bool() | int() | float()):
            return
        case ast.Name(id=name):
            if name not in NAMES:
                raise ValueError(f"“{name}” is not known; known are {', '.join(NAMES)}")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, text)
            _check(right, text)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
            _check(operand, text)
        case ast.BoolOp(values=values):
            for value in values:
                _check(value, text)
        case ast.Compare(left=left, ops=ops, comparators=comparators) if all(
            type(o) in _COMPARE for o in ops
        ):
            for part in (left, *comparators):
                _check(part, text)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            for part in (test, body, orelse):
                _check(part, text)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS and args:
            for part in args:
                _check(part, text)
        case _:
            raise ValueError(
                f"“{quoted or text}” is not allowed in a rule; functions are {', '.join(FUNCTIONS)}"
            )


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_number(left, names), _number(right, names))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return np.logical_not(_value(operand, names))
        case ast.UnaryOp(op=op, operand=operand):
            number = _number(operand, names)
            return -number if isinstance(op, ast.USub) else number
        case ast.BoolOp(op=op, values=values):
            join = np.logical_and if isinstance(op, ast.And) else np.logical_or
            result = _value(values[0], names)
            for part in values[1:]:
                result = join(result, _value(part, names))
            return result
        case ast.Compare(left=left, ops=signs, comparators=comparators):
            result, before = True, _value(left, names)
            for sign, part in zip(signs, comparators, strict=True):
                after = _value(part, names)
                result = np.logical_and(result, _COMPARE[type(sign)](before, after))
                before = after
            return result
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = (_value(test, names), _value(body, names), _value(orelse, names))
            return np.where(*parts)  # type: ignore[call-overload]
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](*(_number(part, names) for part in args))
    raise AssertionError(f"unchecked node {node!r}")


def _number(node: ast.AST, names: Mapping[str, Any]) -> Array:
    return np.asarray(_value(node, names), dtype=float)
