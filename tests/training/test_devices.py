"""Devices: chosen and refused in words, and nothing of a step stays behind on another one."""

from __future__ import annotations

import sys

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from archstudio.training import devices
from archstudio.training.description import Clip, Loss, write_run_folder
from archstudio.training.devices import NoDevice, found_devices, offered_devices, torch_device
from archstudio.training.identity import spec_sha256
from archstudio.training.sources import load_dataset
from archstudio.training.trainer import Trainer

PATIENCE = 120
ELSEWHERE = torch.device("meta")
"""A device that is not the CPU and that every torch has; its tensors have shapes and no values."""
MAY_MEET_BOTH = {"aten.index_select.default", "aten._to_copy.default", "aten.detach.default"}
"""Taking samples out of the data on the CPU, and carrying them over."""


class Watch(TorchDispatchMode):
    """Notes every operation on a tensor with axes that is not on the device; a step counter may be anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.strays: list[str] = []
        self.operations = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor) and leaf.dim()]
        self.operations += 1
        if str(func) not in MAY_MEET_BOTH and any(tensor.device != ELSEWHERE for tensor in tensors):
            self.strays.append(str(func))
        return func(*args, **kwargs)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_whole_step_takes_place_on_the_device(describe, tmp_path, monkeypatch, precision: str) -> None:
    loss = Loss(kind="cross_entropy", class_weights="balanced")
    described = describe(losses=(loss,), clip=Clip(limit=1.0), precision=precision)
    write_run_folder(tmp_path, described)
    monkeypatch.setattr("archstudio.training.trainer.torch_device", lambda device: ELSEWHERE)
    monkeypatch.setattr(torch.Tensor, "item", lambda self: 0.5)
    machine = Trainer(described, 0, load_dataset(described, tmp_path), tmp_path)
    if precision == "bfloat16":  # there is no autocast for tensors without values
        monkeypatch.setattr(torch, "autocast", lambda device, dtype: Asked(device))
    order = machine._next_indices()
    monkeypatch.setattr(machine, "_next_indices", lambda: order)
    with Watch() as watch:
        machine.advance()
    assert watch.strays == []
    assert watch.operations > 40
    assert all(p.device == ELSEWHERE for p in machine.model.parameters())
    assert Asked.devices == (["meta"] if precision == "bfloat16" else [])
    Asked.devices.clear()


class Asked:
    """Stands for autocast and keeps for which device it was asked."""

    devices: list[str] = []

    def __init__(self, device: str) -> None:
        self.devices.append(device)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has one")
def test_a_device_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(NoDevice, match="asks for CUDA; torch finds CPU here"):
        torch_device("cuda")


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has one")
def test_a_run_on_a_missing_device_fails_in_words_and_the_worker_lives_on(describe, engine) -> None:
    refused, fine = engine.submit(describe(device="cuda")), engine.submit(describe(title="next"))
    (failure,) = refused.wait(PATIENCE).failures
    assert failure.kind == "unusable"
    assert failure.message == "This run asks for CUDA; torch finds CPU here. Choose one of these."
    assert fine.wait(PATIENCE).state == "finished"


def test_what_torch_was_built_for_is_known_without_importing_it(tmp_path, monkeypatch) -> None:
    class Package:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(devices, "find_spec", lambda name: Package)
    monkeypatch.setattr(sys, "platform", "linux")
    version = tmp_path / "version.py"
    version.write_text("__version__ = '2.13.0+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = None\n")
    assert offered_devices() == ("cpu",)
    version.write_text("__version__ = '2.13.0'\ncuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n")
    assert offered_devices() == ("cpu", "cuda")
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert offered_devices() == ("cpu", "cuda", "mps")


def test_what_is_offered_here_includes_what_torch_finds() -> None:
    assert set(found_devices()) <= set(offered_devices())


def test_another_device_is_another_run_and_the_usual_one_keeps_its_digest(describe) -> None:
    usual, other = describe(), describe(device="cuda")
    assert spec_sha256(usual, "0" * 64) == spec_sha256(describe(device="cpu"), "0" * 64)
    assert spec_sha256(usual, "0" * 64) != spec_sha256(other, "0" * 64)
