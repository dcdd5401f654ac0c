"""The commands of the console program: what they print, how they exit, and how they fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archstudio.bench.tasks import curated_tasks
from archstudio.edits import edit_from_json
from archstudio.graph import from_document, read_graph, write_graph
from archstudio.torchcode.judge import judge
from archstudio.verify import check

CASES = Path(__file__).parents[1] / "cases"

REFERENCES = {  # score and parameters that the published reference solutions get (rubrics 2 and 3)
    "cnn-cifar": (80, 19_936),
    "mlp-tabular": (80, 4_160),
    "text-encoder": (63, 3_971_584),
    "fix-broken-attention": (60, 3_040_200),
    "deepen-resnet": (80, 5_360),
    "add-normalization": (88, 9_472),
    "scale-under-budget": (63, 21_652_480),
    "autoencoder": (80, 434_176),
    "two-tower-retrieval": (78, 3_208_192),
    "dlrm-ctr-ranking": (84, 6_418_464),
    "bst-sequence-ranking": (80, 6_498_560),
    "semantic-search-encoder": (63, 8_040_448),
}


def test_check_says_what_the_linear_layer_gets_and_what_mends_it(archstudio, tiny_cnn):
    ran = archstudio("check", tiny_cnn, "--json")
    assert ran.code == 1
    (problem,) = [p for p in ran.json["problems"] if p["severity"] == "error"]
    assert problem["code"] == "E-LINEAR-IN"
    assert problem["title"] == "head expects 16 features, the wire carries 30"
    assert (problem["needs"], problem["gets"]) == ("B×16×30×[16]", "B×16×30×[30]")
    labels = [fix["label"] for fix in problem["fixes"]]
    assert "Flatten, inFeatures 14,400" in labels
    assert "Global average pool" in labels


def test_each_fix_that_check_offers_verifies_clean_and_runs_in_pytorch(archstudio, tiny_cnn):
    (problem,) = [p for p in archstudio("check", tiny_cnn, "--json").json["problems"] if p["severity"] == "error"]
    assert len(problem["fixes"]) >= 3
    for fix in problem["fixes"]:
        graph = read_graph(tiny_cnn)
        edit_from_json(fix["edit"]).apply(graph)
        assert check(graph).runs, fix["label"]
        assert judge(graph).first_error is None, fix["label"]


def test_fixes_of_thousands_of_problems_are_tried_for_the_first_only(monkeypatch):
    from archstudio.app.document import Document
    from archstudio.graph import Connection, Graph, Node
    from archstudio.services import verdict_record
    from archstudio.verify.report import report

    graph = Graph()
    for k in range(12):
        graph.insert_node(Node(f"n{k}", "relu" if k else "input", f"n{k}", {} if k else {"shape": [1, 4]}))
    for k in range(11):
        graph.insert_connection(Connection(f"w{k}", f"n{k}", f"n{k + 1}"))
    document = Document(graph)
    told = [report(graph, document.verdict, p) for p in document.verdict.problems]
    assert all(verdict_record.offered_fixes(document.verdict, told)[1:])
    monkeypatch.setattr(verdict_record, "FIX_VISITS", 0)
    few = verdict_record.offered_fixes(document.verdict, told)
    assert len(few) == len(told)
    assert any(few[:5])
    assert not any(few[5:])


def test_check_of_a_sound_graph_exits_with_0_and_gives_totals(archstudio, tmp_path):
    file = tmp_path / "mlp.json"
    file.write_text(
        json.dumps(
            {
                "name": "mlp",
                "components": [
                    {"id": "a", "type": "input", "name": "input", "params": {"shape": [1, 32]}},
                    {"id": "b", "type": "linear", "name": "fc", "params": {"outFeatures": 8}},
                    {"id": "c", "type": "output", "name": "output", "params": {}},
                ],
                "connections": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}],
            }
        ),
        encoding="utf-8",
    )
    ran = archstudio("check", file, "--json")
    assert ran.code == 0
    assert ran.json["schema"] == "archstudio.check/1"
    assert (ran.json["parameters"], ran.json["macs"]) == (264, 256)
    assert ran.json["layers"][1]["inferred"] == {"inFeatures": 32}
    assert "runs in PyTorch" in archstudio("check", file).out


@pytest.mark.parametrize("task_id", list(REFERENCES))
def test_the_published_reference_passes_with_its_score_and_parameters(archstudio, tmp_path, task_id):
    task = next(t for t in curated_tasks() if t.id == task_id)
    actions = tmp_path / "actions.json"
    actions.write_text(json.dumps(task.reference()), encoding="utf-8")
    ran = archstudio("grade", "--task", task_id, "--rubric", "3", "--actions", actions, "--json")
    assert (ran.code, ran.json["pass"]) == (0, True)
    assert (ran.json["score"], ran.json["params"]) == REFERENCES[task_id]


@pytest.mark.parametrize("task_id", [t.id for t in curated_tasks() if t.kind != "design"])
def test_a_start_left_untouched_does_not_pass(archstudio, tmp_path, task_id):
    actions = tmp_path / "none.json"
    actions.write_text("[]", encoding="utf-8")
    assert archstudio("grade", "--task", task_id, "--actions", actions).code == 1


def test_plan_and_apply_lead_from_one_graph_to_another(archstudio, tiny_cnn, tmp_path):
    now = tmp_path / "now.json"
    graph = read_graph(tiny_cnn)
    edit_from_json(archstudio("check", tiny_cnn, "--json").json["problems"][0]["fixes"][0]["edit"]).apply(graph)
    now.write_bytes(write_graph(graph))
    planned = archstudio("plan", tiny_cnn, now, "--json")
    assert planned.code == 0
    actions = tmp_path / "actions.json"
    actions.write_text(json.dumps(planned.json), encoding="utf-8")
    done = archstudio("apply", tiny_cnn, actions, "--json").json
    assert done["errors"] == []
    reached = [{k: v for k, v in c.items() if k not in ("inputs", "outputs")} for c in done["model"]["components"]]
    assert check(from_document({**done["model"], "components": reached})).runs


def test_tasks_are_listed_and_shown(archstudio):
    assert len(archstudio("tasks", "list", "--json").json["tasks"]) == 12
    shown = archstudio("tasks", "show", "fix-broken-attention").out
    assert "numHeads" in shown
    assert "maxActions 4" in shown


@pytest.mark.parametrize(("kind", "file"), [("plans", "archbench_edge"), ("costs", "costs"), ("shapes", "shapes")])
def test_recorded_cases_all_agree(archstudio, kind, file):
    ran = archstudio("conform", kind, CASES / f"{file}.jsonl", "--json")
    assert ran.json["agree"] > 0
    assert (ran.code, ran.json["differ"], ran.json["uncovered"]) == (0, 0, 0)


def test_a_case_that_differs_is_named_and_exits_with_1(archstudio, tmp_path):
    line = next(
        line for line in (CASES / "shapes.jsonl").read_text(encoding="utf-8").splitlines() if '"linear-2d"' in line
    )
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(line.replace('"expected_params": 1290', '"expected_params": 1291') + "\n", encoding="utf-8")
    ran = archstudio("conform", "shapes", wrong)
    assert ran.code == 1
    assert "linear-2d" in ran.out
    assert "1,291" in ran.out


def test_training_from_the_command_line_gives_metrics_for_each_seed(archstudio, tmp_path):
    file = tmp_path / "mlp.json"
    model = {
        "components": [
            {"id": "a", "type": "input", "name": "input", "params": {"shape": [1, 8]}},
            {"id": "b", "type": "linear", "name": "fc", "params": {"inFeatures": 8, "outFeatures": 3}},
            {"id": "c", "type": "output", "name": "output", "params": {}},
        ],
        "connections": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}],
    }
    file.write_text(json.dumps(model), encoding="utf-8")
    ran = archstudio("train", file, "--samples", "256", "--seeds", "2", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["state"] == "finished"
    assert [seed["samples"] for seed in ran.json["seeds"]] == [256, 256]
    assert all(0 <= seed["metrics"]["val_accuracy"] <= 1 for seed in ran.json["seeds"])


@pytest.mark.parametrize("rate", ["0", "-1", "nan", "1e999"])
def test_a_learning_rate_that_is_none_is_refused(archstudio, tiny_cnn, rate):
    ran = archstudio("train", tiny_cnn, "--lr", rate)
    assert ran.code == 2
    assert "give a number above 0" in ran.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("check", "nowhere.json"), "nowhere.json"),
        (("grade", "--task", "nope", "--actions", "x.json"), "There is no task 'nope'"),
        (("grade", "--task", "cnn-cifar"), "either --actions FILE or --graph FILE"),
        (("check",), "FILE"),
        (("check", "--bogus", "x"), "--bogus"),
        (("nonsense",), "no such file or command: nonsense"),
    ],
)
def test_unusable_input_is_told_in_one_line_and_exits_with_2(archstudio, arguments, told):
    ran = archstudio(*arguments)
    assert ran.code == 2
    assert told.casefold() in ran.err.casefold()
    assert len(ran.err.strip().splitlines()) == 1
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "broken.json"),
        (b"[]", "broken.json"),
        (b'{"components": [], "connections": [], "components": []}', "components"),
        (b'{"components": [{"id": 1, "type": "relu", "name": "r"}], "connections": []}', "components[0].id"),
        (b'{"components": [], "connections": [{"from": "x", "to": "y"}]}', "connections[0]"),
        (b'{"components": [{"id":"a","type":"relu","name":"r","params":{"p":NaN}}], "connections": []}', "NaN"),
        (b"\xff\xfe\x00", "broken.json"),
    ],
)
def test_a_broken_graph_file_is_told_with_its_place(archstudio, tmp_path, content, told):
    file = tmp_path / "broken.json"
    file.write_bytes(content)
    ran = archstudio("check", file)
    assert ran.code == 2
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_without_a_display_the_window_is_refused_with_a_remedy(archstudio):
    ran = archstudio()
    assert ran.code == 2
    assert "archstudio demo" in ran.err


def test_the_demo_does_the_main_job_and_leaves_its_report(archstudio, tmp_path):
    ran = archstudio("demo", "--out", tmp_path / "out", "--samples", "640")
    assert ran.code == 0, ran.out + ran.err
    made = {p.name for p in (tmp_path / "out").iterdir()}
    assert {"1-broken.png", "2-mended.png", "3-trained.png", "curve.csv", "curve.png", "report.html"} <= made
    assert read_graph(tmp_path / "out" / "fix-broken-attention.arch.json").named("attn").params["numHeads"] == 5
    assert "passes, score 60" in ran.out
