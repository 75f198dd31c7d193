"""Weights that are cut off on the disk, under a real site."""

import shutil

import pytest

from lectorium.providers.cross_encoder_weights import SHIPPED, WEIGHTS

pytestmark = pytest.mark.slow


def cut(file):
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


async def test_a_site_whose_reader_is_cut_off_says_so_and_answers_once_it_is_whole(new_site, tmp_path):
    folder = tmp_path / "weights"
    shutil.copytree(SHIPPED, folder)
    cut(folder / WEIGHTS)
    site = new_site(LECTORIUM_CROSS_ENCODER=str(folder))
    web = site.start_web(wait="healthz", LECTORIUM_WARM="1")
    while "still loading" in (said := site.status("readyz")[1]):
        pass
    assert "The models could not be loaded: run manage.py doctor" in said
    assert f"{folder / WEIGHTS} is truncated." in site.manage("doctor", check=False).stdout
    assert site.status("lectures/")[0] == 200
    assert (await site.reader().ask())[-1]["outcome"] == "failed"
    shutil.copy(SHIPPED / WEIGHTS, folder / WEIGHTS)
    site.wait_for("readyz", web)
    assert (await site.reader().ask())[-1]["outcome"] != "failed"


async def test_a_site_whose_big_reader_is_cut_off_answers_with_the_small_one(new_site, tmp_path):
    base = tmp_path / "base"
    base.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (base / name).write_text("{}")
    shutil.copy(SHIPPED / WEIGHTS, base / "model.safetensors")
    cut(base / "model.safetensors")
    site = new_site(LECTORIUM_READER="big", LECTORIUM_READER_BASE=str(base))
    site.start_web(LECTORIUM_WARM="1")
    assert (await site.reader().ask())[-1]["outcome"] == "grounded"
    assert f"missing or truncated: {base}" in site.log("web").read_text()
    assert "Run `make install`" in site.manage("doctor", check=False).stdout
