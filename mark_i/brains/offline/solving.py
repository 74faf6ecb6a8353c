"""Solve the small sums and equations that are written on a screen."""

import ast
import operator
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

UNKNOWN: Final = "x"
SIGNS: Final = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", "·": "*"})  # noqa: RUF001 - as they are written
FORMULA: Final = re.compile(r"[\dx.()+*/\s-]*[+*/-][\dx.()+*/\s-]*")
_BETWEEN: Final[dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def solution_of(texts: Iterable[str]) -> str | None:
    """Return the result of the only sum in some texts, or the value of `x` in the only equation; None if unclear."""
    found = {solved for text in texts if (solved := _solved(text)) is not None}
    return next(iter(found)) if len(found) == 1 else None


def _solved(text: str) -> str | None:
    plain = re.sub(r"(?<=\d)\s*[xX]\s*(?=\d)", "*", text.casefold().translate(SIGNS)).strip(" :?")
    left, equals, right = (part.strip(" ?") for part in plain.partition("="))
    sides = [left, right] if right else [left]
    if not any(map(FORMULA.fullmatch, sides)) or (not equals and UNKNOWN in left):
        return None
    try:
        if not right:
            return _written(_value(left, Fraction(0)))
        at = [_value(left, Fraction(one)) - _value(right, Fraction(one)) for one in range(3)]
        if UNKNOWN not in plain or at[0] == at[1] or at[2] - at[1] != at[1] - at[0]:  # not linear
            return None
        return _written(at[0] / (at[0] - at[1]))
    except (ArithmeticError, SyntaxError, ValueError):
        return None


def _value(formula: str, unknown: Fraction) -> Fraction:
    spelled = re.sub(rf"(?<=[\d)])\s*(?={UNKNOWN})", "*", formula)  # 3x
    return _evaluated(ast.parse(spelled, mode="eval").body, unknown)


def _evaluated(node: ast.expr, unknown: Fraction) -> Fraction:
    match node:
        case ast.BinOp(left, sign, right) if type(sign) in _BETWEEN:
            return _BETWEEN[type(sign)](_evaluated(left, unknown), _evaluated(right, unknown))
        case ast.UnaryOp(ast.USub(), inner):
            return -_evaluated(inner, unknown)
        case ast.Constant(int() | float() as number):
            return Fraction(str(number))
        case ast.Name(name) if name == UNKNOWN:
            return unknown
    raise ValueError(node)


def _written(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
