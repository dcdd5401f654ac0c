"""Every change of a graph as a small value that knows how to take itself back."""

from archstudio.edits.base import Batch, Edit, EditRefused, batch, edit_from_json
from archstudio.edits.primitives import (
    AddConnection,
    AddNode,
    ChangeConnection,
    ChangeNode,
    Move,
    MoveConnection,
    MoveNodeInOrder,
    RemoveConnection,
    RemoveNode,
    RenameGraph,
    SetFrame,
    SetMeta,
    SetNote,
    set_params,
)

__all__ = [
    "AddConnection",
    "AddNode",
    "Batch",
    "ChangeConnection",
    "ChangeNode",
    "Edit",
    "EditRefused",
    "Move",
    "MoveConnection",
    "MoveNodeInOrder",
    "RemoveConnection",
    "RemoveNode",
    "RenameGraph",
    "SetFrame",
    "SetMeta",
    "SetNote",
    "batch",
    "edit_from_json",
    "set_params",
]
