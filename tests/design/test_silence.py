"""Remarks can be silenced with a reason, heard again, and the edits can be taken back."""

from __future__ import annotations

import pytest

from archstudio.design.silence import hear_again, silence
from archstudio.verify import Session
from archstudio.verify.advice.silence import silenced
from archstudio.verify.examples import problem_examples

CODE = "A-TWICE-ACTIVATED"


def test_silencing_keeps_the_reason_and_is_undone_by_its_inverse():
    graph = problem_examples()[CODE].failing()
    session = Session(graph)
    assert [p.kind.code for p in session.verdict().remarks] == [CODE]
    inverse = silence(graph, CODE, "both are meant").apply(graph)
    assert session.verdict().remarks == ()
    assert silenced(graph) == {CODE: "both are meant"}
    inverse.apply(graph)
    assert [p.kind.code for p in session.verdict().remarks] == [CODE]
    assert "silenced" not in graph.meta


def test_one_code_is_heard_again_and_the_others_stay_silent():
    graph = problem_examples()[CODE].failing()
    silence(graph, CODE, "meant").apply(graph)
    silence(graph, "A-NO-NORM").apply(graph)
    hear_again(graph, CODE).apply(graph)
    assert silenced(graph) == {"A-NO-NORM": ""}
    hear_again(graph, "A-NO-NORM").apply(graph)
    assert "silenced" not in graph.meta


@pytest.mark.parametrize("said", [[CODE], {CODE: "meant"}, {CODE: None}])
def test_a_list_of_codes_silences_as_well(said):
    graph = problem_examples()[CODE].failing()
    graph.set_meta("silenced", said)
    assert list(silenced(graph)) == [CODE]
    assert Session(graph).verdict().remarks == ()


@pytest.mark.parametrize("nonsense", [3, "A-NO-NORM", True])
def test_nonsense_silences_nothing(nonsense):
    graph = problem_examples()[CODE].failing()
    graph.set_meta("silenced", nonsense)
    assert silenced(graph) == {}
