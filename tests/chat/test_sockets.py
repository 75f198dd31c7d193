import pytest

from tests.chat.sockets import Tab


async def never_answers(scope, receive, send):
    while True:
        await receive()


async def test_a_tab_that_waited_in_vain_can_still_be_closed():
    tab = Tab(never_answers, "/ws/chat/")
    with pytest.raises(TimeoutError):
        await tab.receive_output(timeout=0.01)
    await tab.disconnect()
