import hashlib
import json

import pytest

from lectorium.providers.cross_encoder_weights import SHIPPED
from training.__main__ import BIG, REPORT, RESULTS
from training.limits import grounding_limits, limits, robustness_limits
from training.report import model_card, report


def estimated(value, rows=10):
    return {"value": value, "low": value - 0.05, "high": value + 0.05, "rows": rows}


def measures(auroc, overlap):
    names = ("balanced_accuracy", "ece", "true_supported", "false_supported")
    found = {f"{prefix}{name}": estimated(0.5) for name in names for prefix in ("", "guarded_")}
    found |= {"auroc": estimated(auroc), "guarded_auroc": estimated(auroc + 0.02), "cosine_auroc": estimated(0.5)}
    return found | {"overlap_auroc": estimated(overlap), "guarded_false_supported": estimated(0.25)}


def moved(by, *, lost, of=8):
    return {"rows": 10, **move(by, lost, of), "guarded": move(by, min(1, lost * 3), of)}


def move(by, lost, of):
    return {
        "mean_move": estimated(by),
        "within_0.1": estimated(0.9 if by else 1.0),
        "lost": estimated(0.5 if by else 0.0),
        "no_longer_supported": estimated(lost, of),
    }


def orders(**ndcg):
    return {
        name.replace("_", " "): {"ndcg@10": estimated(value), "mrr": estimated(value)} for name, value in ndcg.items()
    }


NEGATION = estimated(0.61) | {"errors": 4, "guarded": estimated(0.7)}


@pytest.fixture
def found():
    sets = [
        {"set": "lectures", "seen": "unseen claims", "by_kind": {"negation": NEGATION}, **measures(0.75, 0.6)},
        {"set": "replies", "seen": "unseen rows", "by_kind": {}, **measures(0.85, 0.95)},
        {"set": "edits", "seen": "unseen", "by_kind": {}, **measures(0.6, 0.5)},
    ]
    names = [row["set"] for row in sets]
    answers = {name: estimated(0.4) for name in ("exact", "f1", "has_answer_exact", "has_answer_f1")}
    return {
        "weights": "abc",
        "threshold": 0.54,
        "grounding": {
            "sets": sets,
            "macros": {
                "rows not trained on": {"sets": names, **measures(0.73, 0.68)},
                "strictly unseen": {"sets": ["edits"], **measures(0.6, 0.5)},
                "all sets": {"sets": names, **measures(0.73, 0.68)},
            },
        },
        "answerability": {
            "auroc": estimated(0.6),
            "ece": estimated(0.123),
            "unanswerable_answered_at_0.70": estimated(0.5),
            "answers": {
                "0.29": answers | {"no_answer_accuracy": estimated(0.01)},
                "0.58": answers | {"no_answer_accuracy": estimated(0.87)},
            },
        },
        "twins": {"auroc": estimated(0.8)},
        "relevance": {
            "meetings": orders(first_stage=0.5, reranked=0.59, both=0.58),
            "articles": orders(first_stage=0.9, reranked=0.8, both=0.95),
        },
        "robustness": {
            "lower case": moved(0.0, lost=0.0),
            "no punctuation": moved(-0.01, lost=0.1),
            "words reversed": moved(-0.05, lost=0.25),
            "one entity swapped": moved(-0.3, lost=1.0),
        },
        "speed": {
            "load": 0.4,
            "runs": 40,
            **{f"pairs_a_second_{tokens}": 100.0 for tokens in (64, 128, 256)},
            **{key: {"p50": 1.0, "p95": 2.0} for key in ("read_60x200_ms", "verify_6x150_ms")},
            "start": {"runs": 5, "imports_s": 1.2, "first_verdict_s": 0.8},
        },
    }


def test_every_table_has_as_many_cells_in_each_row_as_in_its_head(found):
    width = 0
    for line in report(found).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        width = width or line.count("|")
        assert line.count("|") == width, line


def test_macros_are_reported_with_intervals(found):
    text = report(found)
    assert "| **macro, rows not trained on** (3 sets) | 10 |" in text
    strict = (
        "| **macro, strictly unseen** (1 sets) | 10 | no claim of their corpora was trained on | 0.600 (0.55–0.65) |"
    )
    assert strict in text


def test_guarded_figures_are_reported_beside_the_models(found):
    text = report(found)
    assert "| edits | 0.620 (0.57–0.67) | 0.500 (0.45–0.55) | 0.500 (0.45–0.55) | 0.500 → 0.500 (0.45–0.55) |" in text
    assert "| **macro, strictly unseen** | 0.620" in text
    assert "| 0.500 → 0.250 (0.20–0.30) |" in text
    assert "| words reversed | 0.900 (0.85–0.95) | 0.500 (0.45–0.55) | 0.750 (0.70–0.80) [8] |" in text


def test_kinds_of_error_are_reported_with_number_and_interval(found):
    assert "| negation | 4 | 0.610 (0.56–0.66) | 0.700 (0.65–0.75) |" in report(found)


def test_answers_are_reported_at_both_thresholds(found):
    text = report(found)
    assert "| measure | from 0.29 on | from 0.58 on | rows |" in text
    assert "| abstained, unanswerable | 0.010 (-0.04–0.06) | 0.870 (0.82–0.92) | 10 |" in text
    assert "| ECE of the abstain score | 0.123" in text


def test_weak_sets_are_named(found):
    said = list(grounding_limits(found["grounding"]))
    assert said == [
        "Grounding is below its macro over rows not trained on (0.730) on edits (0.600).",
        "Token overlap separates true from false better than the model on replies (0.950 against 0.850).",
    ]
    assert all(sentence in report(found) for sentence in said)


def test_only_wrongly_kept_verdicts_are_weaknesses(found):
    said = list(robustness_limits(found["robustness"]))
    assert said == [
        "True claims with words reversed: 75% of the 8 supported ones stay supported, although the meaning is lost; "
        "mean move -0.050. With the guards: 25% of 8.",
        "True claims written with no punctuation: support moves by more than 0.1 in 10% of 10; with the guards in 10%.",
    ]


def test_sets_on_which_an_order_is_worse_are_named(found):
    text = report(found)
    assert "The reranked order alone is below the first stage on articles (nDCG@10)." in text
    assert "Both together, as the product orders, is below the first stage on no set (nDCG@10)." in text
    assert "Both together, as the product orders, is below the reranked order alone on meetings (nDCG@10)." in text


def test_speed_is_reported_with_runs_and_start_time(found):
    text = report(found)
    assert "40 runs over distinct texts" in text
    assert "(goal 2 s) | 0.80 s |" in text


def test_the_card_contains_facts_limits_and_figures(found, tmp_path):
    (tmp_path / "cross_encoder.safetensors").write_bytes(b"weights")
    (tmp_path / "run.json").write_text(json.dumps({"minutes": 61.6, "pairs": 1234567}))
    card = model_card(found, tmp_path)
    assert hashlib.sha256(b"weights").hexdigest() in card
    assert "62 minutes" in card
    assert "1,234,567" in card
    assert all(f"- {limit}\n" in card for limit in limits(found))
    assert card.endswith(report(found).split("\n", 2)[2] + "\n")


def test_page_and_card_match_the_stored_figures():
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert REPORT.read_text(encoding="utf-8") == report(stored, json.loads(BIG.read_text(encoding="utf-8")))
    assert (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8") == model_card(stored, SHIPPED)


def test_the_big_reader_stands_beside_the_small_one_where_it_was_measured(found):
    asked = {**found["answerability"], "unanswerable_answered_at_0.80": estimated(0.25)}
    big = {"weights": "def", "grounding": found["grounding"], "answerability": asked, "twins": found["twins"]}
    text = report(found, big)
    assert "Adapter `def`" in text
    assert "At most 10 rows a set" in text
    assert "| lectures | 0.750 (0.70–0.80) | 0.750 (0.70–0.80) | 0.500 (0.45–0.55) | 0.500 (0.45–0.55) |" in text
    assert "| unanswerable answered at 0.80 coverage | – | – | 0.250 (0.20–0.30) | 10 |" in text
    assert "AUROC at least 0.80, missed; at 0.80 coverage at most 0.30 of the unanswerable answered, met." in text
    assert "The big reader" not in report(found)
