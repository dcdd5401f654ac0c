"""Every kind of problem has a graph that has it, and nothing else, and one like it that has no problem at all."""

from __future__ import annotations

import pytest

from archstudio.layers import Severity, entries
from archstudio.layers.problem import KINDS
from archstudio.verify import advice, check
from archstudio.verify.examples import problem_examples

list(entries())
advice.load()
CODES = sorted(KINDS)
TOLD_AS = {"E-SHARED": "E-NO-TARGET"}
"""What a layer alone says, and what is said of it within a graph."""
TOLD_WITH = {"A-UNUSED-WEIGHTS": {"A-DEAD-END"}}
"""Weights are unused where a layer leads nowhere, which is told as well."""


def test_every_code_has_examples_and_every_example_a_code():
    assert set(problem_examples()) == set(KINDS)


@pytest.mark.parametrize("code", CODES)
def test_the_one_graph_has_the_problem_and_the_other_has_none(code):
    example = problem_examples()[code]
    failing, passing = check(example.failing()), check(example.passing())
    errors = [p.kind.code for p in failing.errors]
    if KINDS[code].severity is Severity.ERROR:
        assert errors == [TOLD_AS.get(code, code)]
        assert passing.runs
    else:
        assert errors == []
        assert {p.kind.code for p in failing.remarks} - TOLD_WITH.get(code, set()) == {code}
        assert passing.problems == ()


@pytest.mark.parametrize("code", CODES)
def test_every_kind_is_explained_and_its_sentence_can_be_written(code):
    kind = KINDS[code]
    assert kind.explain.endswith((".", ":", ")"))
    for problem in check(problem_examples()[code].failing()).problems:
        assert "{" not in problem.title("layer")
    assert "{" not in kind.general_title


@pytest.mark.parametrize("code", [c for c in CODES if not c.startswith("E-")])
def test_the_first_letter_of_a_code_tells_its_severity(code):
    assert KINDS[code].severity is {"M": Severity.MISTAKE, "A": Severity.ADVICE}[code[0]]
