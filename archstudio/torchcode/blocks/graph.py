"""Layers over the nodes of a graph, whose edges come as a dense adjacency matrix."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class DenseGraphLayer(nn.Module):
    """What all have in common: node features (…, N, C) and edges (…, N, N), row i holding what node i hears."""

    @staticmethod
    def check(nodes: Tensor, adjacency: Tensor) -> None:
        """Refuse an adjacency matrix that does not belong to the nodes."""
        if nodes.dim() not in (2, 3) or adjacency.shape != (*nodes.shape[:-1], nodes.size(-2)):
            raise ValueError(
                f"nodes {tuple(nodes.shape)} and adjacency {tuple(adjacency.shape)} do not belong together"
            )
        if adjacency.dtype != torch.float32:
            raise ValueError("the adjacency matrix holds float32 weights of edges")

    @staticmethod
    def with_self(adjacency: Tensor) -> Tensor:
        """The edges with one from every node to itself."""
        return adjacency + torch.eye(adjacency.size(-1), device=adjacency.device)


class GCNConv(DenseGraphLayer):
    """Average over neighbours, weighted by both degrees (arXiv 1609.02907)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None

    def forward(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        self.check(nodes, adjacency)
        edges = self.with_self(adjacency)
        degree = edges.sum(-1).clamp(min=1e-12).rsqrt()
        edges = degree.unsqueeze(-1) * edges * degree.unsqueeze(-2)
        out: Tensor = edges @ self.linear(nodes)
        return out if self.bias is None else out + self.bias


class GraphConv(DenseGraphLayer):
    """A node's own features and the sum of its neighbours', each through a matrix (arXiv 1810.02244)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.neighbours = nn.Linear(in_features, out_features, bias=bias)
        self.own = nn.Linear(in_features, out_features, bias=False)

    def gathered(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        """What the neighbours of every node say together."""
        return adjacency @ nodes

    def forward(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        self.check(nodes, adjacency)
        out: Tensor = self.neighbours(self.gathered(nodes, adjacency)) + self.own(nodes)
        return out


class GraphSAGE(GraphConv):
    """A node's own features and the mean of its neighbours', each through a matrix (arXiv 1706.02216)."""

    def gathered(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        """What the neighbours of every node say on average."""
        return adjacency @ nodes / adjacency.sum(-1, keepdim=True).clamp(min=1)


class GINConv(DenseGraphLayer):
    """A two-layer network of a node's features, weighted by 1 + ε, plus its neighbours' (arXiv 1810.00826)."""

    def __init__(self, in_features: int, out_features: int, hidden_features: int | None = None) -> None:
        super().__init__()
        hidden_features = out_features if hidden_features is None else hidden_features
        self.eps = nn.Parameter(torch.zeros(1))
        self.up = nn.Linear(in_features, hidden_features)
        self.down = nn.Linear(hidden_features, out_features)

    def forward(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        self.check(nodes, adjacency)
        out: Tensor = self.down(F.relu(self.up((1 + self.eps) * nodes + adjacency @ nodes)))
        return out


class GATConv(DenseGraphLayer):
    """Attention over neighbours by a learned score of both ends of an edge (arXiv 1710.10903)."""

    def __init__(self, in_features: int, out_features: int, num_heads: int = 1, bias: bool = True) -> None:
        super().__init__()
        if out_features % num_heads:
            raise ValueError(f"{out_features} features do not split into {num_heads} heads")
        self.num_heads = num_heads
        self.linear = nn.Linear(in_features, out_features, bias=False)
        self.source = nn.Parameter(torch.randn(num_heads, out_features // num_heads) * 0.1)
        self.target = nn.Parameter(torch.randn(num_heads, out_features // num_heads) * 0.1)
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None

    def forward(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        self.check(nodes, adjacency)
        heads = self.linear(nodes).view(*nodes.shape[:-1], *self.source.shape)
        values = heads.transpose(-3, -2)
        source, target = (values * self.source.unsqueeze(-2)).sum(-1), (values * self.target.unsqueeze(-2)).sum(-1)
        scores = F.leaky_relu(target.unsqueeze(-1) + source.unsqueeze(-2), 0.2)
        closed = self.with_self(adjacency).unsqueeze(-3) <= 0
        weights = scores.masked_fill(closed, float("-inf")).softmax(-1)
        out: Tensor = (weights @ values).transpose(-3, -2).flatten(-2).contiguous()
        return out if self.bias is None else out + self.bias


class EdgeConv(DenseGraphLayer):
    """The largest of what a layer makes of every neighbour and its difference to the node (arXiv 1801.07829)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.linear = nn.Linear(2 * in_features, out_features, bias=bias)

    def forward(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        self.check(nodes, adjacency)
        if nodes.size(-2) == 0:
            raise ValueError("no node, so none to be the largest")
        own, other = nodes.unsqueeze(-2), nodes.unsqueeze(-3)
        own = own.expand(*nodes.shape[:-1], *nodes.shape[-2:])
        messages = F.relu(self.linear(torch.cat([own, other - own], -1)))
        closed = self.with_self(adjacency).unsqueeze(-1) <= 0
        return messages.masked_fill(closed, float("-inf")).amax(-2)
