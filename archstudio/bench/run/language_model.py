"""A language model that answers tasks: one conversation a task, with rehearsals as tools or as plain replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from archstudio.bench.brief import AnyTask
from archstudio.bench.reply import BadReply, parse_object
from archstudio.bench.run.answering import Answer
from archstudio.bench.run.prompts import AUDIT_TOOL, SUBMIT_TOOL, SYSTEM, feedback, opening, rehearsed, tools
from archstudio.edits.actions.javascript import json_text
from archstudio.llm import Asker, AskFailed, ChatReply, ChatRequest, Message, Sampling, ToolCall

TRACE_SCHEMA: Final = "archstudio.bench-trace/1"


@dataclass(frozen=True)
class LanguageModel:
    """A model and how it is asked; `with_tools` offers the rehearsal and the submission as functions to call."""

    asker: Asker
    name: str
    sampling: Sampling = field(default_factory=Sampling)
    with_tools: bool = False

    def conversation(self, attempt: int = 1) -> "Conversation":
        """A new conversation for one task; another attempt asks the same once more."""
        return Conversation(self, attempt)

    def settings(self) -> dict[str, Any]:
        """What tells two runs apart."""
        return {"name": self.name, **self.sampling.as_json(), "tools": self.with_tools}


@dataclass
class Conversation:
    """Answers the observations of one task in turn; each message stays in view of the later ones."""

    model: LanguageModel
    attempt: int
    messages: list[Message] = field(default_factory=lambda: [Message("system", SYSTEM)])
    reasoning: list[str] = field(default_factory=list)

    def answer(self, task: AnyTask, observation: Mapping[str, Any]) -> Answer:
        """The model's reply to what it is shown now."""
        self._hear(observation)
        offered = tools(observation["auditsLeft"]) if self.model.with_tools else ()
        request = ChatRequest(
            self.model.name, tuple(self.messages), self.model.sampling, tuple(offered), repeat=self.attempt - 1
        )
        try:
            reply = self.model.asker.ask(request)
        except AskFailed as failed:
            return Answer(fault=str(failed))
        self.messages.append(Message("assistant", reply.text, reply.calls))
        if reply.reasoning:
            self.reasoning.append(reply.reasoning)
        return Answer(_submission(reply), tokens=_tokens(reply))

    def _hear(self, observation: Mapping[str, Any]) -> None:
        with_tools = self.model.with_tools
        if not any(message.role == "assistant" for message in self.messages):
            if len(self.messages) == 1:  # else it was asked before and there was no answer
                self.messages.append(Message("user", opening(observation, with_tools=with_tools)))
            return
        tell = rehearsed if observation["audit"] is not None else feedback
        text = tell(observation, with_tools=with_tools)
        calls = self.messages[-1].calls
        if not calls:
            self.messages.append(Message("user", text))
            return
        heard = _looked_at(calls)
        for call in calls:  # each wants an answer
            told = text if call is heard else "Only one call a message is looked at."
            self.messages.append(Message("tool", told, call_id=call.id))

    def trace(self, task: AnyTask, observation: str, passed: bool) -> dict[str, Any]:
        """The conversation as one line: what was asked, thought and said, and whether the rubric passed it."""
        return {
            "schema": TRACE_SCHEMA,
            "taskId": task.id,
            "try": self.attempt,
            "source": self.model.name,
            "spec": task.spec,
            "observation": observation,
            "reasoning": "\n\n".join(self.reasoning),
            "verified": passed,
            "messages": [message.as_json() for message in self.messages],
        }


def _submission(reply: ChatReply) -> str:
    """The reply as the text that a round reads: a call of a tool becomes the object it stands for."""
    return _called(_looked_at(reply.calls)) if reply.calls else reply.text


def _looked_at(calls: Sequence[ToolCall]) -> ToolCall:
    """The first call of a tool there is, else the first."""
    return next((call for call in calls if call.name in (AUDIT_TOOL, SUBMIT_TOOL)), calls[0])


def _called(call: ToolCall) -> str:
    try:
        given = parse_object(call.arguments)
    except BadReply:
        return call.arguments  # the round says what is wrong with it
    return json_text({"audit": call.name == AUDIT_TOOL, "actions": given["actions"]})


def _tokens(reply: ChatReply) -> int | None:
    usage = reply.usage
    return None if usage.input_tokens is None and usage.output_tokens is None else usage.total
