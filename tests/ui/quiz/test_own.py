"""Own settings on the page, and a design among candidates, with a workbench that ends at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_packs import bake_content, write_pack
from PySide6.QtWidgets import QLabel
from quick_bench import QuickBench, net

from archstudio.app.quiz.foreign import ForeignSetting
from archstudio.app.quiz.own import OwnSetting
from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.intuition.candidates.spec import CandidateSpec, MlpModel
from archstudio.intuition.design import DesignCandidate
from archstudio.ui.quiz.own_panel import Confirm, OwnSettingPanel
from archstudio.ui.quiz.page import QuizPage
from archstudio.ui.theme import Theme


@pytest.fixture
def bench() -> QuickBench:
    return QuickBench()


@pytest.fixture
def page(show, pack: QuizPack, bench: QuickBench):
    documents = [net(), net(3)]

    def shown(protocol: str, of: QuizPack = pack, confirm: Confirm = never) -> QuizPage:
        return show(of, protocol, own=lambda: OwnSettingPanel(bench, Theme.named("light"), lambda: documents, confirm))

    return shown


def never(question: str, detail: str, action: str) -> bool:
    pytest.fail(f"nobody should be asked: {question}")


def panel(page: QuizPage) -> OwnSettingPanel:
    assert isinstance(page._own, OwnSettingPanel)
    return page._own


def opened(page: QuizPage) -> OwnSettingPanel:
    panel(page).toggle.setChecked(True)
    return panel(page)


def spec(pack: QuizPack, letter: int = 0) -> CandidateSpec:
    found = pack.items[0].choices[letter].spec
    assert found is not None
    return found


def said(page: QuizPage) -> str:
    assert page.reveal is not None
    return " ".join(one.text() for one in page.reveal.findChildren(QLabel) if one.isVisible())


def test_with_feedback_own_settings_are_offered_after_the_answer_only(page) -> None:
    shown = page("full_sequential_feedback")
    assert shown._own is None
    shown.board.pick("B")
    shown.answer()
    assert shown._own is not None


def test_the_form_begins_as_a_choice_and_trains_what_was_changed(
    page, pack: QuizPack, bench: QuickBench, qtbot
) -> None:
    shown = page("practice")
    own = opened(shown)
    own.source.setCurrentIndex(1)
    own.form.recipe.lr.setValue(0.02)
    own.form.model.neurons.setValue(48)
    own.train.click()
    (what,) = bench.started
    assert isinstance(what, OwnSetting)
    before = spec(pack, 1)
    assert what.inherited == "B"
    assert what.spec.optimizer.lr == 0.02
    assert isinstance(what.spec.model, MlpModel)
    assert what.spec.model.width == 48
    assert what.spec.loss == before.loss
    assert what.spec.optimizer.weight_decay == before.optimizer.weight_decay
    qtbot.waitUntil(lambda: "own 1 ends at 0.4" in own.told.text())
    assert "width 48" in own.kept.text()


def test_an_unchanged_setting_is_exactly_the_choice(page, pack: QuizPack, bench: QuickBench) -> None:
    own = opened(page("practice"))
    own.train.click()
    (what,) = bench.started
    assert isinstance(what, OwnSetting)
    assert what.exact
    assert what.spec == spec(pack)


def test_results_stand_in_the_ranking_beside_the_choices(page, qtbot) -> None:
    shown = page("full_sequential_feedback")
    shown.board.pick("B")
    shown.answer()
    own = opened(shown)
    own.train.click()
    qtbot.waitUntil(lambda: "own 1" in said(shown))
    for letter in "ABC":
        assert f" {letter} " in said(shown)
    own.train.click()
    qtbot.waitUntil(lambda: "own 2" in said(shown))
    assert "own 1" in said(shown)  # the newest and the best other


def test_a_setting_that_cannot_be_trained_is_told_and_not_started(page, bench: QuickBench) -> None:
    own = opened(page("practice"))
    own.form.samples.setValue(1000)
    own.form.batch.setValue(48)
    own.train.click()
    assert "take 960 or 1,008" in own.told.text()
    assert bench.started == []


def test_an_open_graph_can_be_the_architecture(page, bench: QuickBench) -> None:
    own = opened(page("practice"))
    assert own.source.itemText(3) == "the graph my net"
    own.source.setCurrentIndex(3)
    assert not own.form.model.isEnabled()
    own.train.click()
    (what,) = bench.started
    assert isinstance(what, DesignCandidate)
    own.source.setCurrentIndex(4)
    own.train.click()
    assert "takes 1×3" in own.told.text()


def test_what_was_tried_stays_when_the_answer_is_given_and_goes_with_the_question(page, bench, qtbot) -> None:
    shown = page("practice")
    opened(shown).train.click()
    qtbot.waitUntil(lambda: bench.active is None)
    shown.board.pick("B")
    shown.answer()
    assert panel(shown).toggle.isChecked()
    qtbot.waitUntil(lambda: "own 1" in said(shown))
    shown.go_on()
    opened(shown)
    assert bench.trials == []


def test_every_type_of_model_can_be_described(page, bench: QuickBench) -> None:
    shown = page("practice")
    own = opened(shown)
    own.form.model.kind.setCurrentIndex(1)
    own.form.model.grid.setValue(7)
    own.train.click()
    (what,) = bench.started
    assert isinstance(what, OwnSetting)
    assert what.spec.model.type == "kan"
    assert what.spec.model.grid_size == 7
    shown.go_to(3)
    language = opened(shown)
    assert language.form is not None
    assert [language.form.model.kind.itemData(k) for k in range(language.form.model.kind.count())] == ["transformer_lm"]
    language.form.model.d_model.setValue(96)
    language.form.model.heads.setValue(5)
    language.train.click()
    assert "does not divide by 5 heads" in language.told.text()


def test_a_packs_own_files_run_only_after_a_yes_that_is_asked_once_for_each_content(
    page, bench: QuickBench, tmp_path: Path
) -> None:
    content = bake_content(("univariate_regression",))
    files = next(iter(content["byId"].values()))["detail"]["choices"][1]["files"]
    files["model.py"] += "\nPRINTED = 'somebody else'\n"
    path = tmp_path / "foreign.json"
    answers = [False, True]
    asked: list[str] = []

    def confirm(question: str, detail: str, action: str) -> bool:
        asked.append(detail)
        return answers.pop(0)

    own = opened(page("practice", open_pack(write_pack(content, path)), confirm))
    sources = [own.source.itemText(k) for k in range(own.source.count())]
    assert [text for text in sources if "own files" in text] == ["choice B, its own files"]
    own.source.setCurrentText("choice B, its own files")
    assert not own.form.recipe.isEnabled()
    own.train.click()
    assert bench.started == []
    assert "model.py, optimizer.py, loss.py" in asked[0]
    own.train.click()
    own.train.click()
    assert len(asked) == 2  # the second yes is remembered
    first, again = bench.started
    assert isinstance(first, ForeignSetting)
    assert first.digest == again.digest
    files["model.py"] += "\n# changed\n"
    answers.append(False)
    other = opened(page("practice", open_pack(write_pack(content, path)), confirm))
    other.source.setCurrentText("choice B, its own files")
    other.train.click()
    assert len(asked) == 3
    assert len(bench.started) == 2
