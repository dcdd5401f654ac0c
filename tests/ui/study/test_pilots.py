"""One pilot run of each condition, through the window, from consent to debrief."""

from __future__ import annotations

import pytest

from archstudio.study.items import GraphItem
from archstudio.study.replay import verify


def through_the_items(hand, *, turns: int = 1) -> None:
    """Submits each graph as it is, as often as it takes, and answers each question."""
    while hand.session.stage == "items":
        shown = hand.session.state.current
        if isinstance(shown.item, GraphItem):
            while hand.session.state.current is shown:
                hand.submit()
        else:
            hand.answer(2)
            if hand.session.desk is not None and hand.session.desk.shown is shown:  # it is revealed
                hand.qtbot.keyClick(hand.window.items.quiz.foot.next_button, " ")
            hand.next_painted()


def to_the_end(hand, study):
    path = hand.session.path
    session = hand.session
    assert hand.session.stage == "debrief"
    hand.press(hand.window.page.on_button)
    assert session.state.end_reason == "completed"
    assert str(path) in hand.window.page.told.text()
    hand.press(hand.window.page.on_button)
    assert not hand.window.isVisible()
    found = verify(path, study.pack)
    assert found.holds, found.problems
    return found.state


@pytest.mark.parametrize(
    ("condition", "submissions"), [("single_shot", 1), ("verifier_turns_3", 3), ("verifier_tool", 1), ("assisted", 1)]
)
def test_a_pilot_on_graphs(study_window, graphs, condition, submissions) -> None:
    study = graphs(condition)
    hand = study_window(study)
    hand.to_items()
    if condition == "verifier_tool":
        hand.do("study.audit")
        assert "Audit 1" in hand.window.docks.brief.heading.text()
    else:
        assert not hand.window.actions_of["study.audit"].isVisible() or condition == "assisted"
    through_the_items(hand)
    state = to_the_end(hand, study)
    assert len(state.shown) == 5
    graphs_shown = [shown for shown in state.shown.values() if isinstance(shown.item, GraphItem)]
    assert max(shown.count("submit") for shown in graphs_shown) == submissions
    assert all(shown.time.active_ms > 0 for shown in state.shown.values())


@pytest.mark.parametrize("condition", ["blind", "full_sequential_feedback"])
def test_a_pilot_on_questions(study_window, questions, condition) -> None:
    study = questions(condition)
    hand = study_window(study)
    hand.to_items()
    through_the_items(hand)
    state = to_the_end(hand, study)
    answered = [shown.answered for shown in state.shown.values()]
    assert len(answered) == 7
    assert all(each is not None and sum(each.data["p"]) == pytest.approx(1) for each in answered)
    revealed = sum(each.revealed is not None for each in answered)
    assert revealed == (6 if condition == "full_sequential_feedback" else 0)
