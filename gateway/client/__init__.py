"""A small typed client of a served gateway.

from gateway.client import Client

with Client("https://gateway.example", token) as gateway:
    reply = gateway.ask({"metrics": ["net_revenue"], "dimensions": ["region"]})
    print(reply.answer, reply.trace_id)
"""

from gateway.client.client import Client
from gateway.client.errors import ClientError, NotReached, RequestRefused

__all__ = ["Client", "ClientError", "NotReached", "RequestRefused"]
