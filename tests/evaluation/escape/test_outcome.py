from evaluation.escape.outcome import GAUNTLET, outcomes
from lectorium.providers.planting import DraftLine

TRUE = DraftLine("The lamp was lit.", "The lamp was lit [^1].", cites=(1,))
WIDE = DraftLine(
    "The lamp was lit, and no exception is known.", "The lamp was lit, and no exception is known [^1].",
    "over_generalisation", false=", and no exception is known", cites=(1,),
)  # fmt: skip
MOVED = DraftLine("The lamp was lit.", "The lamp was lit [^2].", "moved_marker", cites=(2,))
PHANTOM = DraftLine(
    "A bell rang in Porto.", "A bell rang in Porto [^1][^44].", "invented_marker", "invented", cites=(1,)
)


def sentence(text, *, shown=True, verdict="supported", citations=(1,), guards=()):
    return {"text": text, "verdict": verdict, "shown": shown, "reason": "", "citations": list(citations),
            "quote": "", "guards": list(guards)}  # fmt: skip


def fate(lines, sentences, dropped=()):
    examined = {"sentences": sentences, "dropped": [{"reason": "never_minted", "text": one} for one in dropped]}
    return outcomes("lectures", lines, examined)


def test_a_falsehood_that_is_shown_with_any_word_has_escaped():
    for verdict in ("supported", "partial", "framing"):
        [one] = fate([WIDE], [sentence(WIDE.text, verdict=verdict)])
        assert (one.escaped, one.verified) == (True, verdict == "supported")
    [one] = fate([WIDE], [sentence(WIDE.text, shown=False, verdict="unsupported", guards=["verifier"])])
    assert (one.escaped, one.verdict, one.guards) == (False, "withheld", {"verifier"})


def test_a_sentence_that_has_lost_its_false_part_is_no_escape():
    [one] = fate([WIDE], [sentence("The lamp was lit.")])
    assert not one.escaped
    [one] = fate([WIDE], [sentence("The lamp was lit"), sentence("and no exception is known.", verdict="partial")])
    assert one.escaped
    assert not one.verified


def test_a_moved_marker_escapes_only_where_the_wrong_passage_is_cited():
    assert fate([MOVED], [sentence(MOVED.text, citations=[2])])[0].escaped
    assert not fate([MOVED], [sentence(MOVED.text, citations=[1])])[0].escaped


def test_lines_of_the_same_words_are_told_apart_by_their_order():
    shown = [sentence(TRUE.text), sentence(WIDE.text, shown=False), sentence(MOVED.text, shown=False)]
    true, wide, moved = fate([TRUE, WIDE, MOVED], shown)
    assert (true.seen, wide.seen, moved.seen) == (True, False, False)
    true, wide, moved = fate([TRUE, WIDE, MOVED], [sentence(TRUE.text, shown=False), *shown[1:]])
    assert not true.seen


def test_what_the_gauntlet_took_counts_as_its_objection():
    [one] = fate([PHANTOM], [sentence(PHANTOM.text)], dropped=["[^44]"])
    assert one.guards == {GAUNTLET}
    assert one.escaped
    [one] = fate([PHANTOM], [sentence(PHANTOM.text)])
    assert one.guards == set()
    [one] = fate([TRUE], [])
    assert (one.seen, one.guards) == (False, {GAUNTLET})


def test_a_sentence_that_lost_words_is_still_found_and_not_taken_for_its_twin():
    told = "The lamp was lit, as the talk “The Salt Orchard” (CW4:salt:2) says"
    address = DraftLine(f"{told}.", f"{told} [^1].", "invented_lecture", false="The Salt Orchard", cites=(1,))
    shortened = "The lamp was lit, as the talk “The Salt Orchard” () says."
    shown = [sentence(shortened, shown=False), sentence(TRUE.text)]
    false, true = fate([address, TRUE], shown, dropped=["CW4:salt:2"])
    assert (false.seen, false.guards) == (False, {GAUNTLET})
    assert (true.seen, true.guards) == (True, set())


def test_a_sentence_of_two_lines_counts_for_both():
    both = fate([TRUE, PHANTOM], [sentence(f"{TRUE.text[:-1]} and {PHANTOM.text}")])
    assert [one.seen for one in both] == [True, True]
