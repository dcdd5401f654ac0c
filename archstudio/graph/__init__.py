"""The network as plain data: nodes, connections, frames, and the file form of all three."""

from archstudio.graph.change import Change, ChangeKind
from archstudio.graph.document import GraphError, from_document, read_graph, to_document, write_graph
from archstudio.graph.graph import Graph
from archstudio.graph.parts import Connection, Frame, Node, Note, Point

__all__ = [
    "Change",
    "ChangeKind",
    "Connection",
    "Frame",
    "Graph",
    "GraphError",
    "Node",
    "Note",
    "Point",
    "from_document",
    "read_graph",
    "to_document",
    "write_graph",
]
