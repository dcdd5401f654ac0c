"""Texts made of words and names: problems, fixes, steps of the history and facts of briefs have German ones too."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

import archstudio
from archstudio.app.action_text import action_text
from archstudio.app.problem_words import fix_label, problem_title
from archstudio.app.search import search_layers, spoken_description, summary
from archstudio.app.verdict_lines import fact_value
from archstudio.app.words import Pattern, said, said_made, said_with, set_words
from archstudio.bench.brief import brief_facts
from archstudio.bench.broken import exercise, exercise_names
from archstudio.bench.facts import FactResult
from archstudio.bench.tasks import curated_tasks
from archstudio.design.fixes import fixes_for
from archstudio.files.data import data_path
from archstudio.files.home import recovery_path
from archstudio.graph import from_document
from archstudio.layers.catalogue import entries
from archstudio.services.tools import all_kinds
from archstudio.ui.language import PARTS, catalogue, install_language, patterns
from archstudio.verify.examples import problem_examples
from archstudio.verify.session import Session

ROOM = Path(archstudio.__file__).parent
FOLDER = data_path("resources", "translations", "de.json").parent
HOLE = re.compile(r"\{\w*[^}]*\}")
A_NAME = "conv1"
WORDLESS = re.compile(r"[a-zA-Z]\w* (\S+|\([^a-z]*\)|\(conv1[^a-z]*\))|\W*")
"""`kernelSize 3`, `bias false`, `dtype float32`: a parameter and its value are the same in every language."""
MADE_OF_WORDS = {"Use 12 conv1", "Use 12 key/value conv1", "conv1 conv1 to conv1"}
"""Labels whose verb or noun comes from a variable: heads, head; Pad, Crop. Shown with real ones below."""


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    install_language("de")
    yield
    install_language("en")


def test_every_problem_is_told_and_explained_in_german() -> None:
    told = catalogue("de")
    kinds = all_kinds().values()
    missing = [k.code for k in kinds if k.title not in told or (k.explain and k.explain not in told)]
    assert missing == []


def test_every_layer_and_every_parameter_is_explained_in_german() -> None:
    told = catalogue("de")
    assert [entry.type for entry in entries() if summary(entry) not in told] == []
    helps = {field.help for entry in entries() for field in entry.fields.values() if field.help}
    assert sorted(helps - told.keys()) == []


def test_what_a_node_tells_of_its_layer_is_german_where_it_holds_words() -> None:
    wordy = re.compile(r"\b(axis|axes|heads|layers|groups|actions|codes|frequencies|window|state|to|of|on|else|from)\b")
    told = {entry.telling for entry in entries() if wordy.search(HOLE.sub("", entry.telling))}
    assert len(told) > 20
    assert sorted(told - catalogue("de").keys()) == []


def test_no_text_stands_in_two_files_of_a_language() -> None:
    held = [
        json.loads(file.read_text(encoding="utf-8")) for file in FOLDER.glob("de*.json") if "patterns" not in file.name
    ]
    texts = [source for table in held for source in table]
    assert len(held) == len(PARTS) + 1
    assert sorted({source for source in texts if texts.count(source) > 1}) == []


def test_a_file_names_each_text_once() -> None:
    for file in FOLDER.glob("de*.json"):
        pairs = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=list)
        assert len(pairs) == len(dict(pairs)), file.name


def test_the_practice_set_is_german() -> None:
    told = catalogue("de")
    held = [exercise(name) for name in exercise_names()]
    texts = {text for each in held for text in (each.title, each.goal, *each.hints, each.explanation)}
    assert sorted(texts - told.keys()) == []


ENGLISH_WORD = re.compile(
    r"\b(the|of|and|with|have|not|each|its|which|needs|takes|or|than|least|most|two|given|whole)\b"
)
PLAIN_TITLES = {"E-INPUT-DTYPE"}  # its layers are called `words` and `number`


def test_every_fact_of_every_kind_of_problem_is_told_in_german(german: None) -> None:
    graphs = [example.failing() for example in problem_examples().values()]
    graphs += [from_document(dict(exercise(name).start), file=name) for name in exercise_names()]
    told = set()
    for graph in graphs:
        verdict = Session(graph).verdict()
        for problem in verdict.problems:
            name = graph.node(problem.node).name if problem.node in graph else ""
            told |= {problem_title(problem, name)} if problem.kind.code not in PLAIN_TITLES else set()
            told |= {fix_label(fix) for fix in fixes_for(graph, problem, verdict)}
    assert len(told) > 200
    assert sorted(text for text in told if ENGLISH_WORD.search(text)) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("another layer is called conv 1", "eine andere Schicht heißt schon conv 1"),
        ("a frame needs a title", "ein Rahmen braucht einen Titel"),
        ("Saved net.json", "net.json gespeichert"),
        (
            "Could not save '/a/b': the disk is full. Nothing was written; save under another name or folder.",
            "„/a/b“ ließ sich nicht speichern: der Datenträger ist voll. Es wurde nichts geschrieben; "
            "speichern Sie unter einem anderen Namen oder in einem anderen Ordner.",
        ),
        (
            "structural blocker: attn: embedDim 100 not divisible by numHeads 7",
            "Hindernis im Aufbau: attn: embedDim 100 nicht durch numHeads 7 teilbar",
        ),
        (
            "act is gone: mend it instead of leaving it out.",
            "act fehlt: beheben Sie den Fehler, statt die Schicht wegzulassen.",
        ),
    ],
)
def test_refusals_and_notices_are_told_in_german(german: None, text: str, told: str) -> None:
    assert said_made(text) == told


def test_the_plan_the_notes_of_formulas_and_the_tips_of_the_search_are_german(german: None) -> None:
    params = {"inChannels": 3}
    added = {"type": "add_component", "componentType": "conv2d", "name": "c", "params": params, "afterName": "a"}
    assert action_text(added) == "conv2d c hinter a hinzufügen mit inChannels = 3"
    assert action_text({"type": "delete_component", "name": "c"}) == "c löschen"
    assert said_made("over 4 numbers") == "über 4 Zahlen"
    assert said_made("⌊32/8⌋ · ⌊32/8⌋ patches") == "⌊32/8⌋ · ⌊32/8⌋ Patches"
    told = spoken_description(next(entry for entry in entries() if entry.type == "conv2d"))
    assert told.startswith("Schiebt Kerne über Höhe und Breite.\n")
    assert "[torch.nn.Conv2d]" in told


def test_a_layer_called_like_a_word_keeps_its_name_in_the_verdict(german: None) -> None:
    ends = FactResult("The last layer is linear", True, "features, value")
    assert fact_value(ends, ["features", "value"]) == "features, value"
    assert fact_value(FactResult("…", False, "missing: fc1"), ["fc1"]) == "fehlt: fc1"
    assert said("features") == "features"


def test_a_translation_that_asks_for_too_much_leaves_the_problem_in_english() -> None:
    set_words({"{node} is odd": "{nobody} ist ungerade"}.get)  # type: ignore[arg-type]
    try:
        assert said_with("{node} is odd", {"node": "fc"}) == "fc is odd"
    finally:
        set_words(None)


def test_what_is_kept_stays_english(window: Any, german: None, tmp_path: Path) -> None:
    window.open_task("deepen-resnet")
    document = window.application.current
    document.selection.set([document.graph.node_ids[1]])
    window.commands.action("edit.bypass").trigger()
    fix = fixes_for(document.graph, document.verdict.errors[0], document.verdict)[0]
    document.push(fix.edit, fix.label)
    window.application.flush_journals()
    journals = written(recovery_path())
    window.application.save(document, tmp_path / "net.arch.json")
    german_words = re.compile(r"überbrücken|Globaler Mittelwert|Merkmale|erwartet|Schicht")
    assert document.history.labels[0] == "Bypass conv1"
    assert any("Bypass" in text for text in journals.values())
    kept = {**journals, **written(tmp_path)}
    assert "net.arch.json" in kept
    assert [name for name, text in kept.items() if german_words.search(text)] == []


def written(folder: Path) -> dict[str, str]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.name: file.read_text(encoding="utf-8", errors="replace") for file in files}


def labels(tree: ast.AST) -> Iterator[str]:
    """What steps and fixes are called in a file; names and numbers in them stand as `conv1`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = {"Recipe": 0, "push": 1, "push_added": 1, "push_merged": 1}.get(called)
            if place is not None and node.args and ast.unparse(node.args[0]) == "context":
                place += 1
            if place is not None and len(node.args) > place:
                yield from words(node.args[place])
        elif isinstance(node, ast.Assign) and any("label" in ast.unparse(t) for t in node.targets):
            yield from words(node.value)


def words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from words(node.body)
        yield from words(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        parts = [[p.value] if isinstance(p, ast.Constant) else list(words(p.value)) or [filled(p)] for p in node.values]
        texts = [""]
        for part in parts:
            texts = [text + more for text in texts for more in part]
        yield from texts


def filled(hole: ast.FormattedValue) -> str:
    told = ast.unparse(hole.value)
    is_number = (
        hole.format_spec is not None
        or "len(" in told
        or told in ("axis", "size", "root", "each", "dims", "divisor", "count", "value")
    )
    return "12" if is_number else A_NAME


def without_braces(text: str) -> str:
    """Holes that a fix fills later hold a number."""
    return re.sub(r"{\w+}", "12", text)


def test_every_step_and_every_fix_has_a_german_name(german: None) -> None:
    files = [*(ROOM / "design" / "remedies").glob("*.py"), *(ROOM / "app" / "commands").glob("*.py")]
    files += [
        *(ROOM / "ui" / "canvas").rglob("*.py"),
        *(ROOM / "ui" / "panels").glob("*.py"),
        ROOM / "app" / "adding.py",
    ]
    found = {without_braces(text) for file in files for text in labels(ast.parse(file.read_text(encoding="utf-8")))}
    english = {
        text for text in found if text.strip() and said_made(text) == text and not WORDLESS.fullmatch(text)
    } - MADE_OF_WORDS
    assert len(found) > 100
    assert sorted(english) == []


def test_the_facts_of_every_brief_are_german(german: None) -> None:
    facts = {fact.text for task in curated_tasks() for fact in brief_facts(task)}
    assert len(facts) > 30
    assert {text for text in facts if said_made(text) == text} == set()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Delete conv1", "conv1 löschen"),
        ("Delete 12 layers", "12 Schichten löschen"),
        ("Delete Move", "Move löschen"),
        ("Set kernelSize of conv 2 of 3", "kernelSize von conv 2 of 3 setzen"),
        ("Global average pool, inFeatures 16", "Globaler Mittelwert, inFeatures 16"),
        ("inFeatures 30", "inFeatures 30"),
        ("Use 8 key/value heads", "8 Key/Value-Köpfe verwenden"),
        ("Use 1 key/value head", "1 Key/Value-Kopf verwenden"),
        ("Pad conv1 to 32×32", "conv1 auf 32×32 auffüllen"),
        ("Crop conv1 to 32×32", "conv1 auf 32×32 zuschneiden"),
        ("The output has 1 or 2 values for a binary answer", "Der Ausgang hat 1 oder 2 Werte für eine binäre Antwort"),
        ("At least 2 attention blocks", "Mindestens 2 Attention-Blöcke"),
        ("output waits for head. Nothing else is wrong.", "output wartet auf head. Sonst ist nichts falsch."),
        ("a text that nobody translated", "a text that nobody translated"),
    ],
)
def test_made_texts_keep_names_as_people_wrote_them(german: None, text: str, told: str) -> None:
    assert said_made(text) == told


def test_words_among_the_facts_of_a_problem_are_told_names_are_not(german: None) -> None:
    template = "{node} expects {needs:,} {what}, the wire carries {gets:,}"
    facts = {"node": "features", "needs": 1024, "gets": 16, "what": "features"}
    assert said_with(template, facts) == "features erwartet 1,024 Merkmale, der Draht trägt 16"


def test_patterns_have_the_same_holes_and_none_hides_behind_an_earlier_one() -> None:
    made = patterns("de")
    for pattern in made:
        assert sorted(HOLE.findall(pattern.source)) == sorted(HOLE.findall(pattern.target)), pattern.source
    for k, pattern in enumerate(made):
        sample = re.sub(r"\{(\w+)\}", lambda hole: "12" if hole[1] in ("n", "m", "counts") else A_NAME, pattern.source)
        first = next(number for number, other in enumerate(made) if other.said(sample) is not None)
        assert first == k, f"{pattern.source!r} is never reached: {made[first].source!r} comes first"


def test_a_pattern_fits_whole_texts_only() -> None:
    pattern = Pattern("Use {n} heads", "{n} Köpfe verwenden")
    assert pattern.said("Use 1,024 heads") == "1,024 Köpfe verwenden"
    assert pattern.said("Use 8 heads now") is None
    assert pattern.said("Use many heads") is None


def test_the_window_tells_problems_fixes_steps_and_facts_in_german(window: Any, qtbot: Any, german: None) -> None:
    window.open_task("deepen-resnet")
    document = window.application.current
    problem = document.verdict.errors[0]
    assert problem_title(problem, "head") == "head erwartet 16 Merkmale, der Draht trägt 30"
    window.view.show_dock("problems")
    panel = window.docks.problems
    panel.refresh()
    qtbot.waitUntil(lambda: bool(panel.cards) and bool(panel.cards[0].buttons))
    buttons = [button.text().split("    ")[0] for button in panel.findChildren(QPushButton)]
    assert {"Globaler Mittelwert", "Linear 30→16 davor"} <= set(buttons)
    shown = [label.text() for label in panel.findChildren(QLabel)]
    assert "head erwartet 16 Merkmale, der Draht trägt 30" in shown
    assert "output wartet auf head. Sonst ist nichts falsch." in shown
    fix = fixes_for(document.graph, problem, document.verdict)[0]
    assert (fix.label, fix_label(fix)) == ("Global average pool", "Globaler Mittelwert")
    document.push(fix.edit, fix.label)
    window.docks.history.refresh()
    steps = window.docks.history._list
    assert [steps.item(k).text() for k in range(steps.count())] == ["Geöffnet", "Globaler Mittelwert"]
    assert document.history.labels == ["Global average pool"]  # what is kept stays English


def test_layers_are_found_by_their_german_description(german: None) -> None:
    assert "batchNorm2d" in [entry.type for entry in search_layers("Varianz 1 über die Bilder")]
    assert said("no such text") == "no such text"
