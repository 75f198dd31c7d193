"""The line of counts under an answer hides nothing that was removed or does not stand."""

from chat.answering.domain.answer import AnswerSentence, Claim, WithheldSentence
from chat.answering.domain.answer_counts import summary, validation

GONE = WithheldSentence("unsupported_claims", "unsupported")


def said(verdict, *, quoted=False, proof="verified"):
    claim = Claim("It is so.", verdict, 0.5, "", proof)
    return AnswerSentence("It is so.", "factual", verdict, 0.5, (), quoted, 0, (claim,))


def line(sentences, withheld=()):
    return summary(sentences, validation(sentences, withheld, ()))


def test_what_is_wholly_quoted_says_what_was_removed_beside_it():
    quotation = [said("supported", quoted=True)]
    assert line(quotation) == "1 sentence quoted from 0 places"
    assert line(quotation, [GONE]) == "1 sentence quoted from 0 places · 1 removed"


def test_claims_that_do_not_stand_are_counted_in_words():
    told = line([said("supported"), said("unsupported"), said("contradicted")])
    assert told.startswith("3 claims · 1 verified · 0 partly · 1 unsupported · 1 contradicted · 0 miscited")


def test_supported_claims_are_called_verified_only_where_each_of_them_is():
    verified, checked = said("supported"), said("supported", proof="checked")
    assert line([verified, verified]).startswith("2 claims · 2 verified · 0 partly")
    assert line([verified, checked]).startswith("2 claims · 2 checked · 0 partly")
    assert line([verified, said("partial", proof="checked")]).startswith("2 claims · 1 verified · 1 partly")


def test_the_counts_say_how_many_supported_claims_were_only_checked():
    shown = [said("supported"), said("supported", proof="checked"), said("partial", proof="checked")]
    counts = validation(shown, (), ())
    assert (counts["claims_supported"], counts["claims_checked"]) == (2, 1)


def test_a_kind_that_there_is_none_of_is_left_out():
    assert line([said("partial")]) == "1 claim · 0 verified · 1 partly · 0 miscited · 0 uncited · 0 removed"
