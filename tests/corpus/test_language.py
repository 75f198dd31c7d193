import sys
from concurrent.futures import ThreadPoolExecutor

from corpus.language import lexeme


def test_threads_that_stem_at_once_do_not_get_one_anothers_words():
    words = [f"{stem}{ending}" for stem in ("generat", "organis", "relat", "rational", "nation") for ending in
             ("ion", "ions", "ional", "ionally", "ing", "ed", "or", "ors", "es", "ely", "iveness")]  # fmt: skip
    alone = [lexeme.__wrapped__(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda _: [lexeme.__wrapped__(word) for word in words], range(24)))
    finally:
        sys.setswitchinterval(interval)
    assert together == [alone] * 24
