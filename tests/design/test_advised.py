"""Advice that names a mechanical change comes with it, and the change makes the advice go."""

from __future__ import annotations

import pytest

from archstudio.design import remedies
from archstudio.design.fixes import fixes_for
from archstudio.design.site import PROPOSERS
from archstudio.layers.problem import KINDS
from archstudio.verify import advice, check
from archstudio.verify.examples import problem_examples

advice.load()
remedies.load()
MENDED = sorted(code for code in KINDS if code[0] in "AM" and code in PROPOSERS)


@pytest.mark.parametrize("code", MENDED)
def test_a_fix_makes_the_remark_go(code):
    graph = problem_examples()[code].failing()
    verdict = check(graph)
    problem = next(p for p in verdict.remarks if p.kind.code == code)
    fixes = fixes_for(graph, problem, verdict)
    assert fixes
    for fix in fixes:
        inverse = fix.edit.apply(graph)
        after = check(graph)
        assert after.runs, fix.label
        assert problem.id not in [p.id for p in after.remarks], fix.label
        inverse.apply(graph)


def test_most_advice_can_be_followed_by_a_press():
    remarks = [code for code in KINDS if code[0] in "AM"]
    assert len(MENDED) > len(remarks) // 2
