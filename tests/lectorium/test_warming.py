from lectorium import warming
from lectorium.providers import registry


def test_a_model_that_cannot_load_is_reported_and_stops_nothing(monkeypatch, caplog):
    def broken(name):
        raise OSError("weights are missing")

    monkeypatch.setattr(warming, "serving_space", lambda: None)
    monkeypatch.setattr(registry, "embedder", broken)
    warming.begin()
    warming._thread.join(timeout=10)
    assert not warming.is_under_way()
    assert "every question will fail" in caplog.text
