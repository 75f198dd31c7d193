import pytest

from lectorium.providers.deadlines import Deadlines
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import Garbled, ModelMissing, TooSlow, WrongKey
from lectorium.providers.posted import poster
from lectorium.providers.posted.speech_endpoint import SpeechEndpoint, speech_model
from tests.corpus.speech_server import KEY, heard, speech_service

pytestmark = pytest.mark.model  # a server of our own stands for the model
QUICK = Deadlines(connect=1.0, silence=0.3, whole=2.0, attempts=2, first_wait=0.0)


@pytest.fixture
def service():
    with speech_service() as service:
        yield service


@pytest.fixture
def sound(tmp_path):
    path = tmp_path / "talk.mp3"
    path.write_bytes(b"\1" * 5000)
    return path


def asked(service, sound):
    return SpeechEndpoint(Endpoint("ear", service.url, KEY), "whisper-1", patience=QUICK).transcribe(sound)


def test_segments_and_words_come_with_their_seconds(service, sound):
    service.answers = [heard((0.5, 2.0, "Wonder."), words=[(0.5, 2.0, "Wonder")], language="de")]
    answer = asked(service, sound)
    assert answer.segments == ((0.5, 2.0, " Wonder."),)
    assert answer.words == ((0.5, 2.0, "Wonder"),)
    assert answer.language == "de"


def test_a_retry_sends_the_whole_file_again(service, sound):
    service.answers = [(503, {}), heard((0.5, 2.0, "Wonder."))]
    asked(service, sound)
    assert [request.values("file") for request in service.asked] == [[b"\1" * 5000]] * 2


def test_a_service_that_does_not_answer_in_time_is_too_slow(service, sound):
    service.answers, service.delay = [heard()], 1.0
    with pytest.raises(TooSlow, match=r"ear:whisper-1 sent nothing for 0\.3 s"):
        asked(service, sound)


def test_an_error_that_repeats_the_key_masks_it(service, sound):
    service.answers = [(401, {"error": f"bad key {KEY}"})]
    with pytest.raises(WrongKey, match="bad key •••") as error:
        asked(service, sound)
    assert KEY not in str(error.value)


def test_an_endless_answer_is_cut_off(service, sound, monkeypatch):
    monkeypatch.setattr(poster, "ANSWER_BYTES", 1000)
    service.answers = [b"[" * 5000]
    with pytest.raises(Garbled, match="ear:whisper-1 answered more than"):
        asked(service, sound)


@pytest.mark.parametrize("name", ["nobody:whisper-1", "ear:", "ear"])
def test_a_name_without_a_configured_service_is_no_model(name, settings):
    settings.CHAT_ENDPOINTS = {"ear": Endpoint("ear", "http://127.0.0.1:9/v1")}
    with pytest.raises(ModelMissing, match="must be PROVIDER:MODEL with a service of LECTORIUM_CHAT_ENDPOINTS"):
        speech_model(name)
