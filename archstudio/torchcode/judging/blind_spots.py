"""What PyTorch's meta device lets pass although the CPU refuses it (torch 2.13), checked operation by operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Arguments = Sequence[Any]


def refuse_blind_spot(operation: str, arguments: Arguments) -> None:
    """Raise the RuntimeError that the CPU would raise; `operation` is an ATen name such as `convolution`."""
    for prefix, check in _CHECKS.items():
        if operation.startswith(prefix):
            check(arguments)


def _same_dtype(arguments: Arguments) -> None:
    dtypes = {a.dtype for a in arguments if hasattr(a, "dtype")}
    if len(dtypes) > 1:
        names = " and ".join(sorted(str(d).removeprefix("torch.") for d in dtypes))
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {names}")


def _convolution(arguments: Arguments) -> None:
    """`convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)`."""
    weight, stride, padding, dilation, transposed, output_padding = (arguments[k] for k in (1, 3, 4, 5, 6, 7))
    if 0 in weight.shape[2:]:
        raise RuntimeError(f"kernel size should be greater than zero, but got {tuple(weight.shape[2:])}")
    if any(p < 0 for p in padding):
        raise RuntimeError("negative padding is not supported")
    limits = zip(output_padding, stride, dilation, strict=False)
    if transposed and any(extra >= max(step, spread) for extra, step, spread in limits):
        raise RuntimeError("output padding must be smaller than either stride or dilation")


def _upsample(arguments: Arguments) -> None:
    """`upsample_*(input, output_size, ...)`."""
    size = arguments[1]
    if isinstance(size, list | tuple) and any(s <= 0 for s in size):
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got output {tuple(size)}")


_CHECKS: Mapping[str, Callable[[Arguments], None]] = {
    **dict.fromkeys(("mm", "addmm", "bmm", "baddbmm", "mv", "addmv", "dot"), _same_dtype),
    "convolution": _convolution,
    "upsample_": _upsample,
}
