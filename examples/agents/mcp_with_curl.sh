#!/bin/sh
# One call of a tool with nothing but curl, in the protocol's revision without sessions (2026-07-28).
# CELLBOUND_URL=http://127.0.0.1:8321/mcp CELLBOUND_TOKEN=... sh mcp_with_curl.sh "net revenue by region in Q3 2026"
set -eu
# A question with a quotation mark in it would need a JSON tool such as jq.
curl -sS --fail-with-body "$CELLBOUND_URL" \
    -H "Authorization: Bearer $CELLBOUND_TOKEN" \
    -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" \
    -H "MCP-Protocol-Version: 2026-07-28" -H "Mcp-Method: tools/call" -H "Mcp-Name: ask_question" \
    -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
          "name": "ask_question", "arguments": {"question": "'"$1"'"},
          "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": {"name": "curl", "version": "8"}}}}'
