"""Large decoders with RMS norms and gated feed-forward parts: Llama, Qwen3, Mixtral and DeepSeek.

Rotary positions have no weights and cost no multiply–accumulates that are counted; the attention layers leave them out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph


@dataclass(frozen=True, slots=True)
class _Decoder:
    """Sizes of a decoder: attention and feed-forward part are given as type and parameters, the latter by block."""

    name: str
    vocabulary: int
    width: int
    depth: int
    attention: tuple[str, dict[str, Any]]
    mlp: Callable[[int], tuple[str, dict[str, Any]]]
    tied: bool = False
    eps: float = field(default=1e-5)
    length: int = 4096


def _drawn(sizes: _Decoder) -> Graph:
    net = Sketch(sizes.name)
    x = net.tokens("tokens", sizes.length)
    x = net.add("embedding", "token_table", x, numEmbeddings=sizes.vocabulary, embeddingDim=sizes.width)
    for k in range(1, sizes.depth + 1):
        with net.frame(f"Block {k}"):
            x = _block(net, x, f"b{k}", sizes, sizes.mlp(k))
    x = net.add("rmsNorm", "norm", x, eps=sizes.eps)
    if sizes.tied:
        x = net.add("tiedLinear", "head", x, node="token_table")
    else:
        x = net.add("lmHead", "head", x, vocabSize=sizes.vocabulary)
    net.add("output", "next_token", x)
    return net.finished()


def _block(net: Sketch, x: str, block: str, sizes: _Decoder, mlp: tuple[str, dict[str, Any]]) -> str:
    kind, params = sizes.attention
    y = net.add("rmsNorm", f"{block}_norm1", x, eps=sizes.eps)
    y = net.add(kind, f"{block}_attention", y, **params)
    x = net.add("add", f"{block}_add1", x, y)
    kind, params = mlp
    y = net.add("rmsNorm", f"{block}_norm2", x, eps=sizes.eps)
    y = net.add(kind, f"{block}_mlp", y, **params)
    return net.add("add", f"{block}_add2", x, y)


def _grouped(heads: int, kv_heads: int, **more: Any) -> tuple[str, dict[str, Any]]:
    return "groupedQueryAttention", {"numHeads": heads, "numKVHeads": kv_heads, **more}


def _swiglu(inner: int) -> Callable[[int], tuple[str, dict[str, Any]]]:
    return lambda block: ("swiglu", {"ffDim": inner})


def llama_2_7b() -> Graph:
    """Llama-2-7B (Touvron et al. 2023, arXiv 2307.09288).

    6,738,415,616 parameters (Hugging Face `meta-llama/Llama-2-7b-hf`): 2·32,000·4,096, and 32 blocks of
    4·4,096² + 3·4,096·11,008 + 2·4,096, and the last norm.
    """
    return _drawn(_Decoder("llama-2-7b", 32_000, 4096, 32, _grouped(32, 32), _swiglu(11_008)))


def llama_3_8b() -> Graph:
    """Llama-3-8B (Meta 2024, arXiv 2407.21783).

    8,030,261,248 parameters (Hugging Face `meta-llama/Meta-Llama-3-8B`).
    """
    return _drawn(_Decoder("llama-3-8b", 128_256, 4096, 32, _grouped(32, 8), _swiglu(14_336), length=8192))


def qwen3_4b() -> Graph:
    """Qwen3-4B: heads wider than width / heads, normalised queries and keys, tied head (Qwen 2025, arXiv 2505.09388).

    4,022,468,096 parameters (Hugging Face `Qwen/Qwen3-4B`, the tied table counted once).
    """
    attention = _grouped(32, 8, headDim=128, qkNorm=True)
    return _drawn(_Decoder("qwen3-4b", 151_936, 2560, 36, attention, _swiglu(9728), tied=True, eps=1e-6))


def mixtral_8x7b() -> Graph:
    """Mixtral 8x7B: eight SwiGLU experts a block, two for each token (Mistral AI 2024, arXiv 2401.04088).

    46,702,792,704 parameters (Hugging Face `mistralai/Mixtral-8x7B-v0.1`).
    """

    def experts(block: int) -> tuple[str, dict[str, Any]]:
        return "moeLayer", {"hiddenDim": 14_336, "numExperts": 8, "topK": 2}

    return _drawn(_Decoder("mixtral-8x7b", 32_000, 4096, 32, _grouped(32, 8), experts))


def deepseek_v2_lite() -> Graph:
    """DeepSeek-V2-Lite: latent attention, and experts of which two see every token (arXiv 2405.04434, appendix B).

    15,706,484,224 parameters (Hugging Face `deepseek-ai/DeepSeek-V2-Lite`).
    """

    def mlp(block: int) -> tuple[str, dict[str, Any]]:
        if block == 1:
            return "swiglu", {"ffDim": 10_944}
        return "sharedExpertMoE", {"hiddenDim": 1408, "numExperts": 64, "topK": 6, "numSharedExperts": 2}

    latent = ("mla", {"numHeads": 16, "kvLatentDim": 512, "ropeHeadDim": 64, "headDim": 128, "latentNorm": True})
    return _drawn(_Decoder("deepseek-v2-lite", 102_400, 2048, 27, latent, mlp, eps=1e-6))


MODELS = (
    Model("llama-2-7b", "Llama-2-7B", "Language", "Decoder, 2023", 6_738_415_616, llama_2_7b),
    Model("llama-3-8b", "Llama-3-8B", "Language", "Shared keys and values, 2024", 8_030_261_248, llama_3_8b),
    Model("qwen3-4b", "Qwen3-4B", "Language", "Normalised queries and keys, 2025", 4_022_468_096, qwen3_4b),
    Model("mixtral-8x7b", "Mixtral 8x7B", "Language", "Eight experts, two at work, 2024", 46_702_792_704, mixtral_8x7b),
    Model(
        "deepseek-v2-lite",
        "DeepSeek-V2-Lite",
        "Language",
        "Latent attention and many experts, 2024",
        15_706_484_224,
        deepseek_v2_lite,
    ),
)
