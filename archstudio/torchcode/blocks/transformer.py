"""Whole transformer blocks."""

from __future__ import annotations

from torch import Tensor, nn

from archstudio.torchcode.blocks.attention import GroupedQueryAttention
from archstudio.torchcode.blocks.feedforward import MLP, SwiGLU


class TransformerBlock(nn.Module):
    """Pre-norm: x + attention(norm(x)), then x + feed-forward(norm(x)); all projections have biases."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int = 1,
        ff_dim: int | None = None,
        dropout: float = 0.0,
        causal: bool = False,
    ) -> None:
        super().__init__()
        self.causal = causal
        self.attention_norm = nn.LayerNorm(embed_dim)
        self.attention = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)
        self.mlp_norm = nn.LayerNorm(embed_dim)
        self.mlp = MLP(embed_dim, ff_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        h = self.attention_norm(x)
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(-2), device=x.device) if self.causal else None
        h = self.attention(h, h, h, attn_mask=mask, is_causal=self.causal, need_weights=False)[0]
        x = x + self.dropout(h)
        out: Tensor = x + self.dropout(self.mlp(self.mlp_norm(x)))
        return out


class PreNormBlock(nn.Module):
    """Pre-norm block of grouped-query attention, with a choice of norm and feed-forward (GPT-2, Llama, …)."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        num_kv_heads: int | None = None,
        head_dim: int | None = None,
        ff_dim: int | None = None,
        norm: str = "layernorm",
        mlp: str = "gelu",
        bias: bool = True,
        causal: bool = True,
        qk_norm: bool = False,
    ) -> None:
        super().__init__()
        make_norm = {"layernorm": nn.LayerNorm, "rmsnorm": nn.RMSNorm}[norm]
        make_mlp = {"gelu": MLP, "swiglu": SwiGLU}[mlp]
        self.attention_norm = make_norm(embed_dim)
        self.attention = GroupedQueryAttention(embed_dim, num_heads, num_kv_heads, head_dim, bias, causal, qk_norm)
        self.mlp_norm = make_norm(embed_dim)
        self.mlp = make_mlp(embed_dim, 4 * embed_dim if ff_dim is None else ff_dim, bias)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x))
        out: Tensor = x + self.mlp(self.mlp_norm(x))
        return out
