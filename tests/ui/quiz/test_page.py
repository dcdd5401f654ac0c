"""The page with one question: keys, probabilities, what is revealed, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_packs import bake_content, write_pack
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QPlainTextEdit, QPushButton, QTabWidget, QWidget

from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.record import SessionRecord
from archstudio.app.quiz.session import begin
from archstudio.files.atomic import SaveFailed
from archstudio.ui.quiz.choice_board import ChoiceBoard
from archstudio.ui.quiz.code_view import CodeDialog
from archstudio.ui.quiz.page import QuizPage
from archstudio.ui.quiz.ranking_board import RankingBoard
from archstudio.ui.quiz.reveal import Verdict
from archstudio.ui.theme import Theme


def board(page: QuizPage) -> ChoiceBoard:
    assert isinstance(page.board, ChoiceBoard)
    return page.board


def percents(page: QuizPage) -> list[int]:
    assert [card.slider.value() for card in board(page).cards] == [card.field.value() for card in board(page).cards]
    return [card.slider.value() for card in board(page).cards]


def texts(widget: QWidget) -> str:
    """Everything a person could read, hear or find about a widget and what is in it."""
    found = []
    for one in [widget, *widget.findChildren(QWidget)]:
        found += [one.windowTitle(), one.toolTip(), one.accessibleName(), one.accessibleDescription(), one.objectName()]
        for read in ("text", "toPlainText", "placeholderText", "currentText"):
            if hasattr(one, read):
                found.append(str(getattr(one, read)()))
    return "\n".join(found)


def test_digits_choose_and_arrows_change_and_it_always_sums_to_a_hundred(show, pack: QuizPack, qtbot) -> None:
    page = show(pack)
    assert percents(page) == [34, 33, 33]
    assert not page.foot.answer_button.isEnabled()
    qtbot.keyClick(page, Qt.Key.Key_2)
    assert percents(page) == [20, 60, 20]
    assert page.foot.answer_button.text() == "Answer B (60 %)"
    focus = board(page).cards[1].slider
    assert focus.hasFocus()
    qtbot.keyClick(focus, Qt.Key.Key_Right)
    assert percents(page) == [18, 65, 17]
    qtbot.keyClick(focus, Qt.Key.Key_Left)
    qtbot.keyClick(focus, Qt.Key.Key_Left)
    assert sum(percents(page)) == 100
    qtbot.keyClick(focus, Qt.Key.Key_3)
    assert board(page).confidence.choice == "C"
    assert sum(percents(page)) == 100


def test_a_percent_can_be_typed(show, pack: QuizPack) -> None:
    page = show(pack)
    board(page).cards[0].field.setValue(80)
    assert percents(page) == [80, 10, 10]
    assert page.foot.answer_button.text() == "Answer A (80 %)"


def test_a_click_on_a_card_chooses_it(show, pack: QuizPack, qtbot) -> None:
    page = show(pack)
    qtbot.mouseClick(board(page).cards[2], Qt.MouseButton.LeftButton)
    assert board(page).confidence.choice == "C"


def test_tab_goes_from_card_to_card_and_then_to_the_reason_and_the_answer(show, pack: QuizPack, qtbot) -> None:
    page = show(pack, "full_sequential_feedback")
    cards = board(page).cards
    cards[0].slider.setFocus()
    visited = []
    for _ in range(12):
        now = page.focusWidget()
        assert now is not None
        visited.append(now.objectName())
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    places = [visited.index(name) for name in ("slider-A", "percent-A", "slider-B", "slider-C", "percent-C")]
    assert places == sorted(places)
    assert visited[visited.index("percent-C") + 1] == "reason"


def test_enter_answers_and_then_goes_on(show, pack: QuizPack, kept: list[SessionRecord], qtbot) -> None:
    page = show(pack, "full_sequential_feedback")
    page.foot.edit.setPlainText("wider is better here")
    qtbot.keyClick(page, Qt.Key.Key_Return)
    assert page.session.answer is None  # nothing is chosen yet
    qtbot.keyClick(page, Qt.Key.Key_2)
    with qtbot.waitSignal(page.answered) as told:
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert told.args[0].choice == "B"
    assert kept[-1].answers[0].probabilities == {"A": 0.2, "B": 0.6, "C": 0.2}
    assert kept[-1].answers[0].reason == "wider is better here"
    assert page.findChild(Verdict).title.text() == "Right: B ends lowest."
    assert page.reveal is not None
    with qtbot.waitSignal(page.moved_on):
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert page.session.number == 2


def test_the_reveal_shows_every_result_and_a_note_is_kept(show, pack: QuizPack, kept: list, qtbot) -> None:
    page = show(pack, "full_sequential_feedback")
    board(page).pick("A")
    page.answer()
    assert page.findChild(Verdict).title.text() == "B ends lowest; you chose A."
    told = texts(page)
    for result in ("1.  0.3 ± 0.01", "2.  0.5 ± 0.01", "3.  0.7 ± 0.01"):
        assert result in told
    assert [card.property("state") for card in board(page).cards] == ["wrong", "right", ""]
    assert not any(card.slider.isEnabled() for card in board(page).cards)
    page.foot.edit.setPlainText("small rates need more steps")
    page.go_on()
    assert kept[-1].answers[0].lesson == "small rates need more steps"


def test_a_note_is_kept_by_itself_after_a_pause(show, pack: QuizPack, kept: list, qtbot) -> None:
    page = show(pack, "full_sequential_feedback")
    board(page).pick("A")
    page.answer()
    with qtbot.waitSignal(page.lesson_written):
        page.foot.edit.setPlainText("depth did not help")
    assert kept[-1].answers[0].lesson == "depth did not help"


def test_blind_says_nothing_before_or_after_the_answer(show, pack: QuizPack, qtbot) -> None:
    page = show(pack, "blind", own=lambda: pytest.fail("own settings are offered in a blind session"))
    for baked in _baked(pack):
        for _ in range(2):
            told = texts(page)
            secrets = [baked["id"], baked["datasetId"], *(c["candidateId"] for c in baked["detail"]["choices"])]
            assert not [secret for secret in secrets if secret in told]
            assert "0.5 ± 0.01" not in told
            assert "right" not in told.lower().replace("copyright", "")
            assert page.reveal is None
            if page.session.answer is None:
                board(page).pick("C")
                page.answer()
        assert page.findChild(Verdict).title.text() == "Your answer is recorded."
        page.go_on()


def _baked(pack: QuizPack) -> list[dict[str, Any]]:
    import json

    content = json.loads(pack.content)
    return [content["byId"][entry["id"]] for entry in content["questions"]]


def test_files_are_one_click_away_and_only_to_be_read(show, pack: QuizPack, qtbot) -> None:
    page = show(pack, "blind")
    page.findChild(QPushButton, "code-A").click()
    dialog = page.findChild(CodeDialog)
    tabs = dialog.findChild(QTabWidget)
    assert [tabs.tabText(k) for k in range(tabs.count())] == ["model.py", "optimizer.py", "loss.py", "train.py"]
    assert all(one.isReadOnly() for one in dialog.findChildren(QPlainTextEdit))
    model = tabs.widget(0)
    assert isinstance(model, QPlainTextEdit)
    assert "class Model" in model.toPlainText()
    assert "c_" not in dialog.windowTitle()
    dialog.reject()


def test_what_cannot_be_kept_is_refused_and_stays_open(qtbot, pack: QuizPack) -> None:
    def keep(record: SessionRecord) -> None:
        if record.answers:
            raise SaveFailed(Path("session.json"), "the disk is full")

    page = QuizPage(begin(pack, protocol="practice", seed=None, keep=keep), Theme.named("light"))
    qtbot.addWidget(page)
    board(page).pick("B")
    with qtbot.waitSignal(page.refused) as told:
        page.answer()
    assert "the disk is full" in told.args[0]
    assert board(page).cards[0].slider.isEnabled()
    assert page.reveal is None


def test_another_theme_keeps_what_was_entered(show, pack: QuizPack) -> None:
    page = show(pack)
    board(page).cards[2].field.setValue(72)
    page.foot.edit.setPlainText("a reason")
    page.set_theme(Theme.named("dark"))
    assert percents(page)[2] == 72
    assert page.foot.reason == "a reason"


def test_practice_leaves_a_question_and_comes_back_to_what_was_entered(show, pack: QuizPack, qtbot) -> None:
    page = show(pack)
    board(page).cards[0].field.setValue(90)
    page.head.question_asked.emit(3)
    assert page.session.number == 3
    assert percents(page) == [34, 33, 33]
    page.go_to(1)
    assert percents(page)[0] == 90


def test_names_from_a_pack_are_only_text(show, tmp_path: Path) -> None:
    content = bake_content(("univariate_regression",))
    question = next(iter(content["byId"].values()))
    hostile = "<img src=x onerror=alert(1)><b>bold</b>"
    question["detail"]["choices"][0]["variant"][0]["value"] = hostile
    question["detail"]["shared"][0]["label"] = hostile
    question["detail"]["dataset"]["plot"]["xLabel"] = hostile
    content["collection"]["title"] = hostile
    page = show(open_pack(write_pack(content, tmp_path / "p.json")))
    assert hostile in texts(page)
    assert all(one.textFormat() == Qt.TextFormat.PlainText for one in page.findChildren(QLabel))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_every_family_is_drawn_with_its_words(show, pack: QuizPack, number: int) -> None:
    from archstudio.ui.quiz.plots import StillPlot

    page = show(pack)
    page.go_to(number)
    plots = page.findChildren(StillPlot)
    item = page.session.item
    assert item is not None
    dimensions = getattr(item.data.params, "input_dim", None)
    many = item.family == "multivariate_regression"
    assert len(plots) >= (dimensions if many else 1)
    told = texts(page)
    assert {
        "univariate_regression": "y = ",
        "multivariate_regression": "averaged over the others",
        "bigram_lm": "ln 32 = 3.466",
        "synthetic_tabular_classification": "label 1 where",
    }[item.family] in told


def test_a_narrow_page_puts_the_choices_under_the_data(show, pack: QuizPack, qtbot) -> None:
    page = show(pack)
    wide = board(page).mapTo(page, board(page).rect().topLeft())
    page.resize(780, 900)
    qtbot.waitUntil(lambda: board(page).mapTo(page, board(page).rect().topLeft()).x() < wide.x())
    assert board(page).width() <= 780


def test_the_page_lives_in_another_window(qtbot, pack: QuizPack) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    session = begin(pack, protocol="full_sequential_feedback", seed=4, keep=lambda record: None)
    page = QuizPage(session, Theme.named("dark"))
    window.setCentralWidget(page)
    window.show()
    while not session.finished:
        board(page).pick("B")
        page.answer()
        page.go_on()
    assert len(session.answers) == 4


# ---------------------------------------------------------------------- rankings


def ranks(page: QuizPage) -> RankingBoard:
    assert isinstance(page.board, RankingBoard)
    return page.board


def test_rows_are_moved_with_keys(show, ranking: QuizPack, qtbot) -> None:
    page = show(ranking)
    listed = ranks(page).list
    assert ranks(page).order == ["T1", "T2", "T3", "T4"]
    qtbot.keyClick(listed, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert ranks(page).order == ["T2", "T1", "T3", "T4"]
    qtbot.keyClick(listed, Qt.Key.Key_4)
    assert ranks(page).order == ["T2", "T3", "T4", "T1"]
    qtbot.keyClick(listed, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert ranks(page).order == ["T2", "T3", "T1", "T4"]
    qtbot.keyClick(listed, Qt.Key.Key_Up)
    assert listed.currentRow() == 1


def test_a_row_that_is_dropped_elsewhere_is_there(show, ranking: QuizPack) -> None:
    page = show(ranking)
    model = ranks(page).list.model()
    moved: list[bool] = []
    ranks(page).changed.connect(lambda: moved.append(True))
    assert model.moveRow(model.index(-1, -1), 3, model.index(-1, -1), 0)  # what a drop inside the list does
    assert ranks(page).order == ["T4", "T1", "T2", "T3"]
    assert moved


def test_a_ranking_is_answered_as_it_stands_and_scored_by_pairs(show, ranking: QuizPack, kept: list, qtbot) -> None:
    page = show(ranking)
    qtbot.keyClick(ranks(page).list, Qt.Key.Key_Return)
    assert kept[-1].answers[0].order == ["T1", "T2", "T3", "T4"]
    assert page.findChild(Verdict).title.text() == "3 of 6 pairs are in order."
    assert "T3 < T1 < T4 < T2" in texts(page)
    before = ranks(page).order
    qtbot.keyClick(ranks(page).list, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert ranks(page).order == before


def test_a_blind_ranking_shows_curves_of_what_is_calibrated_on_only(show, ranking: QuizPack) -> None:
    from archstudio.ui.quiz.result_plot import ResultPlot

    page = show(ranking, "blind")
    (plot,) = page.findChildren(ResultPlot)
    assert [one.name for one in plot._drawn] == ["K1", "K2"]
    page.answer()
    assert len(page.findChildren(ResultPlot)) == 1
    assert "pairs" not in texts(page)


def test_the_heat_map_tells_the_probability_under_the_pointer(show, pack: QuizPack) -> None:
    from archstudio.ui.quiz.plots import StillPlot

    page = show(pack)
    page.go_to(3)
    (plot,) = page.findChildren(StillPlot)
    middle = plot.getPlotItem().getViewBox().mapViewToScene(QPointF(1.5, 0.5))
    plot.scene().sigMouseMoved.emit(middle)
    assert plot.toolTip() == "P(1 | 0) = 0.500"
