"""Only expressions over torch and the layer's own inputs get into a program."""

import pytest

from archstudio.torchcode.expressions import UnsafeCode, blocks_used, checked, without_prefix

SEEN = frozenset({"x", "self"})


@pytest.mark.parametrize("code", ["self.fc(x)", "torch.cat([x, x], dim=-1)", "x[:, 0]", "sum(t for t in (x, x))"])
def test_ordinary_calls_pass(code: str) -> None:
    checked(code, SEEN)


@pytest.mark.parametrize(
    "code",
    [
        "__import__('os')",
        "open('f')",
        "x.__class__",
        "x; y",
        "import os",
        "(lambda: x)()",
        "(y := x)",
        "y",
        "x\x00",
        "",
    ],
)
def test_anything_else_is_refused(code: str) -> None:
    with pytest.raises(UnsafeCode):
        checked(code, SEEN)


def test_the_blocks_prefix_goes_but_not_inside_texts() -> None:
    code = "blocks.MLP(8, 'blocks.é', blocks.GEGLU(2))"
    tree = checked(code, frozenset())
    assert blocks_used(tree) == {"MLP", "GEGLU"}
    assert without_prefix(code, tree) == "MLP(8, 'blocks.é', GEGLU(2))"
