"""`archstudio summary`, from outside."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archstudio.app.zoo import zoo_bytes

Run = Callable[..., Any]


@pytest.fixture
def lenet(tmp_path: Path) -> Path:
    file = tmp_path / "lenet.arch.json"
    file.write_bytes(zoo_bytes("lenet-5"))
    return file


def test_layers_stand_under_their_frames_with_totals(archstudio: Run, lenet: Path) -> None:
    ran = archstudio("summary", lenet)
    assert ran.code == 0
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert any(line.split()[:2] == ["Features", "6"] and "2,572" in line for line in lines)
    assert any(line.startswith("   conv1 ") and "B×6×28×28" in line for line in lines)
    assert "Parameters 61,706, all trainable; buffers 0 elements" in lines
    assert any("416,520) at B = 1" in line for line in lines)
    assert any("int4 30.1 KiB" in line for line in lines)


def test_long_names_are_not_cut(archstudio: Run, tmp_path: Path) -> None:
    file = tmp_path / "m.arch.json"
    file.write_bytes(zoo_bytes("mobilenet-v2"))
    assert "s2b1_project_norm" in archstudio("summary", file).out


def test_json_has_numbers_of_layers_frames_and_the_whole(archstudio: Run, lenet: Path) -> None:
    told = archstudio("summary", lenet, "--batch", 3, "--json").json
    assert told["schema"] == "archstudio.summary/1"
    assert told["macs"] == 3 * 416_520
    assert [f["title"] for f in told["frames"]] == ["Features", "Classifier"]
    assert told["layers"][1]["shape"] == [3, 6, 28, 28]
    assert told["weightBytes"] == {"fp32": 246_824, "bf16": 123_412, "int8": 61_706, "int4": 30_853}


def test_csv_and_markdown_hold_the_same_layers(archstudio: Run, lenet: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(archstudio("summary", lenet, "--csv").out)))
    assert len(rows) == 14 + 2 + 1
    assert rows[-1]["parameters"] == "61706"
    markdown = archstudio("summary", lenet, "--markdown").out.splitlines()
    assert sum(line.startswith("| ") for line in markdown) == len(rows) + 1


def test_while_an_error_stands_totals_are_unknown(archstudio: Run, tiny_cnn: Path) -> None:
    ran = archstudio("summary", tiny_cnn)
    assert ran.code == 1
    assert "Totals unknown while problems stand" in ran.out
    told = archstudio("summary", tiny_cnn, "--json").json
    assert told["parameters"] is told["macs"] is told["outputBytes"] is None
    assert told["weightBytes"]["fp32"] is None


def test_two_forms_at_once_are_refused(archstudio: Run, lenet: Path) -> None:
    ran = archstudio("summary", lenet, "--csv", "--json")
    assert ran.code == 2
    assert "exclude each other" in ran.err


def test_a_decoder_is_told_its_cache_and_latency(archstudio: Run, tmp_path: Path) -> None:
    file = tmp_path / "llama.arch.json"
    file.write_bytes(zoo_bytes("llama-2-7b"))
    ran = archstudio("summary", file, "--context", 205)
    assert (
        "KV cache 102 MiB for 1 × 205 tokens (512 KiB a token); read as long as the weights at 25,205 tokens" in ran.out
    )
    assert "bound by weights" in ran.out
    told = archstudio("summary", file, "--context", 205, "--machine", "H100 SXM", "--json").json["costs"]
    assert told["decode"]["ideal"]["ms"] == pytest.approx(3.977, rel=0.005)
    refused = archstudio("summary", file, "--machine", "abacus")
    assert refused.code == 2
    assert "There is no machine 'abacus'" in refused.err


def test_training_and_the_peak_are_told(archstudio: Run, lenet: Path) -> None:
    told = archstudio("summary", lenet, "--json").json["costs"]
    assert told["peak"] == {"bytes": 2 * 6 * 28 * 28 * 4, "layer": "conv1_act"}
    assert told["trainingBytes"]["momentum"] - told["trainingBytes"]["sgd"] == 4 * 61_706
    assert told["kv"] is told["decode"] is None
