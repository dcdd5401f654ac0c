"""One question put to a model, with more room where its reply was cut off, and what it answered."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final, Literal

from archstudio.intuition.evaluate.answer_tag import MORE, read_letter, reply_format
from archstudio.intuition.evaluate.items import Item
from archstudio.llm import Asker, AskFailed, ChatReply, ChatRequest, Message, Sampling

Protocol = Literal["blind", "sequential"]
PROTOCOLS: Final[tuple[Protocol, ...]] = ("blind", "sequential")
MOST_CONTINUATIONS: Final = 3


@dataclass(frozen=True)
class Examinee:
    """A model and how it is asked."""

    asker: Asker
    model: str
    sampling: Sampling


@dataclass(frozen=True)
class Answered:
    """One question and what came back. `letter` is None where none could be read, `fault` says if nothing came."""

    item: Item
    prompt: str
    letter: str | None
    text: str = ""
    reasoning: str = ""
    finish_reason: str | None = None
    truncated: bool = False
    continuations: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    fault: str | None = None

    @property
    def right(self) -> bool:
        """Whether it is the right letter; no letter is wrong."""
        return self.letter == self.item.correct

    @property
    def candidate(self) -> str | None:
        """The candidate that was chosen."""
        return None if self.letter is None else self.item.candidate(self.letter)

    def as_json(self) -> dict[str, Any]:
        """The record that is kept of it, in the fields of the reference and some of ours."""
        counts = {"prompt_tokens": self.input_tokens, "completion_tokens": self.output_tokens}
        return {
            "question_id": self.item.id,
            "prompt_hash": prompt_hash(self.item.prompt),
            "ground_truth_letter": self.item.correct,
            "parsed_letter": self.letter,
            "correct": self.right,
            "num_choices": len(self.item.letters),
            "chosen_candidate": self.candidate,
            "model_response": self.text,
            "chain_of_thought": self.reasoning,
            "question_type": self.item.type,
            "family": self.item.family,
            "eval_prompt": self.prompt,
            "finish_reason": self.finish_reason,
            "truncated": self.truncated,
            "continuation_count": self.continuations,
            "usage": {name: count for name, count in counts.items() if count is not None},
            "fault": self.fault,
        }


def prompt_hash(text: str) -> str:
    """The digest by which two runs know that they asked the same."""
    return hashlib.sha256(text.encode()).hexdigest()


def put(item: Item, examinee: Examinee, before: str = "") -> Answered:
    """Ask one question; `before` is told first. A reply that was cut off may go on up to three times."""
    asked = f"{before}{item.prompt}{reply_format(item.letters)}"
    messages = [Message("user", asked)]
    replies: list[ChatReply] = []
    while True:
        try:
            reply = examinee.asker.ask(ChatRequest(examinee.model, tuple(messages), examinee.sampling))
        except AskFailed as failed:
            return _answered(item, asked, replies, fault=str(failed))
        replies.append(reply)
        made = _answered(item, asked, replies)
        if made.letter is not None or not reply.cut_short or len(replies) > MOST_CONTINUATIONS:
            return made
        messages += [Message("assistant", reply.text), Message("user", MORE)]


def _answered(item: Item, asked: str, replies: list[ChatReply], fault: str | None = None) -> Answered:
    text = "".join(reply.text for reply in replies)
    reasoning = "\n".join(reply.reasoning for reply in replies if reply.reasoning)
    letter = read_letter(item.letters, text, reasoning) if fault is None else None
    last = replies[-1] if replies else None
    return Answered(
        item=item,
        prompt=asked,
        letter=letter,
        text=text,
        reasoning=reasoning,
        finish_reason=None if last is None else last.finish_reason,
        truncated=last is not None and last.cut_short and letter is None,
        continuations=max(0, len(replies) - 1),
        input_tokens=_sum([reply.usage.input_tokens for reply in replies]),
        output_tokens=_sum([reply.usage.output_tokens for reply in replies]),
        fault=fault,
    )


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
