"""A small chat model run by transformers in this process, one answer at a time on its own thread."""

import asyncio
import functools
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, StoppingCriteria, TextStreamer
from transformers.utils.logging import disable_progress_bar

from .deadlines import Deadlines
from .errors import ContextTooLong, EmptyAnswer, ModelMissing, TooSlow
from .protocols import ChatMessage, Piece, Schema
from .stand_ins import guard

_END = None  # queued after the last text


class LocalChat:
    """A folder of safetensors weights with a tokenizer. Schema and tool are ignored; check the output."""

    def __init__(self, folder: Path, *, threads: int = 2, patience: Deadlines | None = None) -> None:
        """threads: for computing. patience: includes waiting for earlier answers."""
        guard.check(f"chat model {folder}")
        self.name = f"local:{folder}"
        self._folder, self._threads = folder, threads
        self._patience = patience or Deadlines()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-chat")

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        """See ChatModel. Raises ModelMissing, ContextTooLong, TooSlow or EmptyAnswer."""
        loop = asyncio.get_running_loop()
        texts: asyncio.Queue[str | None] = asyncio.Queue()
        stopped = threading.Event()

        def say(text: str | None) -> None:
            if not stopped.is_set():  # otherwise the loop may be closed
                loop.call_soon_threadsafe(texts.put_nowait, text)

        write = functools.partial(self._write, tuple(messages), max_tokens, temperature, say, stopped)
        writing = loop.run_in_executor(self._executor, write)
        deadline = loop.time() + self._patience.whole
        try:
            while (text := await self._next(texts, deadline)) is not _END:
                if text:
                    yield Piece(text)
            yield await writing
        finally:
            stopped.set()
            writing.cancel()

    async def _next(self, texts: asyncio.Queue[str | None], deadline: float) -> str | None:
        now = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(min(self._patience.silence, max(0.0, deadline - now))):
                return await texts.get()
        except TimeoutError:
            raise TooSlow(
                f"{self.name} sent nothing for {self._patience.silence:g} s, or did not finish in time"
            ) from None

    def _write(
        self,
        messages: tuple[ChatMessage, ...],
        max_tokens: int,
        temperature: float,
        say: Callable[[str | None], None],
        stopped: threading.Event,
    ) -> Piece:
        """Generate on the model's thread; return the last piece."""
        try:
            model, tokenizer = self._loaded
            tokens = _tokens(tokenizer, messages)
            room = model.config.max_position_embeddings
            if tokens.shape[1] + max_tokens > room:
                message = (
                    f"{self.name} has a context of {room} tokens; {tokens.shape[1]} in and {max_tokens} out exceed it"
                )
                raise ContextTooLong(message)
            how = {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}
            with torch.inference_mode():
                whole = model.generate(
                    tokens,
                    attention_mask=torch.ones_like(tokens),
                    max_new_tokens=max_tokens,
                    streamer=_Streamer(tokenizer, say),
                    stopping_criteria=[_Stopped(stopped)],
                    pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
                    **how,
                )
            written = whole.shape[1] - tokens.shape[1]
            ended = int(whole[0, -1]) == tokenizer.eos_token_id
            if written <= int(ended):
                raise EmptyAnswer(f"{self.name}: the answer is empty")
            return Piece(tokens_in=tokens.shape[1], tokens_out=written, truncated=written >= max_tokens and not ended)
        finally:
            say(_END)

    @functools.cached_property
    def _loaded(self) -> tuple[Any, Any]:
        torch.set_num_threads(self._threads)
        disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            tokenizer = AutoTokenizer.from_pretrained(self._folder, local_files_only=True)
            model = AutoModelForCausalLM.from_pretrained(
                self._folder, local_files_only=True, use_safetensors=True, dtype="auto"
            )
        except (OSError, ValueError) as error:
            raise ModelMissing(f"{self.name} cannot be loaded: {str(error).splitlines()[0]}") from error
        return model, tokenizer


class _Streamer(TextStreamer):
    def __init__(self, tokenizer: Any, say: Callable[[str | None], None]) -> None:
        super().__init__(tokenizer, skip_prompt=True, skip_special_tokens=True)
        self._say = say

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        self._say(text)


class _Stopped(StoppingCriteria):
    def __init__(self, stopped: threading.Event) -> None:
        self._stopped = stopped

    def __call__(self, input_ids: Any, scores: Any, **more: Any) -> Any:
        return torch.full((input_ids.shape[0],), self._stopped.is_set(), dtype=torch.bool)


def _tokens(tokenizer: Any, messages: Sequence[ChatMessage]) -> Any:
    """Token ids, shape (1, length); without a chat template the messages are joined as paragraphs."""
    if tokenizer.chat_template:
        turns = [{"role": message.role, "content": message.text} for message in messages]
        found = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt", return_dict=True)
        return found["input_ids"]
    text = "\n\n".join(message.text for message in messages) + "\n\n"
    return tokenizer(text, return_tensors="pt")["input_ids"]
