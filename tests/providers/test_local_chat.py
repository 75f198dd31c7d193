import asyncio
import time
from contextlib import aclosing

import pytest

from lectorium.providers.deadlines import Deadlines
from lectorium.providers.errors import ContextTooLong, ModelMissing, TooSlow
from lectorium.providers.protocols import ChatMessage, Piece

pytestmark = pytest.mark.model

WORDS = "the soul does not die so why grieve ? user assistant system".split()
ASKED = (ChatMessage("system", "the soul"), ChatMessage("user", "why grieve ?"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a random model of a few thousand weights whose every answer is nonsense, but an answer."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    vocabulary = {word: number for number, word in enumerate(["<unk>", "<end>", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", eos_token="<end>").save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=600, eos_token_id=None, bos_token_id=None, pad_token_id=None,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def model(folder):
    from lectorium.providers.local_chat import LocalChat

    return LocalChat(folder, threads=1)


async def pieces_of(model, messages=ASKED, max_tokens=6, temperature=0.0):
    return [piece async for piece in model.stream(messages, max_tokens=max_tokens, temperature=temperature)]


async def test_it_answers_in_pieces_and_counts_its_tokens(model):
    pieces = await pieces_of(model)
    assert set("".join(piece.text for piece in pieces).split()) <= set(WORDS)
    assert pieces[-1] == Piece("", 5, 6, truncated=True)
    assert len(pieces) > 2


async def test_without_temperature_it_always_says_the_same(model):
    assert await pieces_of(model) == await pieces_of(model)
    assert (await pieces_of(model, temperature=1.0))[-1].tokens_out == 6


async def test_answers_wait_for_one_another(model):
    first, second = await asyncio.gather(pieces_of(model), pieces_of(model))
    assert first == second


async def test_messages_that_do_not_fit_are_refused_with_the_numbers(model):
    with pytest.raises(ContextTooLong, match="has a context of 600 tokens; 700 in and 6 out exceed it"):
        await pieces_of(model, (ChatMessage("user", "soul " * 700),))


async def test_whoever_stops_listening_frees_the_model(model):
    async with aclosing(model.stream(ASKED, max_tokens=590, temperature=0.0)) as pieces:
        await anext(pieces)
    started = time.monotonic()
    assert (await pieces_of(model, max_tokens=1))[-1].tokens_out == 1
    stopped = time.monotonic() - started
    started = time.monotonic()
    await pieces_of(model, max_tokens=590)
    assert stopped < (time.monotonic() - started) / 2


async def test_a_model_that_takes_longer_than_a_reader_waits_is_too_slow(folder, model):
    from lectorium.providers.local_chat import LocalChat

    hasty = LocalChat(folder, threads=1, patience=Deadlines(silence=0.001))
    with pytest.raises(TooSlow, match=r"nothing for 0\.001 s"):
        await pieces_of(hasty)
    with pytest.raises(TooSlow):
        await pieces_of(LocalChat(folder, threads=1, patience=Deadlines(whole=0.001)))


async def test_a_folder_without_a_model_is_said_to_be_missing(tmp_path):
    from lectorium.providers.local_chat import LocalChat

    with pytest.raises(ModelMissing, match="cannot be loaded"):
        await pieces_of(LocalChat(tmp_path))
