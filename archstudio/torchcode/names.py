"""Python names for nodes: what a person typed becomes an attribute and a variable that shadows nothing."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterable

_MODULE_ATTRIBUTES = frozenset(
    [
        "T_destination",
        "add_module",
        "apply",
        "bfloat16",
        "buffers",
        "call_super_init",
        "children",
        "compile",
        "cpu",
        "cuda",
        "double",
        "dump_patches",
        "eval",
        "extra_repr",
        "float",
        "forward",
        "get_buffer",
        "get_extra_state",
        "get_parameter",
        "get_submodule",
        "half",
        "ipu",
        "load_state_dict",
        "modules",
        "mtia",
        "named_buffers",
        "named_children",
        "named_modules",
        "named_parameters",
        "parameters",
        "register_backward_hook",
        "register_buffer",
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
        "register_load_state_dict_post_hook",
        "register_load_state_dict_pre_hook",
        "register_module",
        "register_parameter",
        "register_state_dict_post_hook",
        "register_state_dict_pre_hook",
        "requires_grad_",
        "set_extra_state",
        "set_submodule",
        "share_memory",
        "state_dict",
        "to",
        "to_empty",
        "train",
        "training",
        "type",
        "xpu",
        "zero_grad",
    ]
)
"""Public attributes of torch.nn.Module, which a layer must not replace."""

RESERVED = frozenset(
    {*_MODULE_ATTRIBUTES, *dir(builtins), *keyword.kwlist, *keyword.softkwlist}
    | {"torch", "nn", "F", "math", "self", "Tensor", "Model", "build_model"}
)
"""Names that a generated attribute or variable never takes."""

_LONGEST = 60


class Names:
    """Hands out one unused identifier for each wish."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(RESERVED) | set(taken)

    def take(self, wanted: str, otherwise: str) -> str:
        """An identifier close to `wanted`, or to `otherwise` where nothing of that can be used."""
        stem = identifier(wanted) or identifier(otherwise) or "layer"
        name, k = stem, 2
        while name in self._taken:
            name, k = f"{stem}_{k}", k + 1
        self._taken.add(name)
        return name


def identifier(text: str) -> str:
    """A snake_case identifier of ASCII letters and digits, `conv_1` for `Conv 1`; empty if none are left."""
    plain = unicodedata.normalize("NFKD", text[: 4 * _LONGEST]).encode("ascii", "ignore").decode("ascii")
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain)
    words = re.sub(r"[^0-9a-z]+", "_", parted.lower()).strip("_")[:_LONGEST].rstrip("_")
    return f"layer_{words}" if words[:1].isdigit() else words
