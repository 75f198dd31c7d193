from django.utils.translation import override

from chat.answering.domain.wordings import WORDINGS
from chat.conversations.local_words import local_message


def test_english_is_left_as_it_is():
    with override("en"):
        assert all(local_message(wording.text) == wording.text for wording in WORDINGS)
