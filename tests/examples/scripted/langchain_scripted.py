"""Runs examples/agents/langchain_agent.py with a model that follows a script: plan, draft, checked text."""

import asyncio
import json
import sys
from typing import Any

import langchain_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

plan = json.loads(sys.argv[1])


class Follow(BaseChatModel):
    """Answers as the script has it, by how many tools have returned."""

    tools: tuple[str, ...] = ()

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: list[Any], **_: Any) -> "Follow":
        return Follow(tools=tuple(tool.name for tool in tools))

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        returned = [message for message in messages if isinstance(message, ToolMessage)]
        if not returned:
            assert {"ask_metric", "check_answer"} <= set(self.tools)
            return _call("ask_metric", plan)
        found = json.loads(returned[-1].text)
        if len(returned) == 1:
            draft = {"draft": found["answer"].splitlines()[0], "trace_ids": [found["trace_id"]]}
            return _call("check_answer", draft)
        assert found["outcome"] == "passed", found
        return AIMessage(found["text"])


def _call(tool: str, arguments: dict[str, Any]) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": tool}])


print(asyncio.run(langchain_agent.answer(Follow(), "net revenue by region")))
