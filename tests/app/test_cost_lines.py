"""Costs as they are told: exact, `unknown` while an error stands, on the machine a person chose."""

from __future__ import annotations

import pytest

from archstudio.app.cost_lines import (
    CostChoice,
    cache_rows,
    latency_rows,
    memory_rows,
    network_costs,
    sequence_of,
    store_choice,
    stored_choice,
    weight_rows,
)
from archstudio.app.zoo import zoo_document
from archstudio.edits import SetMeta
from archstudio.verify.costs.machines import machines


@pytest.fixture(scope="module")
def gpt2():
    return zoo_document("gpt-2-small")


def told(rows) -> dict[str, str]:
    return {row.title: row.value for row in rows}


def test_weights_are_told_in_four_formats() -> None:
    assert told(weight_rows(1_048_576)) == {
        "Weights fp32 · bf16": "4 MiB · 2 MiB",
        "Weights int8 · int4": "1 MiB · 512 KiB",
    }
    assert told(weight_rows(None)) == {"Weights fp32 · bf16": "unknown", "Weights int8 · int4": "unknown"}


def test_nothing_is_guessed_while_an_error_stands(desk) -> None:
    assert network_costs(desk.document, CostChoice()) is None
    assert set(told(memory_rows(None, 32)).values()) == {"unknown"}
    assert "Activations, B=32" in told(memory_rows(None, 32))
    assert cache_rows(None) == latency_rows(None, CostChoice()) == []


def test_a_decoder_tells_cache_and_latencies(gpt2) -> None:
    found = network_costs(gpt2, CostChoice())
    assert told(cache_rows(found)) == {"KV per token": "36 KiB"}  # 2 · 12 layers · 768 · 2 bytes
    rows = told(latency_rows(found, CostChoice()))
    assert list(rows) == ["Prefill 4,096 tokens", "Decode per token"]
    assert all("ms" in value and "tok/s" in value for value in rows.values())


def test_a_faster_machine_and_smaller_weights_are_faster(gpt2) -> None:
    def decode_ms(choice: CostChoice) -> float:
        return network_costs(gpt2, choice).decode.typical.ms

    usual = CostChoice("A100-80GB SXM", 128, "bf16")
    assert decode_ms(CostChoice("H100 SXM", 128, "bf16")) < decode_ms(usual)
    assert decode_ms(CostChoice("A100-80GB SXM", 128, "int4")) < decode_ms(usual)


def test_an_image_network_has_no_cache_and_no_latency() -> None:
    found = network_costs(zoo_document("lenet-5"), CostChoice())
    assert cache_rows(found) == latency_rows(found, CostChoice()) == []


def test_the_choice_is_remembered_and_nonsense_is_passed_over(desk) -> None:
    settings = desk.application.settings
    chosen = CostChoice("M4 Max", 8_192, "int8")
    store_choice(settings, chosen)
    assert stored_choice(settings) == chosen
    settings.update({"costMachine": "Abacus", "costContext": -1, "costFormat": 4})
    assert stored_choice(settings) == CostChoice()
    assert "M4 Max" in machines()


def test_the_length_of_the_sequence_is_that_of_the_inputs_or_the_chosen_one() -> None:
    document = zoo_document("gpt-2-small")
    assert sequence_of(document) == 1024
    document.push(SetMeta("sequence", 77), "T")
    assert sequence_of(document) == 77
    assert sequence_of(zoo_document("lenet-5")) is None
