"""A LangChain agent that answers with figures of a served gateway, over MCP.

    pip install -r langchain.txt
    CELLBOUND_URL=http://127.0.0.1:8321/mcp CELLBOUND_TOKEN=... python langchain_agent.py openai:gpt-5 \
        "net revenue by region in Q3 2026"
"""

import asyncio
import os
import sys

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_mcp_adapters.client import MultiServerMCPClient

RULES = (
    "Answer with figures of the tools only. Where one asks back, ask the user. Before you answer, pass your "
    "whole text to check_answer and send the text that it returns, unchanged."
)


async def answer(model: BaseChatModel | str, question: str) -> str:
    """Return the answer to one question; the token says who is asking."""
    headers = {"Authorization": f"Bearer {os.environ['CELLBOUND_TOKEN']}"}
    server = {"transport": "streamable_http", "url": os.environ["CELLBOUND_URL"], "headers": headers}
    tools = await MultiServerMCPClient({"cellbound": server}).get_tools()
    agent = create_agent(model, tools, system_prompt=RULES)
    found = await agent.ainvoke({"messages": [("user", question)]})
    return found["messages"][-1].text


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(answer(sys.argv[1], sys.argv[2])) + "\n")
