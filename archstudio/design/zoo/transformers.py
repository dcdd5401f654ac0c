"""Transformers with biases and layer norms: ViT-B/16, GPT-2 small and BERT base."""

from __future__ import annotations

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph

_WIDTH, _HEADS, _DEPTH = 768, 12, 12
"""All three have the size called base."""


def vit_b_16() -> Graph:
    """ViT-B/16 at 224×224 (Dosovitskiy et al. 2020, arXiv 2010.11929); dropout is 0 and left out.

    86,567,656 parameters, 17,563,828,224 MACs with the attention products (torchvision.models.vit_b_16: 86,567,656;
    17.564 G).
    """
    net = Sketch("vit-b-16")
    x = net.input("image", (1, 3, 224, 224))
    with net.frame("Tokens"):
        x = net.add("patchEmbed", "patches", x, embedDim=_WIDTH, patchSize=16)
        x = net.add("clsToken", "class_token", x)
        x = net.add("learnedPositionalEmbeddingStrict", "positions", x, maxLen=197)
    for k in range(1, _DEPTH + 1):
        with net.frame(f"Block {k}"):
            x = pre_norm(net, x, f"b{k}", "multiHeadAttention")
    with net.frame("Classifier"):
        x = net.add("layerNorm", "norm", x, eps=1e-6)
        x = net.add("select", "first", x, dim=1, index=0)
        x = net.add("linear", "head", x, outFeatures=1000)
    net.add("output", "classes", x)
    return net.finished()


def gpt_2_small() -> Graph:
    """GPT-2 small, 1,024 tokens (Radford et al. 2019); the head is the token table, dropout is left out.

    124,439,808 parameters (Hugging Face `gpt2`: 124,439,808): tables 50,257·768 + 1,024·768, twelve blocks of
    12·768² + 13·768, the last norm 2·768.
    """
    net = Sketch("gpt-2-small")
    x = net.tokens("tokens", 1024)
    with net.frame("Embedding"):
        x = net.add("embedding", "token_table", x, numEmbeddings=50_257, embeddingDim=_WIDTH)
        x = net.add("learnedPositionalEmbedding", "positions", x, maxLen=1024)
    for k in range(1, _DEPTH + 1):
        with net.frame(f"Block {k}"):
            x = pre_norm(net, x, f"b{k}", "causalAttention")
    x = net.add("layerNorm", "norm", x)
    x = net.add("tiedLinear", "head", x, node="token_table")
    net.add("output", "next_token", x)
    return net.finished()


def pre_norm(net: Sketch, x: str, block: str, attention: str) -> str:
    """Attention and a feed-forward part of four times the width, each behind a norm and added to its input."""
    y = net.add("layerNorm", f"{block}_norm1", x)
    y = net.add(attention, f"{block}_attention", y, numHeads=_HEADS)
    x = net.add("add", f"{block}_add1", x, y)
    y = net.add("layerNorm", f"{block}_norm2", x)
    y = net.add("feedForward", f"{block}_mlp", y, ffDim=4 * _WIDTH)
    return net.add("add", f"{block}_add2", x, y)


def bert_base() -> Graph:
    """BERT base, uncased, 512 tokens (Devlin et al. 2018, arXiv 1810.04805), dropout left out.

    109,482,240 parameters: the encoder with its pooler and without a language-model head, as Hugging Face's
    `BertModel` of `bert-base-uncased`; without the pooler (768² + 768) it has 108,891,648.
    """
    net = Sketch("bert-base")
    tokens, segments = net.tokens("tokens", 512), net.tokens("segments", 512)
    with net.frame("Embedding"):
        x = net.add("embedding", "token_table", tokens, numEmbeddings=30_522, embeddingDim=_WIDTH)
        y = net.add("segmentEmbedding", "segment_table", segments, numEmbeddings=2, embeddingDim=_WIDTH)
        x = net.add("add", "both", x, y)
        x = net.add("learnedPositionalEmbedding", "positions", x, maxLen=512)
        x = net.add("layerNorm", "norm", x, eps=1e-12)
    for k in range(1, _DEPTH + 1):
        with net.frame(f"Block {k}"):
            x = _post_norm(net, x, f"b{k}")
    with net.frame("Pooler"):
        y = net.add("select", "first", x, dim=1, index=0)
        y = net.add("linear", "pool", y, outFeatures=_WIDTH)
        y = net.add("tanh", "pool_act", y)
    net.add("output", "states", x)
    net.add("output", "pooled", y)
    return net.finished()


def _post_norm(net: Sketch, x: str, block: str) -> str:
    """Attention and a feed-forward part, each added to its input and normalised then."""
    y = net.add("multiHeadAttention", f"{block}_attention", x, numHeads=_HEADS)
    x = net.add("layerNorm", f"{block}_norm1", net.add("add", f"{block}_add1", x, y), eps=1e-12)
    y = net.add("feedForward", f"{block}_mlp", x, ffDim=4 * _WIDTH)
    return net.add("layerNorm", f"{block}_norm2", net.add("add", f"{block}_add2", x, y), eps=1e-12)


MODELS = (
    Model("vit-b-16", "ViT-B/16", "Images", "Patches as tokens, 2020", 86_567_656, vit_b_16, 17_563_828_224),
    Model("bert-base", "BERT base", "Language", "Encoder with pooler, 2018", 109_482_240, bert_base),
    Model("gpt-2-small", "GPT-2 small", "Language", "Decoder, tied head, 2019", 124_439_808, gpt_2_small),
)
