"""Formulas: a seed gives the recorded one, what is printed is read back, and text from outside runs nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.formulas.drawing import NoFormula, draw_multivariate, draw_univariate
from archstudio.intuition.formulas.text import mathematics, parse, printed, torch_code
from archstudio.intuition.formulas.tree import (
    FUNCTIONS,
    OPERATORS,
    Binary,
    Call,
    Constant,
    Node,
    Variable,
    evaluate,
    simplifies,
)

UNIT = (0.0, 1.0)

leaves = st.one_of(
    st.builds(Variable, st.integers(0, 2)),
    st.sampled_from([-2.0, -0.8333, 0.0, 0.5, 1.1667]).map(lambda v: Constant(v, f"{v:g}")),
)
formulas: st.SearchStrategy[Node] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Call, st.sampled_from(FUNCTIONS), inner),
        st.builds(Binary, st.sampled_from(OPERATORS), inner, inner),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("seed", "retry", "line"),
    [
        (42, 0, "cos(6.283185307179586*(0.8333 + x)) + (x - x + x / -2)"),
        (1, 1, "tanh(2*cos(6.283185307179586*-1.5)) + x"),
    ],
)
def test_a_seed_gives_the_recorded_formula_of_one_variable(seed: int, retry: int, line: str) -> None:
    drawn = draw_univariate(seed, max_depth=3, max_retries=200, domain=UNIT)
    assert (printed(drawn.formula, many=False), drawn.retry) == (line, retry)


@pytest.mark.parametrize(
    ("seed", "coordinates", "line"),
    [
        (
            200531225,
            4,
            "tanh(2*x0) + tanh(2*(x1 / 0.5)) + cos(6.283185307179586*x2) * -0.8333 + (x3 + 0.1667)"
            " + sin(6.283185307179586*x1) * cos(6.283185307179586*x3) + x3 * sin(6.283185307179586*x0)",
        ),
        (
            2,
            5,
            "sin(6.283185307179586*sin(6.283185307179586*sin(6.283185307179586*x0))) + (tanh(2*tanh(2*x1)))**2"
            " + tanh(2*((x2)**3 / 0.6667)) + sin(6.283185307179586*x3) / -2 + abs(x4) + tanh(2*x3) * (x0)**2"
            " + sin(6.283185307179586*x0) * cos(6.283185307179586*x2)",
        ),
    ],
)
def test_a_seed_gives_the_recorded_formula_of_many(seed: int, coordinates: int, line: str) -> None:
    drawn = draw_multivariate(seed, coordinates, max_depth=3, max_retries=200, domain=UNIT)
    assert printed(drawn.formula, many=True) == line


@given(formulas)
def test_what_is_printed_is_read_back(formula: Node) -> None:
    line = printed(formula, many=True)
    again = parse(line, coordinates=3, name="spec")
    assert printed(again, many=True) == line
    points = np.random.default_rng(0).uniform(-1, 1, (20, 3))
    np.testing.assert_array_equal(evaluate(again, points), evaluate(formula, points))


@given(formulas)
def test_the_torch_code_computes_the_formula(formula: Node) -> None:
    import torch

    points = np.random.default_rng(0).uniform(0.1, 1, (20, 3))
    names = {f"x{i}": torch.from_numpy(points[:, i]) for i in range(3)}

    def divide(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a / torch.clamp(torch.abs(b), min=0.1) * torch.sign(b + 1e-12)

    space = {"torch": torch, "divide": divide, "number": lambda c: torch.tensor(c, dtype=torch.float64), **names}
    found = torch.broadcast_to(eval(torch_code(formula), space), (20,)).numpy()
    np.testing.assert_allclose(found, evaluate(formula, points), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "line",
    [
        "__import__('os').system('x')", "x.real", "lambda: x", "x0 if x1 else x2", "[x0]", "x9", "sin(x0)", "x0 ** 4",
        "sin(3*x0)", "abs(x0, x1)", "exp(x0)", "x0 @ x1", "True", "1e99", "x0 +", "(" * 300 + "x0" + ")" * 300,
        "+".join(["x0"] * 3000), "-" * 90 + "x0", "x0\x00",
    ],
)  # fmt: skip
def test_a_formula_from_outside_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(UnusableFile, match="formula"):
        parse(line, coordinates=3, name="spec")


def test_people_see_that_division_is_guarded() -> None:
    shown = mathematics(parse("x / (x + 0.5)", coordinates=1, name="spec"), many=False)
    assert shown == "x ÷ (x + 0.5)\nwhere a ÷ b = sign(b) · a / max(|b|, 0.1)"
    assert "where" not in mathematics(parse("sin(6.283185307179586*x)", coordinates=1, name="spec"), many=False)


@pytest.mark.parametrize(
    "line", ["x - x", "x / x", "x + x", "1 + 2", "x * 0", "x * 1", "x / 1", "x - 0", "abs(abs(x))"]
)
def test_degenerate_formulas_are_known(line: str) -> None:
    assert simplifies(parse(f"sin(6.283185307179586*({line}))", coordinates=1, name="spec"))


@given(st.integers(0, 2**31))
def test_canonical_drawing_never_gives_a_degenerate_formula(seed: int) -> None:
    drawn = draw_univariate(seed, max_depth=3, max_retries=500, domain=UNIT, canonical=True)
    assert not simplifies(drawn.formula)


def test_no_usable_formula_is_said_with_the_seed() -> None:
    with pytest.raises(NoFormula, match="seed 5"):
        draw_univariate(5, max_depth=3, max_retries=1, domain=(0.0, 1e-9))
