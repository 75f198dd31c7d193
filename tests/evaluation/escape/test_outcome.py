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
    examined = {"sentences": sentences, "dropped": [{"reason": "never_minted", "text": text} for text in dropped]}
    return outcomes("lectures", lines, examined)


def test_a_falsehood_shown_with_any_verdict_has_escaped():
    for verdict in ("supported", "partial", "framing"):
        [found] = fate([WIDE], [sentence(WIDE.text, verdict=verdict)])
        assert (found.escaped, found.verified) == (True, verdict == "supported")
    [found] = fate([WIDE], [sentence(WIDE.text, shown=False, verdict="unsupported", guards=["verifier"])])
    assert (found.escaped, found.verdict, found.guards) == (False, "withheld", {"verifier"})


def test_a_sentence_without_its_false_part_is_not_an_escape():
    [found] = fate([WIDE], [sentence("The lamp was lit.")])
    assert not found.escaped
    [found] = fate([WIDE], [sentence("The lamp was lit"), sentence("and no exception is known.", verdict="partial")])
    assert found.escaped
    assert not found.verified


def test_a_moved_marker_only_escapes_with_the_wrong_citation():
    assert fate([MOVED], [sentence(MOVED.text, citations=[2])])[0].escaped
    assert not fate([MOVED], [sentence(MOVED.text, citations=[1])])[0].escaped


def test_equal_lines_are_distinguished_by_order():
    shown = [sentence(TRUE.text), sentence(WIDE.text, shown=False), sentence(MOVED.text, shown=False)]
    true, wide, moved = fate([TRUE, WIDE, MOVED], shown)
    assert (true.seen, wide.seen, moved.seen) == (True, False, False)
    true, wide, moved = fate([TRUE, WIDE, MOVED], [sentence(TRUE.text, shown=False), *shown[1:]])
    assert not true.seen


def test_text_dropped_by_the_gauntlet_counts_as_its_objection():
    [found] = fate([PHANTOM], [sentence(PHANTOM.text)], dropped=["[^44]"])
    assert found.guards == {GAUNTLET}
    assert found.escaped
    [found] = fate([PHANTOM], [sentence(PHANTOM.text)])
    assert found.guards == set()
    [found] = fate([TRUE], [])
    assert (found.seen, found.guards) == (False, {GAUNTLET})


def test_a_shortened_sentence_is_matched_to_its_line():
    told = "The lamp was lit, as the talk “The Salt Orchard” (CW4:salt:2) says"
    address = DraftLine(f"{told}.", f"{told} [^1].", "invented_lecture", false="The Salt Orchard", cites=(1,))
    shortened = "The lamp was lit, as the talk “The Salt Orchard” () says."
    shown = [sentence(shortened, shown=False), sentence(TRUE.text)]
    false, true = fate([address, TRUE], shown, dropped=["CW4:salt:2"])
    assert (false.seen, false.guards) == (False, {GAUNTLET})
    assert (true.seen, true.guards) == (True, set())


def test_a_sentence_of_two_lines_counts_for_both():
    both = fate([TRUE, PHANTOM], [sentence(f"{TRUE.text[:-1]} and {PHANTOM.text}")])
    assert [found.seen for found in both] == [True, True]
