"""What tests of layers share: run one entry of the catalogue on wires, in the order PyTorch would notice things."""

from types import SimpleNamespace

import pytest

from archstudio.layers import Wire, entry
from archstudio.verify.outcome import evaluate


@pytest.fixture
def run():
    """`run("conv2d", Wire.of(…), outChannels=8)`: the outcome, with the inputs at hand."""

    def start(type_name, *inputs, training=False, **params):
        wires = tuple(Wire.of(i) if isinstance(i, tuple) else i for i in inputs)
        outcome = evaluate(entry(type_name), params, wires, training, None)
        refused = outcome.refused
        return SimpleNamespace(
            layer=outcome.layer,
            value=outcome.value,
            shape=getattr(outcome.value, "shape", None),
            parameters=outcome.parameters,
            macs=outcome.macs,
            code=refused.kind.code if refused else None,
            facts=refused.facts if refused else {},
            phase=outcome.phase if refused else None,
            inputs=wires,
        )

    return start
