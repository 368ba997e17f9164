"""A Pydantic AI agent that answers with figures of a served gateway, over MCP.

    pip install -r pydantic_ai.txt
    CELLBOUND_URL=http://127.0.0.1:8321/mcp CELLBOUND_TOKEN=... python pydantic_ai_agent.py openai:gpt-5 \
        "net revenue by region in Q3 2026"
"""

import asyncio
import os
import sys

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models import Model

RULES = (
    "Answer with figures of the tools only. Where one asks back, ask the user. Before you answer, pass your "
    "whole text to check_answer and send the text that it returns, unchanged."
)


def build_agent(model: Model | str) -> Agent:
    """Return an agent with the gateway's tools; the token says who is asking."""
    headers = {"Authorization": f"Bearer {os.environ['CELLBOUND_TOKEN']}"}
    gateway = MCPToolset(os.environ["CELLBOUND_URL"], headers=headers, include_instructions=True)
    return Agent(model, instructions=RULES, toolsets=[gateway])


async def answer(model: Model | str, question: str) -> str:
    """Return the answer to one question."""
    return (await build_agent(model).run(question)).output


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(answer(sys.argv[1], sys.argv[2])) + "\n")
