from audit.domain.metrics import Share
from evaluation.citations.answers import CitedSentence, JudgedAnswers
from evaluation.citations.judges import Judge
from evaluation.citations.report import as_json, figures, section

JUDGE = Judge(
    "words", lambda pairs: [float(pair.sentence in pair.evidence) for pair in pairs], 0.5, Share(9, 10), Share(8, 10)
)
SHOWN = (
    CitedSentence("a", ("a b", "c"), (True, False)),
    CitedSentence("d", ("e",), (False,)),
    CitedSentence("f", ("f",), (True,)),
)


def test_precision_counts_citations_and_recall_sentences():
    found = figures(SHOWN, [JUDGE])
    assert {name: (str(p)[:3], str(r)[:3]) for name, (p, r) in found.items()} == {
        "labels": ("2/4", "2/3"),
        "words": ("2/4", "2/3"),
    }


def test_uncited_sentences_only_lower_recall():
    precise, recall = figures([CitedSentence("a", ("a",)), CitedSentence("b", ())], [JUDGE])["words"]
    assert (precise.hits, precise.total, recall.hits, recall.total) == (1, 1, 1, 2)


def test_without_labels_there_is_no_label_judge():
    assert list(figures([CitedSentence("a", ("a",))], [JUDGE])) == ["words"]


def test_the_page_reports_judges_and_goals():
    answers = {
        "asked, instant": JudgedAnswers((CitedSentence("a", ("a",)),)),
        "written, cited wrongly": JudgedAnswers(SHOWN, written=7),
    }
    text = "\n".join(section(answers, [JUDGE], "live", "a corpus", 1))
    assert "| words | 0.50 | 9/10 = 0.90" in text
    assert "| asked, instant | – | 1 | words | 1/1 = 1.00" in text
    assert "| written, cited wrongly | 7 | 3 | labels | 2/4 = 0.50" in text
    assert [line.endswith("| yes |") for line in text.splitlines() if line.startswith("| asked")] == [True]
    assert "precision is lowest of “written, cited wrongly, judged by labels”: 2/4 = 0.50" in text
    assert "recall of “written, cited wrongly, judged by labels”: 2/3 = 0.67" in text
    numbers = as_json(answers, [JUDGE])
    assert numbers["answers"]["written, cited wrongly"]["words"]["recall"]["hits"] == 2
    assert numbers["judges"]["words"]["accepts"]["total"] == 10
