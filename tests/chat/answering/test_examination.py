from chat.answering.examination import examine_draft
from lectorium.providers.stand_ins.scripted import ScriptedChat
from tests.evaluation.escape.corpus import LECTURES, passage

NOTES = [passage(f"a:{number}", text) for number, text in enumerate(LECTURES[:2])]


async def test_a_draft_is_examined_as_a_turn_would_and_without_a_database():
    said = "Hugh Ballard built the ferry at Lorne in 1881 [^1][^9]. Whales sang in Peru for forty nights."
    author = ScriptedChat(said)
    examined = await examine_draft("Who built the ferry?", NOTES, author)
    built, sang = examined["sentences"]
    assert (built["shown"], built["citations"], built["text"]) == (
        True,
        [1],
        "Hugh Ballard built the ferry at Lorne in 1881.",
    )
    assert built["quote"] in LECTURES[0]
    assert not sang["shown"]
    assert sang["guards"]
    assert examined["dropped"] == [{"reason": "never_minted", "text": "[^9]"}]
    assert LECTURES[1] in author.asked[0][-1].text


async def test_the_library_that_ships_is_heard_an_address_and_a_word_of_the_glossary():
    note = passage("a:9", "A teacher holds that devotion is the rope by which the bucket is drawn from the well.")
    author = ScriptedChat(
        "A teacher holds that devotion is the rope by which the bucket is drawn from the well, as Luke 4:7 says [^1]. "
        "A teacher holds that bhakti is the rope by which the bucket is drawn from the well [^1]."
    )
    addressed, reworded = (await examine_draft("What draws the bucket?", [note], author))["sentences"]
    assert (addressed["shown"], "address" in addressed["guards"]) == (False, True)
    assert (reworded["shown"], reworded["verdict"]) == (True, "supported")
