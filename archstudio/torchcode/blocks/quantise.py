"""Bottlenecks (codes out of a learned book, the noisy one of an autoencoder), and the heads of policies."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class VectorQuantizer(nn.Module):
    """The nearest of K learned codes, with the gradient passed straight through (VQ-VAE, arXiv 1711.00937)."""

    def __init__(self, num_codes: int, code_dim: int) -> None:
        super().__init__()
        self.codebook = nn.Parameter(torch.randn(num_codes, code_dim))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        rows = x.reshape(-1, x.size(-1))
        distances = self.codebook.pow(2).sum(1) - 2 * rows @ self.codebook.t()
        indices = distances.argmin(-1).reshape(x.shape[:-1])
        codes = F.embedding(indices, self.codebook)
        return (codes + (x - x.detach())).contiguous(), indices


class ResidualVQ(nn.Module):
    """Codes of codes: each book quantises what the ones before left over (SoundStream, arXiv 2107.03312)."""

    def __init__(self, num_codes: int, code_dim: int, num_quantizers: int = 4) -> None:
        super().__init__()
        self.books = nn.ModuleList(VectorQuantizer(num_codes, code_dim) for _ in range(num_quantizers))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        rest, total, indices = x, torch.zeros_like(x), []
        for book in self.books:
            codes, chosen = book(rest)
            rest, total = rest - codes.detach(), total + codes
            indices.append(chosen)
        return total.contiguous(), torch.stack(indices, -1)


class VAEBottleneck(nn.Module):
    """Mean and log variance from one layer each, and a sample of them while training (arXiv 1312.6114)."""

    def __init__(self, in_features: int, latent_dim: int) -> None:
        super().__init__()
        self.mean = nn.Linear(in_features, latent_dim)
        self.log_var = nn.Linear(in_features, latent_dim)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean, log_var = self.mean(x), self.log_var(x)
        sample = mean + torch.randn_like(mean) * (0.5 * log_var).exp() if self.training else mean
        return sample, mean, log_var


class ActorHead(nn.Module):
    """One output for every action: its value, or its logit."""

    def __init__(self, in_features: int, num_actions: int) -> None:
        super().__init__()
        self.actions = nn.Linear(in_features, num_actions)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.actions(x)
        return out


class CriticHead(nn.Module):
    """One value for every state."""

    def __init__(self, in_features: int) -> None:
        super().__init__()
        self.value = nn.Linear(in_features, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.value(x)
        return out


class PolicyNetwork(nn.Module):
    """Two hidden layers with tanh, and one output an action."""

    def __init__(self, in_features: int, num_actions: int, hidden_dim: int = 64) -> None:
        super().__init__()
        self.first = nn.Linear(in_features, hidden_dim)
        self.second = nn.Linear(hidden_dim, hidden_dim)
        self.head = nn.Linear(hidden_dim, num_actions)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(torch.tanh(self.second(torch.tanh(self.first(x)))))
        return out


class ValueNetwork(PolicyNetwork):
    """Two hidden layers with tanh, and one value for every state."""

    def __init__(self, in_features: int, hidden_dim: int = 64) -> None:
        super().__init__(in_features, 1, hidden_dim)
