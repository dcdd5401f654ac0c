"""Freezing a protocol into a file that opens anywhere, and what is refused on opening."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_studies import SALT, Study, attention, frozen, graph_protocol, question_protocol

from archstudio.bench.generate import generate
from archstudio.bench.tasks import UnknownName, curated_task
from archstudio.files.data import data_path
from archstudio.files.seal import BrokenSeal, seal, unseal
from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import read_zip, zip_bytes
from archstudio.study.conditions import CONDUCTS
from archstudio.study.items import GraphItem, QuestionItem
from archstudio.study.pack import freeze, open_key, open_study
from archstudio.study.protocol import read_protocol
from archstudio.study.protocol.ready import ready_made, ready_protocol
from archstudio.study.records import CONDITIONS
from archstudio.study.session.beginning import Start, head
from archstudio.study.visibility import CONDITION_VISIBILITY, EVERYTHING, SINGLE_SHOT

Freeze = Callable[..., Study]


def test_the_same_protocol_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (frozen(graph_protocol("single_shot"), tmp_path) for _ in range(2))
    assert first.content == second.content
    assert first.key == second.key


def test_a_study_opens_without_the_researchers_files(tmp_path: Path) -> None:
    study = frozen(question_protocol("full_sequential_feedback"), tmp_path)
    (tmp_path / "questions.json").unlink()
    pack = open_study(study.content)
    assert len(pack.block("main")) == 6
    assert pack.texts["consent"].startswith("# Taking part")


def test_a_curated_item_has_the_models_own_brief(graphs: Freeze) -> None:
    item = graphs("single_shot").pack.items["mlp-tabular"]
    assert isinstance(item, GraphItem)
    assert item.wording == "byte-equal"
    assert item.brief == curated_task("mlp-tabular").spec
    assert item.text.startswith(item.brief)


def test_a_generated_item_says_the_same_facts_and_no_more(tmp_path: Path) -> None:
    said: dict[str, Any] = {"kind": "generated", "count": 3, "seed": 7}
    study = frozen(graph_protocol("single_shot", items=[said]), tmp_path)
    richer = frozen(graph_protocol("single_shot", items=[{**said, "wording": "complete"}]), tmp_path)
    task = next(generate("core", 1, 7))
    assert study.pack.items["gen-mlp-0"].brief == task.brief("original-facts")
    assert study.pack.items["gen-mlp-0"].wording == "fact-equal"
    assert richer.pack.items["gen-mlp-0"].wording == "richer"


def test_an_item_holds_no_limit_and_no_solution(graphs: Freeze) -> None:
    study = graphs("single_shot")
    for name, content in read_zip(study.content).items():
        if name.startswith("items/"):
            for word in (b"constraints", b"minScore", b"reference", b"budget", b"maxActions"):
                assert word not in content


def test_the_researchers_key_opens_a_blind_pack_and_no_other(questions: Freeze, tmp_path: Path) -> None:
    blind, other = questions("blind"), questions("blind", id="another")
    (tmp_path / "k.key").write_bytes(blind.key)
    pack = open_key(tmp_path / "k.key", blind.pack)
    item = pack.items["q_000001"]
    assert isinstance(item, QuestionItem)
    key = pack.question_key(item)
    assert key is not None
    assert key.correct == "c_001b"
    assert key.means["c_001b"] == min(key.means.values(), key=lambda mean: mean or 9)
    with pytest.raises(UnusableFile, match="not the key"):
        open_key(tmp_path / "k.key", other.pack)


def test_a_seal_of_another_study_does_not_open() -> None:
    sealed = seal(b"content", "one")
    assert unseal(sealed, "one") == b"content"
    for broken in (sealed[:-3], b"x" + sealed, sealed.replace(b"key 1", b"key 9")):
        with pytest.raises(BrokenSeal):
            unseal(broken, "one")
    with pytest.raises(BrokenSeal):
        unseal(sealed, "two")


# Refusals ---------------------------------------------------------------------------------------------------------


def altered(content: bytes, **changes: Callable[[bytes], bytes]) -> bytes:
    members = read_zip(content)
    for name, change in changes.items():
        path = next(each for each in members if each.replace("/", "_").split(".")[0] == name)
        members[path] = change(members[path])
    return zip_bytes(members)


def with_version(manifest: bytes) -> bytes:
    return json.dumps({**json.loads(manifest), "version": 2}).encode()


def with_other_schema(manifest: bytes) -> bytes:
    return json.dumps({**json.loads(manifest), "schema": "a.cake"}).encode()


@pytest.mark.parametrize(
    ("part", "change", "problem"),
    [
        ("manifest", with_version, "newer version.*Update Arch Studio"),
        ("manifest", with_other_schema, "is no study"),
        ("manifest", lambda content: content[:-5], "not valid JSON"),
        ("protocol", lambda content: content.replace(b"single_shot", b"assisted"), "altered after freezing"),
        (
            "items_0001",
            lambda content: content.replace(b"layer", b"liver").replace(b"1", b"2"),
            "altered after freezing",
        ),
        ("texts_consent", lambda content: content + b" ", "altered after freezing"),
        ("key", lambda content: content[:-1], "damaged|cut off|not the key"),
    ],
)
def test_a_study_that_was_altered_is_refused(
    graphs: Freeze, part: str, change: Callable[[bytes], bytes], problem: str
) -> None:
    content = graphs("single_shot").content
    with pytest.raises(UnusableFile, match=problem) as fault:
        open_study(altered(content, **{part: change}), name="mine.study")
    assert "mine.study" in str(fault.value) or "key.sealed" in str(fault.value)


def test_a_part_that_is_missing_is_named(graphs: Freeze) -> None:
    for part in ("items/0001.json", "key.sealed"):
        members = read_zip(graphs("single_shot").content)
        del members[part]
        with pytest.raises(UnusableFile, match=rf"{part}: a part is missing"):
            open_study(zip_bytes(members))


def test_a_file_that_is_no_study_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.study").write_bytes(b"no zip at all")
    for path in (tmp_path / "a.study", tmp_path / "missing.study"):
        with pytest.raises(UnusableFile, match=path.name):
            open_study(path)
    with pytest.raises(UnusableFile, match="no manifest"):
        open_study(zip_bytes({"readme.txt": b"hello"}))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"conditions": ["blind"]}, "blind is not one of arch-bench"),
        ({"conditions": ["single_shot", "single_shot"]}, "named twice"),
        ({"conditions": []}, "at least 1"),
        ({"items": [{"kind": "questions", "path": "x"}]}, "not of arch-bench"),
        ({"sampling": {"rule": "random"}}, "every other rule needs one"),
        ({"attention": [{**attention(), "instructed": 9}]}, "choice 9 is instructed"),
        ({"attention": [attention(), attention()]}, "same id"),
        ({"texts": {"consent": {"template": "consent", "file": "x"}}}, "either 'file' or 'template'"),
        ({"unknown": 1}, "Extra inputs"),
        ({"schema": 2}, "newer version"),
        ({"id": "Not An Id"}, "pattern"),
    ],
)
def test_a_protocol_that_contradicts_itself_is_refused(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({**graph_protocol("single_shot").as_json(), **change}))
    with pytest.raises(UnusableFile, match=problem) as fault:
        read_protocol(path)
    assert "p.json" in str(fault.value)


def test_sources_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no-such-task"):
        freeze(graph_protocol("single_shot", items=[{"kind": "curated", "tasks": ["no-such-task"]}]), tmp_path)
    for items in ([{"kind": "tasks", "path": "missing.json"}], [{"kind": "curated"}, {"kind": "curated"}]):
        with pytest.raises(UnusableFile):
            freeze(graph_protocol("single_shot", items=items), tmp_path)
    with pytest.raises(UnusableFile, match=r"missing\.json"):
        freeze(question_protocol("blind", items=[{"kind": "questions", "path": "missing.json"}]), tmp_path)


def test_a_text_of_ones_own_takes_the_place_of_a_template(tmp_path: Path) -> None:
    texts: dict[str, Any] = {
        name: {"template": name} for name in ("instructions", "tutorial", "questionnaire", "debrief")
    }
    (tmp_path / "mine.md").write_text("# Mine\n\n- [ ] Yes\n")
    texts["consent"] = {"file": "mine.md", "version": "2"}
    pack = frozen(graph_protocol("single_shot", texts=texts), tmp_path).pack
    assert pack.consent_points == ("Yes",)
    assert pack.manifest.texts["consent"].version == "2"
    (tmp_path / "mine.md").unlink()
    with pytest.raises(UnusableFile, match=r"mine\.md"):
        freeze(graph_protocol("single_shot", texts=texts), tmp_path, SALT)


# What ships -------------------------------------------------------------------------------------------------------


def test_every_ready_made_protocol_can_be_frozen(tmp_path: Path) -> None:
    names = ready_made()
    assert {"pilot-15-minutes", "questions-60-blind", "questions-60-full-sequential-feedback"} <= set(names)
    for suite in ("curated-12", "generated-120"):
        for condition in ("single-shot", "verifier-turns-3", "verifier-tool"):
            assert f"{suite}-{condition}" in names
    for name in names:
        pack = frozen(ready_protocol(name), tmp_path).pack
        assert pack.id == name
    with pytest.raises(UnknownName):
        ready_protocol("none")


def test_the_generated_study_gives_each_item_equally_often(tmp_path: Path) -> None:
    pack = frozen(ready_protocol("generated-120-single-shot"), tmp_path).pack
    assert len(pack.block("main")) == 120
    counts: dict[str, int] = dict.fromkeys(pack.block("main"), 0)
    for number in range(20):
        for name in head(pack, Start("x", number))["order"]:
            if name in counts:
                counts[name] += 1
    assert set(counts.values()) == {2}


def test_counterbalancing_puts_each_item_at_each_place_equally_often(graphs: Freeze) -> None:
    pack = graphs("single_shot", attention=[], practice=[]).pack
    orders = [head(pack, Start("x", number))["order"] for number in range(6)]
    for place in range(3):
        at_place = [order[place] for order in orders]
        assert sorted(at_place) == sorted(2 * pack.block("main"))
    assert orders[0][::-1] in orders


def test_texts_ship_in_every_study_and_ask_no_name() -> None:
    for name in ("consent", "instructions", "tutorial", "questionnaire", "debrief"):
        assert data_path("resources", "study", f"{name}.md").read_text(encoding="utf-8").startswith("# ")


def test_each_condition_has_one_visibility_value() -> None:
    assert set(CONDITION_VISIBILITY) == set(CONDITIONS) == set(CONDUCTS)
    assert CONDITION_VISIBILITY["single_shot"] == SINGLE_SHOT
    assert CONDITION_VISIBILITY["assisted"] == EVERYTHING.without("own_layers")
    assert not any(seen.own_layers for seen in CONDITION_VISIBILITY.values())
    shown = {name: CONDITION_VISIBILITY[name] for name in CONDITIONS if name != "assisted"}
    for name, visible in shown.items():
        for part in ("exact_verdict", "task_verdict", "brief_verdict", "shapes", "counts", "fixes", "sized_splice"):
            assert not getattr(visible, part)
        assert not visible.shape_filter
        assert not visible.divisor_steppers
        assert not visible.field_reasons
        assert visible.audit == (name == "verifier_tool")
        assert visible.failure_list == (name == "verifier_turns_3")
        assert visible.reveal == (name == "full_sequential_feedback")
