"""Runs the expressions that layers write, with nothing but torch in reach."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import CodeType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from archstudio.layers import Phase
from archstudio.torchcode import blocks
from archstudio.torchcode.expressions import UnsafeCode, checked
from archstudio.torchcode.judgement import TorchError

if TYPE_CHECKING:
    from torch import nn


def attempt(phase: Phase, action: Callable[[], Any]) -> Any:
    """The result, or a TorchError with what PyTorch raised: that a layer fails is a finding, not a failure of ours."""
    try:
        return action()
    except UnsafeCode:  # no layer's fault but its entry's
        raise
    except Exception as error:
        return TorchError(phase, type(error).__name__, str(error).split("\n")[0][:300])


class WouldCrash(RuntimeError):
    """PyTorch would not raise here but end the process."""


def guarded(module: nn.Module) -> nn.Module:
    """The module, which raises WouldCrash before a call that is known to end the process with PyTorch 2.13.

    An embedding bag that is given no bags writes outside its memory, with the mode "max" or a padding index; a gated
    cell does so with a batch of states beside an input without a batch.
    """
    module.register_forward_pre_hook(_refuse_crash)
    return module


def _refuse_crash(module: nn.Module, arguments: tuple[Any, ...]) -> None:
    from torch import nn

    x, *rest = arguments
    if isinstance(module, nn.EmbeddingBag) and rest:
        no_bags = module.include_last_offset and rest[0].numel() == 1
        if no_bags and (module.mode == "max" or module.padding_idx is not None):
            raise WouldCrash("a reduction of no bags")
    if isinstance(module, nn.GRUCell | nn.LSTMCell) and rest:
        states = rest[0] if isinstance(rest[0], tuple) else rest
        if any(state.dim() != x.dim() for state in states):
            raise WouldCrash("states of another rank than the input")


def run_code(code: str, variables: Mapping[str, Any]) -> Any:
    """The value of an expression over torch, the blocks and these variables; UnsafeCode for any other expression."""
    return eval(_compiled(code, frozenset(variables)), {**_torch_names(), **variables})


@lru_cache(maxsize=4096)
def _compiled(code: str, variables: frozenset[str]) -> CodeType:
    return compile(checked(code, variables), "<layer>", "eval")


@cache
def _torch_names() -> Mapping[str, Any]:
    import torch
    import torch.nn.functional
    from torch import nn

    found: dict[str, Any] = {}
    for module in iter_modules(blocks.__path__):
        found |= vars(import_module(f"{blocks.__name__}.{module.name}"))
    ours = SimpleNamespace(**{name: value for name, value in found.items() if not name.startswith("_")})
    return {"torch": torch, "nn": nn, "F": torch.nn.functional, "math": math, "blocks": ours}


def counts(modules: Iterable[nn.Module]) -> tuple[int, int]:
    """Elements of all parameters and of all buffers, each tensor once."""
    made = list(modules)
    parameters = {id(p): p.numel() for m in made for p in m.parameters()}
    buffers = {id(b): b.numel() for m in made for b in m.buffers()}
    return sum(parameters.values()), sum(buffers.values())


@contextmanager
def quietly() -> Iterator[None]:
    """Without PyTorch's warnings, which are about use, not about running."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
