import json

import pytest

from lectorium.providers import registry
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import ModelMissing
from lectorium.providers.stand_ins.guard import ModelForbidden
from lectorium.providers.stand_ins.scripted import ScriptedChat


@pytest.fixture
def endpoint(settings):
    settings.CHAT_ENDPOINTS = {"vllm": Endpoint("vllm", "http://127.0.0.1:9/v1", "secret")}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "must be PROVIDER:MODEL with one of vllm, local, scripted"),
        ("vllm", "must be PROVIDER:MODEL"),
        ("vllm:", "must be PROVIDER:MODEL"),
        ("builtin", "must be PROVIDER:MODEL"),
        ("elsewhere:small", "must be PROVIDER:MODEL"),
        ("local:/no/such/folder", "there is no folder /no/such/folder"),
        ("scripted:/no/such/file", "there is no file /no/such/file"),
    ],
)
def test_a_name_that_leads_nowhere_is_refused_with_what_there_is(endpoint, name, says):
    with pytest.raises(ModelMissing, match=says):
        registry.chat_model(name)


def test_a_service_and_a_folder_are_real_models_and_so_forbidden_to_unmarked_tests(endpoint, tmp_path):
    with pytest.raises(ModelForbidden):
        registry.chat_model("vllm:small")
    with pytest.raises(ModelForbidden):
        registry.chat_model(f"local:{tmp_path}")


@pytest.mark.network
def test_a_service_serves_any_model_by_name(endpoint):
    model = registry.chat_model("vllm:org/small:v2")
    assert model.name == "vllm:org/small:v2"
    assert model is registry.chat_model("vllm:org/small:v2")


def test_a_script_is_a_model_too_and_a_fake_can_take_any_place(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"text": "yes"}]), encoding="utf-8")
    assert isinstance(registry.chat_model(f"scripted:{script}"), ScriptedChat)
    fake = ScriptedChat("yes")
    registry.replace_model("vllm:small", fake)
    assert registry.chat_model("vllm:small") is fake
    registry.replace_model("vllm:small", None)
    with pytest.raises(ModelMissing):
        registry.chat_model("vllm:small")


@pytest.mark.model
@pytest.mark.parametrize("name", ["mpnet", "all-mpnet-base-v2"])
def test_an_embedder_that_is_not_installed_says_which_command_installs_it(settings, tmp_path, name):
    settings.MODELS_DIR = tmp_path
    registry._embedder.cache_clear()
    with pytest.raises(ModelMissing, match=r"all-mpnet-base-v2 is not in .*run `make install`"):
        registry.embedder(name)


@pytest.mark.model
def test_an_installed_embedder_is_read_from_the_folder_of_models(settings, tmp_path):
    settings.MODELS_DIR = tmp_path
    folder = tmp_path / "all-mpnet-base-v2"
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "1_Pooling" / "config.json").write_text('{"word_embedding_dimension": 768}', encoding="utf-8")
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 384}', encoding="utf-8")
    registry._embedder.cache_clear()
    embedder = registry.embedder("mpnet")
    registry._embedder.cache_clear()
    assert (embedder.name, embedder.width, embedder.max_tokens) == ("all-mpnet-base-v2", 768, 384)


@pytest.mark.model
def test_the_embedder_is_mpnet_where_it_is_installed_and_no_small_reader_is_asked_for(settings, tmp_path):
    registry._embedder.cache_clear()
    settings.EMBEDDER, settings.MODELS_DIR, settings.READER = "auto", tmp_path, "auto"
    assert registry.embedder().name == "all-MiniLM-L6-v2"
    (tmp_path / "all-mpnet-base-v2").mkdir()
    (tmp_path / "all-mpnet-base-v2" / "config.json").write_text("{}")
    assert registry.embedder().name == "all-mpnet-base-v2"
    settings.READER = "small"
    assert registry.embedder().name == "all-MiniLM-L6-v2"


def test_no_clips_are_judged_where_the_big_reader_is_not_installed_or_not_wanted(settings, tmp_path):
    settings.READER_BASE, settings.READER = tmp_path, "auto"
    assert registry.clip_reader() is None
    settings.READER = "small"
    assert registry.clip_reader() is None
