"""Finding layers by name, type, size, shape and problem."""

from __future__ import annotations

import pytest

from archstudio.app.finding import find_layers
from archstudio.study.visibility import SINGLE_SHOT


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ["input", "conv1", "act1", "head", "output"]),
        ("CONV", ["conv1"]),
        ("relu", ["act1"]),
        ("type:linear", ["head"]),
        ("params>400", ["conv1"]),
        ("params>=448 conv", ["conv1"]),
        ("params<1k params>0", ["conv1", "head"]),
        ("macs>0.3M", ["conv1"]),
        ("shape:30", ["conv1", "act1"]),
        ("shape:16×30", ["conv1", "act1"]),
        ("problem", ["head"]),
        ("bypassed", []),
        ("nobody", []),
        ("params>...", []),
    ],
)
def test_words_find_layers(desk, typed: str, found: list[str]) -> None:
    assert [desk.graph.node(n).name for n in find_layers(desk.document, typed)] == found


def test_words_about_what_may_not_be_seen_find_nothing(desk) -> None:
    desk.document.visibility = SINGLE_SHOT
    for typed in ("params>0", "shape:30", "problem"):
        assert find_layers(desk.document, typed) == []
    assert len(find_layers(desk.document, "conv1")) == 1
