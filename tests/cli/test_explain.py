"""`archstudio explain`, and what `archstudio check` says of advice."""

from __future__ import annotations

import json

from archstudio.graph import write_graph
from archstudio.verify.examples import problem_examples


def test_a_code_is_explained_with_both_graphs_and_what_mends_the_one(archstudio):
    ran = archstudio("explain", "a-collapses")
    assert ran.code == 0
    assert "A-COLLAPSES  advice" in ran.out
    assert "Two linear maps in a row are one linear map" in ran.out
    assert "head follows fc with nothing between" in ran.out
    assert "→ Insert relu" in ran.out
    assert ran.out.index("✖ a graph that has it") < ran.out.index("✔ one that has not")


def test_the_explanation_as_json_holds_graphs_that_open(archstudio, tmp_path):
    ran = archstudio("explain", "E-LINEAR-IN", "--json")
    record = ran.json
    assert (record["schema"], record["severity"]) == ("archstudio.explain/1", "error")
    assert [p["code"] for p in record["fails"]["problems"]] == ["E-LINEAR-IN"]
    file = tmp_path / "again.json"
    file.write_text(json.dumps(record["fails"]["graph"]))
    again = archstudio("check", file, "--json")
    assert (again.code, [p["code"] for p in again.json["problems"]]) == (1, ["E-LINEAR-IN"])


def test_all_codes_are_listed(archstudio):
    listed = {row["code"] for row in archstudio("explain", "--list", "--json").json["codes"]}
    assert listed == set(problem_examples())
    assert "E-LINEAR-IN" in listed
    assert "A-COLLAPSES" in archstudio("explain", "--list").out


def test_an_unknown_code_is_one_line_with_those_that_look_like_it(archstudio):
    ran = archstudio("explain", "E-LINEAR-OUT")
    assert (ran.code, ran.out) == (2, "")
    assert "no problem has the code E-LINEAR-OUT. Is it E-LINEAR-IN" in ran.err
    assert archstudio("explain").code == 2


def collapsing(tmp_path, **meta):
    graph = problem_examples()["A-COLLAPSES"].failing()
    graph.meta.update(meta)
    file = tmp_path / "net.json"
    file.write_bytes(write_graph(graph))
    return file


def test_strict_fails_on_advice_unless_it_is_silenced_with_a_reason(archstudio, tmp_path):
    file = collapsing(tmp_path)
    assert archstudio("check", file).code == 0
    assert archstudio("check", file, "--strict").code == 1
    file = collapsing(tmp_path, silenced={"A-COLLAPSES": "low rank is meant"})
    ran = archstudio("check", file, "--strict", "--json")
    assert ran.code == 0
    assert ran.json["silenced"] == [{"code": "A-COLLAPSES", "reason": "low rank is meant", "layers": ["head"]}]
    assert "A-COLLAPSES is silenced at 1 layer: low rank is meant" in archstudio("check", file).out


def test_problems_are_also_written_as_sarif(archstudio, tmp_path):
    target = tmp_path / "out.sarif"
    assert archstudio("check", collapsing(tmp_path), "--sarif", target).code == 0
    (run,) = json.loads(target.read_text())["runs"]
    assert [r["ruleId"] for r in run["results"]] == ["A-COLLAPSES"]
