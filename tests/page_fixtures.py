"""Fixtures of the tests that drive the page of scripts/board in a real browser."""

import chromium
import pytest
from board_server import board_with_plugins, state

# Mark the document, so that a reload can be recognised; delete the page's games, and keep the page
# from storing others.
FORGET = """(() => {
  window.former = true;
  Storage.prototype.setItem = () => {};
  if (location.protocol === "http:") [localStorage, sessionStorage].forEach((each) => each.clear());
})()"""
# In Analyse no engine searches during a test, unless the test presses #engine-on, and then it searches
# few nodes.  In Play an engine takes the shortest time that the page offers.
LIKED = """if (location.protocol === "http:")
  localStorage["plyglot/liked"] ??= '{"engine": false, "limit": "nodes 4000", "time": "move 0.2"}';"""


@pytest.fixture(scope="module")
def server():
    with board_with_plugins() as found:
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(scope="module")
def tab(browser):
    """Return the tab that a file's tests share, since opening a new one takes as long as a test."""
    opened = browser.open("about:blank")
    opened.call("Page.addScriptToEvaluateOnNewDocument", source=LIKED)
    return opened


@pytest.fixture
def page(server, tab):
    """Yield the page as on a first visit; fail if it has reported errors on its console."""
    tab.call("Page.bringToFront")  # a tab in the background gets no input
    tab.evaluate(FORGET)
    tab.resize(1100, 820)
    tab.call("Emulation.setTouchEmulationEnabled", enabled=False)
    tab.call("Page.navigate", url=server.address)
    tab.wait("!window.former")
    tab.errors.clear()
    state(tab, "yours")
    yield tab
    tab.evaluate(FORGET)  # so that this page stores no game during the next test
    assert tab.errors == []
