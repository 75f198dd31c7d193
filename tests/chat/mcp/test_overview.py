"""What editors' assistants are shown: gaps, previews and translations."""

import pytest

from audit.domain.redaction import REDACTED
from audit.models import GapCluster, KnowledgeGap
from curation.translations.services import translations_sync
from lectorium.threads import in_thread
from tests.chat.mcp.conftest import assistant, token_of

pytestmark = pytest.mark.django_db(transaction=True)


async def test_gaps_are_listed_the_most_frequent_first(readers):
    def asked(question, times, cluster):
        KnowledgeGap.objects.create(
            key=question, kind="refused", question=question, times=times, cluster=cluster, reason="outside_corpus",
            nearest=["BG 2.47"],
        )  # fmt: skip

    def gaps():
        often, seldom, answered = (GapCluster.objects.create(state=state) for state in ("open", "open", "answered"))
        asked("Who baked?", 6, often)
        asked("Who made the bread?", 3, often)
        asked("Who swam?", 1, seldom)
        asked("Who left?", 50, answered)
        asked(REDACTED, 70, GapCluster.objects.create())

    await in_thread(gaps)
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        listed = await bob.call("list_gaps", limit=2)
    (gap,) = listed["gaps"]
    assert (gap["question"], gap["times"], gap["reason"]) == ("Who baked?", 9, "outside corpus")
    assert (gap["also_asked"], gap["nearest"]) == (["Who made the bread?"], ["BG 2.47"])
    assert listed["open_in_all"] == 3


async def test_a_draft_is_tried_before_anybody_meets_it(readers):
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        pin = await bob.call("draft_pin", question="Who would not bow?", references=["first-steps:1"])
        met = await bob.call("preview_match", question="who would not bow", entry=pin["id"])
        missed = await bob.call("preview_match", question="How old is the banyan?", entry=pin["id"])
        refused = await bob.refused("preview_match", question=" ")
    assert [(row["id"], row["state"], row["accepted"]) for row in met["entries"]] == [(pin["id"], "draft", True)]
    assert [(row["accepted"], row["is_tried"]) for row in missed["entries"]] == [(False, True)]
    assert refused == "Type a question first."


async def test_translations_are_counted_by_language(readers, settings):
    settings.LOCALES = ("de", "nl")
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        counts = (await bob.call("translation_status"))["counts"]
        await in_thread(translations_sync, locales=["de"])
        compared = (await bob.call("translation_status"))["counts"]
    told = [(row["language"], row["missing"] > 0, row["is_compared"]) for row in (*counts, *compared)]
    assert told == [("de", False, False), ("nl", False, False), ("de", True, True), ("nl", False, False)]
