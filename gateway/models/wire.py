"""The models of pydantic-ai: any OpenAI-compatible or Anthropic-style endpoint. Imported late."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest as Message
from pydantic_ai.messages import ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model as Client
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from gateway.cancellation import Cancellation
from gateway.models.verb import Left, ModelFault, ModelReply, ModelRequest
from gateway.settings.file import AgentSettings

NO_KEY = "none"
"""Sent where no key is set: an endpoint of the site's own may need none, and the clients demand one."""
NEVER_CONNECTED = frozenset(("ConnectError", "ConnectTimeout"))
"""What httpx calls it, under whichever name a client library brings it."""
TRANSIENT: Mapping[type[exceptions.ModelAPIError], tuple[str, str]] = {
    exceptions.ModelRateLimitError: ("rate_limited", "the provider asks to wait"),
    exceptions.ModelUnavailableError: ("unavailable", "the provider cannot serve the model now"),
    exceptions.ModelServerError: ("unavailable", "the provider failed"),
    exceptions.ModelRequestTimeout: ("slow", "no reply in time"),
    exceptions.ModelTimeoutError: ("slow", "no reply in time"),
    exceptions.ModelConnectionError: ("dropped", "the connection to the provider broke"),
}
FINAL: Mapping[type[exceptions.ModelAPIError], tuple[str, str]] = {
    exceptions.ModelQuotaExceededError: ("quota", "the account of the provider is used up"),
    exceptions.ModelAuthenticationError: ("not_allowed", "the provider does not take the key"),
    exceptions.ModelNotFoundError: ("no_such_model", "the endpoint has no such model"),
    exceptions.ModelContextWindowExceededError: ("too_long", "the request is too long for the model"),
    exceptions.ModelRequestRejectedError: ("refused", "the provider does not take the request"),
}


def ask(
    settings: AgentSettings,
    key: str,
    request: ModelRequest,
    seconds: float,
    most_tokens: int,
    leaver: Cancellation,
) -> ModelReply:
    """Ask once, on a loop and over a connection of its own. Raises ModelFault and Left."""
    try:
        return asyncio.run(_unless_left(settings, key, request, (seconds, most_tokens), leaver))
    except exceptions.ModelAPIError as fault:
        raise _unreached(fault, settings, key) or _fault_of(fault) from fault
    except exceptions.UnexpectedModelBehavior as fault:
        raise ModelFault("malformed", "the reply is not one of its protocol", transient=True) from fault
    except (exceptions.UserError, ValueError) as fault:
        message = "the settings [agent] do not fit the provider"
        raise ModelFault("misconfigured", message) from fault
    except (OSError, EOFError) as fault:
        raise ModelFault("dropped", "the connection to the provider broke", transient=True) from fault


async def _unless_left(
    settings: AgentSettings,
    key: str,
    request: ModelRequest,
    limits: tuple[float, int],
    leaver: Cancellation,
) -> ModelReply:
    """Ask, and stop asking at once where the caller leaves."""
    loop = asyncio.get_running_loop()
    asking = asyncio.ensure_future(_asked(settings, key, request, *limits))

    def stop() -> None:
        with suppress(RuntimeError):  # the loop may be gone by then
            loop.call_soon_threadsafe(asking.cancel)

    with leaver.stopping(stop):
        try:
            return await asking
        except asyncio.CancelledError as gone:
            raise Left from gone


async def _asked(
    settings: AgentSettings, key: str, request: ModelRequest, seconds: float, most_tokens: int
) -> ModelReply:
    client = _client(settings, key)
    async with client:
        response = await model_request(
            client,
            [
                Message(
                    parts=[UserPromptPart(json.dumps(request.fields, ensure_ascii=False, default=str))],
                    instructions=request.instructions,
                )
            ],
            model_settings=_limits(settings, seconds, most_tokens),
            model_request_parameters=ModelRequestParameters(
                output_mode="native",
                output_object=OutputObjectDefinition(
                    json_schema=dict(request.schema), name=request.name, strict=True
                ),
                allow_text_output=False,
            ),
        )
    return _reply_of(response)


def _client(settings: AgentSettings, key: str) -> Client:
    """Return the model of the settings; its schema is sent whatever the library knows of the name."""
    profile = ModelProfile(supports_json_schema_output=True)
    if settings.provider == "openai":
        endpoint = OpenAIProvider(base_url=settings.base_url or None, api_key=key or NO_KEY)
        return OpenAIChatModel(settings.model, provider=endpoint, profile=profile)
    anthropic = AnthropicProvider(base_url=settings.base_url or None, api_key=key or NO_KEY)
    return AnthropicModel(settings.model, provider=anthropic, profile=profile)


def _limits(settings: AgentSettings, seconds: float, most_tokens: int) -> ModelSettings:
    """Return the parameters of one call. The client tries nothing again: what is tried is counted by us."""
    limits = ModelSettings(
        max_tokens=min(settings.max_tokens, most_tokens),
        request_timeout=seconds,
        timeout=seconds,
        max_retries=0,
    )
    if settings.temperature is not None:
        limits["temperature"] = settings.temperature
    if settings.seed is not None:
        limits["seed"] = settings.seed
    return limits


def _reply_of(response: ModelResponse) -> ModelReply:
    if response.finish_reason == "content_filter":
        raise ModelFault("refused", "the model would not answer")
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    used = response.usage
    return ModelReply(
        text=text,
        tokens_in=used.input_tokens,
        tokens_out=used.output_tokens,
        cut=response.finish_reason == "length",
    )


def _unreached(fault: BaseException, settings: AgentSettings, key: str) -> ModelFault | None:
    """Return the fault of an endpoint to which no connection was ever made, or None."""
    cause: BaseException | None = fault
    while cause is not None and type(cause).__name__ not in NEVER_CONNECTED:
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return None
    host = urlsplit(settings.base_url).netloc or f"the endpoint of {settings.provider}"
    lacks = "" if key else "; CELLBOUND_AGENT_KEY is not set"
    message = f"nothing answers at {host} (base_url under [agent]{lacks})"
    return ModelFault("unreachable", message, transient=True)


def _fault_of(fault: exceptions.ModelAPIError) -> ModelFault:
    for kind, (code, message) in TRANSIENT.items():
        if isinstance(fault, kind):
            return ModelFault(code, message, transient=True, retry_after=fault.retry_after)
    for kind, (code, message) in FINAL.items():
        if isinstance(fault, kind):
            return ModelFault(code, message)
    return ModelFault("refused", "the provider gave no reply")
