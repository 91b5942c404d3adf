"""The replay page in a real Chromium, without a network: every control, on a desk and on a phone.

Skipped where Chromium and its driver are not installed. A screenshot of the won game stays in ``artefacts/``, or
where the environment variable ``SOLITAIRE_LAB_ARTEFACTS`` says.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import solitaire_lab as sl

selenium = pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from tests.browser import CHROMIUM, DRIVER, open_browser, resize  # noqa: E402

ARTEFACTS = Path(os.environ.get("SOLITAIRE_LAB_ARTEFACTS") or Path(__file__).parent.parent / "artefacts")

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="Chromium and chromedriver are not installed (Debian: chromium, chromium-driver)"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


class Page:
    """The page as a reader has it."""

    def __init__(self, browser, path, replay):
        self.browser, self.replay = browser, replay
        browser.get(path.as_uri())

    def find(self, name):
        return self.browser.find_element(By.ID, name)

    def press(self, *keys):
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def run(self, script):
        return self.browser.execute_script(f"return {script}")

    @property
    def move(self):
        """The number of the move that is shown, which count, list and slider must agree on."""
        count, current, slider = self.run(
            "[byId('count').textContent, items.map((item) => item.hasAttribute('aria-current') ? 1 : 0),"
            " Number(byId('slider').value)]"
        )
        assert count == f"{slider} of {len(self.replay.moves)}"
        assert [number for number, is_current in enumerate(current) if is_current] == [slider]
        return slider

    def wait(self, condition, seconds=10):
        WebDriverWait(self.browser, seconds, poll_frequency=0.05).until(lambda _: condition())

    def errors(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def cards(self):
        """Return where the cards are on the screen, in units of the board: left, top, whether face down."""
        script = """(() => {
            const board = document.getElementById("board").getBoundingClientRect();
            const unit = board.width / %s;
            return [...document.querySelectorAll(".card")].map((card) => {
                const box = card.getBoundingClientRect();
                return [(box.left - board.left) / unit, (box.top - board.top) / unit, card.classList.contains("down")];
            });
        })()"""
        return sorted((round(x), round(y), down) for x, y, down in self.run(script % self.replay.pictures[0].width))

    def expected(self, move):
        return sorted((round(card.x), round(card.y), card.face_down) for card in self.replay.pictures[move].cards)

    def current_is_in_view(self):
        return self.run(
            "(() => { const list = byId('moves').getBoundingClientRect(), item = items[now].getBoundingClientRect();"
            " return item.top >= list.top - 1 && item.bottom <= list.bottom + 1; })()"
        )


@pytest.fixture(scope="module")
def replays():
    return {
        "stonewall": sl.solve("stonewall", seed=2).replay(),
        "klondike-draw1": sl.solve("klondike-draw1", seed=2).replay(),
        "pyramid": sl.solve("pyramid", seed=1, passes=3).replay(),
    }


@pytest.fixture(params=["stonewall", "klondike-draw1", "pyramid"])
def page(browser, replays, request, tmp_path):
    path = tmp_path / "replay.html"
    replays[request.param].save(path)
    opened = Page(browser, path, replays[request.param])
    yield opened
    assert opened.errors() == []


def test_it_plays_to_the_win(page, browser):
    end = len(page.replay.moves)
    assert page.move == 0
    assert page.cards() == page.expected(0)
    assert page.find("won").value_of_css_property("opacity") == "0"
    page.press(Keys.END)
    assert page.move == end
    assert page.cards() == page.expected(end)
    assert page.current_is_in_view()
    assert page.find("won").text == f"Won in {end} moves"
    assert page.find("won").value_of_css_property("opacity") == "1"
    assert page.run("document.getElementById('said').textContent") == f"Won in {end} moves"
    assert not page.find("next").is_enabled()
    ARTEFACTS.mkdir(exist_ok=True)
    assert browser.save_screenshot(str(ARTEFACTS / f"replay-{page.replay.title.split(',')[0].lower()}-won.png"))


def test_every_step_shows_the_referees_position(page):
    for move in range(1, 16):
        page.press(Keys.ARROW_RIGHT)
        assert page.move == move
        assert page.cards() == page.expected(move)
        assert page.current_is_in_view()
    page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert page.cards() == page.expected(page.move)


def test_it_plays_and_pauses(page):
    page.find("speed").find_element(By.CSS_SELECTOR, "option[value='8']").click()
    page.find("play").click()
    page.wait(lambda: page.move >= 5)
    assert page.find("play").get_attribute("aria-label") == "Pause"
    page.find("play").click()
    assert page.find("play").get_attribute("aria-label") == "Play"
    stopped = page.move
    time.sleep(0.3)
    assert page.move == stopped
    assert page.cards() == page.expected(stopped)
    page.press(Keys.END, Keys.ARROW_LEFT)
    page.run("document.activeElement.blur()")
    page.browser.find_element(By.TAG_NAME, "body").send_keys(" ")
    page.wait(lambda: page.move == len(page.replay.moves))
    page.wait(lambda: page.find("play").get_attribute("aria-label") == "Play")


def test_the_buttons_the_slider_and_the_list_jump(page):
    page.browser.find_elements(By.CSS_SELECTOR, "#moves button")[7].click()
    assert page.move == 7
    page.find("next").click()
    assert page.move == 8
    page.find("back").click()
    page.find("back").click()
    assert page.move == 6
    page.find("last").click()
    assert page.move == len(page.replay.moves)
    page.find("first").click()
    assert page.move == 0
    page.find("slider").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.move == 3
    assert page.cards() == page.expected(3)


def test_it_is_usable_on_a_phone(page, browser):
    resize(browser, 390, 780, phone=True)
    try:
        assert page.run("document.documentElement.scrollWidth") <= 390
        assert page.run("document.documentElement.scrollHeight") <= 800
        for name in ("first", "back", "play", "next", "last", "speed"):
            size = page.find(name).size
            assert min(size["width"], size["height"]) >= 40
        board = page.find("board").rect
        assert board["x"] >= 0
        assert 250 <= board["width"] <= 390
        page.find("next").click()
        assert page.move == 1
        assert page.cards() == page.expected(1)
        assert page.run("byId('moves').clientHeight") >= 100
        page.find("last").click()
        browser.save_screenshot(str(ARTEFACTS / f"replay-{page.replay.title.split(',')[0].lower()}-phone.png"))
    finally:
        resize(browser, 1280, 900)


def test_it_fetches_nothing_and_names_its_controls(page):
    assert page.run("performance.getEntriesByType('resource').length") == 0
    for element in page.browser.find_elements(By.CSS_SELECTOR, "#bar button, #bar input, #bar select"):
        assert element.get_attribute("aria-label")


def test_cards_turn_and_glide_unless_motion_is_to_be_reduced(page, browser):
    page.wait(lambda: page.run("getComputedStyle(cards[0]).transitionDuration") == "0s")
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}
    )
    try:
        page.wait(lambda: page.run("getComputedStyle(cards[0]).transitionDuration") == "0.28s")  # it hears of it late
        assert page.run("getComputedStyle(cards[0].firstElementChild).transitionProperty") == "transform"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    down = {number for number, picture in enumerate(page.replay.pictures) for card in picture.cards if card.face_down}
    if down:
        backs = [page.run("document.querySelectorAll('.card.down').length")]
        page.press(Keys.END)
        backs.append(page.run("document.querySelectorAll('.card.down').length"))
        assert backs == [sum(card.face_down for card in page.replay.pictures[move].cards) for move in (0, -1)]
        assert backs[0] > backs[1]
