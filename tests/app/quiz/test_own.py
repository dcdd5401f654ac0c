"""Own settings: what can be asked, what is kept, and one that is really trained beside the choices."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_packs import _drawn as drawn

from archstudio.app.quiz.foreign import TrustedCode, foreign_setting
from archstudio.app.quiz.item import ShownData
from archstudio.app.quiz.own import (
    CannotTry,
    OwnSetting,
    changed,
    first_model,
    has_foreign_files,
    loss_ids,
    model_types,
    own_setting,
    with_depth,
)
from archstudio.app.quiz.packs import QuizPack
from archstudio.app.quiz.workbench import Trial, Workbench, dataset_spec, retained
from archstudio.files.settings import SettingsFile
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import CandidateSpec, MlpModel, check_candidate_id
from archstudio.intuition.profile import FAMILIES, Family

PATIENCE_SECONDS = 180.0


def spec_of(family: Family = "univariate_regression") -> CandidateSpec:
    return drawn(family, 3)[1][0]


def setting(base: CandidateSpec, **other: object) -> OwnSetting:
    given_: dict[str, object] = {
        "model": base.model, "optimizer": base.optimizer, "loss": base.loss,
        "samples": base.budget.total_samples_seen, "batch_size": base.budget.batch_size, "device": "cpu",
        "inherited": "A",
    }  # fmt: skip
    return own_setting(base, **{**given_, **other})  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_setting_that_changes_nothing_is_the_choice_itself(family: Family) -> None:
    base = spec_of(family)
    made = setting(base)
    assert made.exact
    assert made.spec == base


def test_a_changed_setting_is_a_candidate_of_its_own_with_a_true_id_and_count() -> None:
    base = spec_of()
    assert isinstance(base.model, MlpModel)
    model = changed(base.model, width=7)
    made = setting(base, model=model, samples=256, batch_size=64)
    assert not made.exact
    assert made.spec.budget.training_steps == 4
    assert made.spec.trainable_parameter_count == parameter_count(model)
    assert made.spec.candidate_id != base.candidate_id
    check_candidate_id(made.spec, "own")


def test_a_budget_that_no_batch_divides_is_refused_with_what_would_do() -> None:
    with pytest.raises(CannotTry, match="take 96 or 144"):
        setting(spec_of(), samples=100, batch_size=48)
    with pytest.raises(CannotTry, match="take 48"):
        setting(spec_of(), samples=20, batch_size=48)


def test_a_part_that_is_none_is_refused_with_its_reason() -> None:
    with pytest.raises(CannotTry, match="does not divide by 3 heads"):
        changed(spec_of("bigram_lm").model, num_heads=3)


def test_what_is_offered_fits_the_data() -> None:
    assert model_types(spec_of("bigram_lm")) == ("transformer_lm",)
    assert model_types(spec_of()) == ("mlp", "kan")
    assert loss_ids(spec_of()) == ("mse", "mse_l2", "mse_l1")
    assert set(loss_ids(spec_of("bigram_lm"))) == {"cross_entropy", "cross_entropy_l2", "cross_entropy_l1"}


@pytest.mark.parametrize("kind", ["mlp", "kan"])
def test_another_type_of_model_keeps_the_ends(kind) -> None:
    base = spec_of("synthetic_tabular_classification")
    made = first_model(kind, base.model)
    ends = made.ends if isinstance(made, MlpModel) else (made.input_dim, made.output_dim)  # type: ignore[union-attr]
    assert ends == base.model.ends  # type: ignore[union-attr]
    setting(base, model=made)


def test_layers_are_cut_or_the_last_repeated() -> None:
    assert with_depth(["relu", "gelu"], 4) == ["relu", "gelu", "gelu", "gelu"]
    assert with_depth(["relu", "gelu", "silu"], 1) == ["relu"]


def test_files_that_differ_from_the_settings_are_foreign(pack: QuizPack) -> None:
    from dataclasses import replace

    choice = pack.items[0].choices[0]
    assert not has_foreign_files(choice)
    changed_file = replace(choice.files[0], text=choice.files[0].text + "\nimport os\n")
    assert has_foreign_files(replace(choice, files=(changed_file, *choice.files[1:])))


@given(st.lists(st.one_of(st.none(), st.floats(0.001, 9.0)), min_size=1, max_size=12))
def test_the_newest_and_the_best_other_are_kept(means: list[float | None]) -> None:
    trials = [Trial(f"own {k}", None, "", (0,), state="finished", mean=mean) for k, mean in enumerate(means)]  # type: ignore[arg-type]
    kept = retained(trials)
    assert kept[0] is trials[-1]
    assert len(kept) <= 2
    ended = [mean for mean in means[:-1] if mean is not None]
    assert [trial.mean for trial in kept[1:]] == ([min(ended)] if ended else [])


def shown(pack: QuizPack) -> ShownData:
    return pack.items[0].data


def wait(bench: Workbench) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while bench.busy and time.monotonic() < until:
        bench.poll()
        time.sleep(0.05)


def test_an_own_setting_is_trained_and_a_second_one_stands_beside_it(pack: QuizPack, tmp_path: Path) -> None:
    base = pack.items[0].choices[0].spec
    assert base is not None
    bench = Workbench(root=tmp_path / "runs", scratch=tmp_path / "scratch", workers=1)
    try:
        bench.take("first", dataset_spec(shown(pack)))
        first = bench.start(setting(base, samples=512, batch_size=64), "like A", range(2))
        assert first.state == "preparing"
        wait(bench)
        assert first.message == ""
        assert first.state == "finished"
        assert first.mean is not None
        assert first.mean > 0
        assert first.curve.samples[-1] == 512
        assert "cpu" in bench.devices
        second = bench.start(setting(base, samples=256, batch_size=64), "shorter", range(1))
        wait(bench)
        assert second.state == "finished"
        assert [trial.name for trial in retained(bench.trials)] == ["own 2", "own 1"]
        bench.take("second", dataset_spec(pack.items[1].data))
        assert bench.trials == []
    finally:
        bench.close()


def test_data_that_cannot_be_prepared_are_told(pack: QuizPack, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.write_text("in the way", encoding="utf-8")
    bench = Workbench(root=tmp_path / "runs", scratch=scratch, workers=1)
    try:
        bench.take("first", dataset_spec(shown(pack)))
        wait(bench)
        assert bench.problem
        assert not bench.ready
    finally:
        bench.close()


def test_a_packs_own_model_runs_in_our_loop_on_the_same_data(pack: QuizPack, tmp_path: Path) -> None:
    choice = pack.items[0].choices[0]
    assert choice.spec is not None
    short = setting(choice.spec, samples=256, batch_size=64)
    foreign = foreign_setting(choice, short.spec)
    assert foreign is not None
    bench = Workbench(root=tmp_path / "runs", scratch=tmp_path / "scratch", workers=1)
    try:
        bench.take("first", dataset_spec(shown(pack)))
        theirs = bench.start(foreign, "its own files", range(1))
        wait(bench)
        ours = bench.start(short, "like A", range(1))
        wait(bench)
        assert theirs.message == ""
        assert theirs.mean == ours.mean  # these files are the ones the settings make
    finally:
        bench.close()


def test_what_may_run_is_kept_by_content(tmp_path: Path) -> None:
    store = SettingsFile(tmp_path / "trust.json")
    assert not TrustedCode(store).allows("a" * 64)
    TrustedCode(store).allow("a" * 64)
    TrustedCode(store).allow("a" * 64)
    assert TrustedCode(SettingsFile(tmp_path / "trust.json")).allows("a" * 64)
    assert not TrustedCode(store).allows("b" * 64)
    assert store.read()["code"] == ["a" * 64]
