"""A turn that its reader has left gives its slot to a question that waits."""

import asyncio

from channels.layers import InMemoryChannelLayer

from chat.live import running
from chat.live.running import LiveTurn, stop_left_turn


async def test_each_waiting_question_stops_another_left_turn_and_none_is_stopped_twice(monkeypatch):
    monkeypatch.setattr(running, "_running", set())
    stopped = []

    async def work(name):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)  # it is recorded; a second stop would end that
            stopped.append(name)

    turns = [LiveTurn(InMemoryChannelLayer(), name) for name in "ab"]
    for turn in turns:
        turn.begin(work(turn.turn_id), lambda: None)
    await asyncio.sleep(0)
    for turn in turns:
        turn.leave()
    for _ in range(3):
        stop_left_turn()
        await asyncio.sleep(0)
    await asyncio.gather(*(turn.ended() for turn in turns))
    assert sorted(stopped) == ["a", "b"]
