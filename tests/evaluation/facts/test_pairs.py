from evaluation.facts.grounding import LabelledCandidate
from evaluation.facts.pairs import measure_pairs, pairs_part
from lectorium.providers.stand_ins.hashing import HashingEmbedder

TALKS = ["Kapila taught the Sankhya", "The river floods the fields", "A banyan drops its roots", "Monks bake the bread"]


def test_the_signal_is_measured_on_synthetic_and_on_written_pairs():
    rows = [
        LabelledCandidate(f"{at}", f"It rained. {talk}.", f"{talk}{' not' if false else ''}.", label, "x")
        for at, talk in enumerate(2 * TALKS)
        for false, label in enumerate(("supported", "planted"))
    ]
    found = measure_pairs(HashingEmbedder(64), rows, 40, 1)
    areas = {signal.name: signal.area for signal in found}
    assert areas["synthetic: equivalent against distinct"] > 0.5
    assert areas["written: true claims against claims about something else"] == 1.0
    assert [len(signal.same) for signal in found] == [10, 10, 8, 8]
    assert "0.939" in "\n".join(pairs_part(found, "hashing"))
