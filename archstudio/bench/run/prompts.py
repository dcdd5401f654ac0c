"""What a language model is told of the task of editing a graph, in our words, and the tools it may call."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

SYSTEM: Final = """\
You design and repair neural-network architectures that are given as graphs. You change a graph with a list of actions.

Components have a name, a type and params. Actions name components by their names:
{"type": "add_component", "componentType": T, "name": N, "afterName": M, "params": {...}}  adds N behind M; the wires \
that left M then leave N. Without afterName it stays unconnected.
{"type": "add_connection", "fromName": A, "toName": B}
{"type": "update_params", "name": N, "params": {...}}  merges into the params there are.
{"type": "scale_params", "paramKey": K, "factor": F, "namePattern": R}  multiplies K of every component that matches R.
{"type": "delete_component", "name": N}  joins what was before it to what was behind it.
{"type": "replace_model", "components": [{"componentType", "name", "params"}], "connections": [{"from", "to"}]}  \
builds the whole graph anew; connections are by name.

Types and their params: input {shape}; output; linear {inFeatures, outFeatures}; \
conv2d {inChannels, outChannels, kernelSize}; embedding {numEmbeddings, embeddingDim}; \
multiHeadAttention {embedDim, numHeads}; groupedQueryAttention {embedDim, numHeads, numKVHeads}; \
mla {embedDim, numHeads, kvLatentDim, ropeHeadDim}; transformerBlock {hiddenDim, numHeads}; \
mixtureOfExperts {embedDim, hiddenDim, numExperts, topK}; batchNorm1d {numFeatures}; layerNorm {normalizedShape}; \
concatenate {dim}; relu, gelu, silu, tanh, sigmoid, softmax, dropout, flatten, add.

Sizes must agree along every connection, embedDim must be divisible by numHeads and numHeads by numKVHeads, and the \
input must reach the output."""

REPLY_FORMAT: Final = """\
Think as long as you like, then end with one JSON object and nothing behind it: {"actions": [...]}"""
REHEARSAL: Final = """\
You may rehearse {left} more time{s} before you submit: with {{"audit": true, "actions": [...]}} you are told what the \
actions would come to, and nothing is changed."""

_ACTIONS: Final = {
    "type": "array",
    "description": "The actions, applied in order to the graph as it is now.",
    "items": {"type": "object"},
}
AUDIT_TOOL: Final = "audit_architecture"
SUBMIT_TOOL: Final = "submit_actions"


def tools(audits_left: int) -> list[dict[str, Any]]:
    """The functions a model may call: a rehearsal as long as there is one left, and handing in."""
    audit = _function(AUDIT_TOOL, "Grade the actions without submitting them; nothing is changed.")
    submit = _function(SUBMIT_TOOL, "Submit the actions as your answer.")
    return [audit, submit] if audits_left > 0 else [submit]


def opening(observation: Mapping[str, Any], *, with_tools: bool) -> str:
    """The first message: the brief, the graph, and how to reply."""
    left = observation["auditsLeft"]
    parts = [f"Task: {observation['task']}", f"The graph now:\n{observation['observation']}"]
    if with_tools:
        parts.append(f"Call {SUBMIT_TOOL} with your actions." + f" {AUDIT_TOOL} rehearses them first." * (left > 0))
    else:
        parts.append(REPLY_FORMAT)
        if left > 0:
            parts.append(REHEARSAL.format(left=left, s="s" * (left != 1)))
    return "\n\n".join(parts)


def rehearsed(observation: Mapping[str, Any], *, with_tools: bool) -> str:
    """What a rehearsal came to."""
    told = json.dumps(observation["audit"], ensure_ascii=False)
    if with_tools:
        return told
    left = observation["auditsLeft"]
    more = REHEARSAL.format(left=left, s="s" * (left != 1)) if left else "Now submit."
    return f"The rehearsal came to {told}\n\n{more} {REPLY_FORMAT}"


def feedback(observation: Mapping[str, Any], *, with_tools: bool) -> str:
    """What failed, the graph as it is now, and the request to mend it."""
    failed: Sequence[str] = observation["feedback"]
    listed = "\n".join(f"- {text}" for text in failed)
    how = f"Call {SUBMIT_TOOL} with actions that mend it." if with_tools else f"Mend it. {REPLY_FORMAT}"
    return f"It does not pass:\n{listed}\n\nThe graph now:\n{observation['observation']}\n\n{how}"


def _function(name: str, description: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"actions": _ACTIONS}, "required": ["actions"]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
