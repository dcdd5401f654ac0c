"""Saves and restores a run between two steps, so exactly that nobody can tell it was interrupted."""

from __future__ import annotations

import base64
import json
import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from archstudio.files.atomic import save_atomic
from archstudio.files.strict_json import canonical_json
from archstudio.files.unusable import UnusableFile

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn
    from torch.optim import Optimizer

    from archstudio.training.trainer import Trainer

CHECKPOINT_FILE = "checkpoint.safetensors"
FINAL_MODEL_FILE = "model.safetensors"
BEST_MODEL_FILE = "best.safetensors"


def save_checkpoint(path: Path, trainer: Trainer, notes: dict[str, Any]) -> None:
    """Write model, optimiser, random streams and position, and `notes` (JSON) of whoever drives the trainer."""
    tensors = {f"model.{name}": tensor for name, tensor in _own_tensors(trainer.model).items()}
    numbers: dict[str, dict[str, Any]] = {}
    for index, state in _optimiser_state(trainer.optimiser).items():
        for key, value in state.items():
            if hasattr(value, "detach"):
                tensors[f"optimiser.{index}.{key}"] = value
            else:
                numbers.setdefault(str(index), {})[key] = value
    facts = {"step": trainer.step, "optimiser": numbers, "random": _random_states(trainer.device), "notes": notes}
    _write(path, tensors, {"archstudio": json.dumps(facts)})


def load_checkpoint(path: Path, trainer: Trainer) -> dict[str, Any]:
    """Put a freshly built trainer where the saved one was, and return the notes saved with it.

    Raises `UnusableFile` if the checkpoint is broken or belongs to another model.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            facts = json.loads(file.metadata()["archstudio"])
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - the file is no mapping
        _restore_model(trainer.model, tensors)
        _restore_optimiser(trainer.optimiser, tensors, facts["optimiser"])
    except (SafetensorError, KeyError, ValueError, RuntimeError) as error:
        raise UnusableFile(
            str(path),
            problem=f"The checkpoint does not fit this run: {error}",
            remedy="Delete the checkpoint; the run then starts anew.",
        ) from error
    trainer.step = facts["step"]
    _restore_random_states(facts["random"], trainer.device)
    notes: dict[str, Any] = facts["notes"]
    return notes


def save_model(path: Path, model: nn.Module, facts: dict[str, str]) -> None:
    """Write the model's `state_dict` as safetensors: the same weights, the same bytes.

    The entry `archstudio` of its metadata is JSON: `facts`, and `aliases` from the further names of a tensor that has
    several to the one it is stored under.
    """
    stored: dict[str, Tensor] = {}
    first_name: dict[tuple[int, tuple[int, ...], tuple[int, ...]], str] = {}
    aliases: dict[str, str] = {}
    for name, tensor in model.state_dict().items():
        place = (tensor.data_ptr(), tuple(tensor.shape), tensor.stride())
        if tensor.numel() and place in first_name:
            aliases[name] = first_name[place]
        else:
            first_name[place] = name
            stored[name] = tensor
    _write(path, stored, {"archstudio": canonical_json({**facts, "aliases": aliases})})


def load_model(path: Path, model: nn.Module) -> dict[str, str]:
    """Put saved weights into a freshly built model and return the facts saved with them.

    Raises `UnusableFile` if the file is broken, or belongs to another architecture (naming the first tensor).
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            facts: dict[str, Any] = json.loads((file.metadata() or {}).get("archstudio", "{}"))
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - the file is no mapping
        for name, stored in facts.pop("aliases", {}).items():
            tensors[name] = tensors[stored]
        model.load_state_dict(tensors)
    except (SafetensorError, OSError, KeyError, ValueError, RuntimeError) as error:
        problem = f"These weights do not fit the model: {str(error).strip().splitlines()[-1].strip()}"
        raise UnusableFile(str(path), problem=problem, remedy="Choose weights trained with this graph.") from error
    return facts


def _own_tensors(model: nn.Module) -> dict[str, Tensor]:
    """All parameters and buffers, each once, also the buffers that a state_dict leaves out."""
    return {**dict(model.named_parameters()), **dict(model.named_buffers())}


def _restore_model(model: nn.Module, tensors: dict[str, Tensor]) -> None:
    import torch

    with torch.no_grad():
        for name, tensor in _own_tensors(model).items():
            saved = tensors[f"model.{name}"]
            if saved.shape != tensor.shape:
                raise ValueError(f"{name} is {tuple(saved.shape)} there and {tuple(tensor.shape)} here")
            tensor.copy_(saved)


def _optimiser_state(optimiser: Optimizer) -> dict[int, dict[str, Any]]:
    state: dict[int, dict[str, Any]] = optimiser.state_dict()["state"]
    return state


def _restore_optimiser(optimiser: Optimizer, tensors: dict[str, Tensor], numbers: dict[str, dict[str, Any]]) -> None:
    state: dict[int, dict[str, Any]] = {int(index): dict(values) for index, values in numbers.items()}
    for key, tensor in tensors.items():
        if key.startswith("optimiser."):
            _, index, name = key.split(".", 2)
            state.setdefault(int(index), {})[name] = tensor
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})


def _random_states(device: torch.device) -> dict[str, Any]:
    import torch

    kind, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    return {
        "torch": _as_text(torch.get_rng_state()),
        **({} if (stream := _stream_of(device)) is None else {"device": _as_text(stream.get_rng_state())}),
        "python": random.getstate(),
        "numpy": [kind, np.asarray(keys).tolist(), position, has_gauss, gauss],
    }


def _restore_random_states(states: dict[str, Any], device: torch.device) -> None:
    import torch

    torch.set_rng_state(_from_text(states["torch"]))
    if (stream := _stream_of(device)) is not None:
        stream.set_rng_state(_from_text(states["device"]))
    version, keys, gauss = states["python"]
    random.setstate((version, tuple(keys), gauss))
    kind, numpy_keys, position, has_gauss, numpy_gauss = states["numpy"]
    np.random.set_state((kind, np.array(numpy_keys, np.uint32), position, has_gauss, numpy_gauss))


def _stream_of(device: torch.device) -> Any:
    """The module with the random stream of a device, None for the CPU."""
    import torch

    return {"cuda": torch.cuda, "mps": torch.mps}.get(device.type)


def _as_text(state: Tensor) -> str:
    return base64.b64encode(state.numpy().tobytes()).decode()


def _from_text(text: str) -> Tensor:
    import torch

    return torch.from_numpy(np.frombuffer(base64.b64decode(text), np.uint8).copy())


def _write(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    from safetensors.torch import save

    whole = {name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()}
    save_atomic(path, save(whole, metadata), backups=0)


def remove_checkpoint(folder: Path) -> None:
    """Delete the checkpoint in a seed's folder, if there is one."""
    if (path := folder / CHECKPOINT_FILE).exists():
        os.unlink(path)
