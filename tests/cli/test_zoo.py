"""`archstudio zoo`, from outside."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_networks_are_listed_with_their_counts(archstudio: Run) -> None:
    ran = archstudio("zoo", "list")
    assert ran.code == 0
    assert "25,557,032" in ran.out
    listed = archstudio("zoo", "list", "--json").json
    assert listed["schema"] == "archstudio.zoo/1"
    assert {"lenet-5", "llama-3-8b", "dlrm"} <= {n["name"] for n in listed["networks"]}


def test_a_network_is_shown_with_its_source(archstudio: Run) -> None:
    ran = archstudio("zoo", "show", "qwen3-4b")
    assert ran.code == 0
    assert "arXiv 2505.09388" in ran.out
    assert "4,022,468,096 parameters" in ran.out


def test_a_copy_is_a_graph_that_runs_and_is_not_written_over(archstudio: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.arch.json"
    assert archstudio("zoo", "copy", "lenet-5", file).code == 0
    checked = archstudio("check", file, "--json").json
    assert checked["runs"]
    assert checked["parameters"] == 61_706
    before = file.read_bytes()
    refused = archstudio("zoo", "copy", "vgg-16", file)
    assert refused.code == 2
    assert "exists already" in refused.err
    assert file.read_bytes() == before


def test_an_unknown_network_is_told_in_one_line(archstudio: Run) -> None:
    ran = archstudio("zoo", "show", "lenet")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "lenet-5" in ran.err
