"""What the examples of problems say PyTorch refuses, PyTorch refuses; what they say runs, runs."""

import pytest

from archstudio.torchcode.judge import judge
from archstudio.torchcode.judgement import differences
from archstudio.verify import check
from archstudio.verify.examples import graph_of, problem_examples

LARGE = {"A-HUGE-MATRIX", "A-LARGE-RESULT", "A-FULL-HEADS", "A-KV-BUDGET"}
"""Graphs about sizes that are not worth their memory here."""
CODES = [code for code in problem_examples() if code not in LARGE]


@pytest.mark.parametrize("code", CODES)
def test_pytorch_agrees_with_both_examples(code: str) -> None:
    example = problem_examples()[code]
    for compact in (example.fails, example.passes):
        graph = graph_of(compact)
        verdict = check(graph)
        assert differences(verdict, judge(graph, verdict)) == []
