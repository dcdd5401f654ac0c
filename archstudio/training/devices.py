"""What a run computes on: the devices torch may have here, and the one that a description asks for."""

from __future__ import annotations

import platform
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    import torch

Device: TypeAlias = Literal["cpu", "cuda", "mps"]
DEVICES: tuple[Device, ...] = get_args(Device)
TITLES: dict[Device, str] = {"cpu": "CPU", "cuda": "CUDA", "mps": "MPS"}
_CUDA_BUILD = re.compile(r"^cuda\b[^=]*=\s*['\"]", re.MULTILINE)


class NoDevice(Exception):
    """A run asks for a device that torch does not find here."""

    def __init__(self, device: Device, found: tuple[Device, ...]) -> None:
        self.device = device
        here = " and ".join(TITLES[name] for name in found)
        super().__init__(f"This run asks for {TITLES[device]}; torch finds {here} here. Choose one of these.")


def offered_devices() -> tuple[Device, ...]:
    """Return the devices this installation of torch was built for, without importing it.

    Whether there is one turns out in the worker: asking for it needs torch, and a driver.
    """
    devices: list[Device] = ["cpu"]
    torch_package = find_spec("torch")
    if torch_package is not None and torch_package.origin is not None:
        said = Path(torch_package.origin).with_name("version.py")
        if said.is_file() and _CUDA_BUILD.search(said.read_text(encoding="utf-8", errors="replace")):
            devices.append("cuda")
    if sys.platform == "darwin" and platform.machine() == "arm64":
        devices.append("mps")
    return tuple(devices)


def found_devices() -> tuple[Device, ...]:
    """Return the devices torch can compute on here. Imports torch."""
    import torch

    devices: list[Device] = ["cpu"]
    if torch.cuda.is_available():
        devices.append("cuda")
    if torch.backends.mps.is_available():
        devices.append("mps")
    return tuple(devices)


def torch_device(device: Device) -> torch.device:
    """Return torch's device of that name, products in whole float32 there as on the CPU; raises `NoDevice`."""
    import torch

    if device != "cpu":
        found = found_devices()
        if device not in found:
            raise NoDevice(device, found)
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    return torch.device(device)


def device_name(device: Device) -> str:
    """Return what the makers call the device, empty for the CPU, which the numeric environment describes."""
    import torch

    if device == "cuda":
        return torch.cuda.get_device_name()
    return f"{platform.machine()} MPS" if device == "mps" else ""
