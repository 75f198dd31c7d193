"""Conversations over two sample lectures and the sample verses, by stand-in models: what each follow-up is served."""

from dataclasses import replace

import pytest
from django.conf import settings as site
from django.core.management import call_command

from chat.answering.ask import operator
from chat.models import Turn
from corpus.models import Chunk, Collection
from lectorium.threads import in_thread
from tests.chat.turns import conducted

pytestmark = pytest.mark.django_db(transaction=True)
STATION, TRAINS = "the announcer was a man named Mister Basavaraj", "For thirty-one years he announced trains"
LAST = "03-work-without-a-claim:23"


@pytest.fixture
def samples(transactional_db, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    for name in ("01-two-armies-one-question.vtt", "03-work-without-a-claim.vtt"):
        call_command("import_lectures", str(site.SAMPLES_DIR / "lectures" / name), verbosity=0)
    call_command("import_works", str(site.SAMPLES_DIR / "works"), verbosity=0)
    call_command("index", verbosity=0)


async def converse(*questions):
    """Return the journal of each turn of one conversation."""
    viewer = replace(await in_thread(operator), visitor="someone")
    conversation, journals = None, []
    for question in questions:
        journal, _ = await conducted(question, viewer, conversation=conversation)
        conversation = journal.conversation_id
        journals.append(journal)
    return journals


def shown(journal):
    return " ".join(sentence.text for sentence in journal.sentences)
