"""Checks whether chat services are reachable and serve a model."""

import asyncio
from collections.abc import Iterable
from contextlib import aclosing

from . import registry
from .errors import ProviderError
from .openai_compatible import OpenAICompatible

SECONDS = 5.0


async def troubles(names: Iterable[str]) -> list[str]:
    """A sentence for each model ("provider:model") that its service cannot serve now."""
    found = await asyncio.gather(*(_trouble(name) for name in sorted(set(names))))
    return [says for says in found if says]


async def _trouble(name: str) -> str:
    try:
        model = registry.chat_model(name)
        if not isinstance(model, OpenAICompatible):
            return ""
        async with aclosing(model), asyncio.timeout(SECONDS):
            offered = await model.models()
    except TimeoutError:
        return f"{name}: no answer in {SECONDS:g} s"
    except ProviderError as error:
        return str(error)
    served = name.partition(":")[2]
    return "" if served in offered else f"{name}: the service offers {', '.join(offered) or 'no model'}"
