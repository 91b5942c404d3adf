"""A real Chromium without a window, for tests and pictures of pages."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --force-prefers-reduced-motion --hide-scrollbars"
)


@contextlib.contextmanager
def open_browser(profile: Path, width: int = 1280, height: int = 900) -> Iterator[Chrome]:
    """Run a browser whose page is so large, with its profile in a folder."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS.split(), f"--user-data-dir={profile / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=DRIVER))
    try:
        resize(driver, width, height)
        yield driver
    finally:
        driver.quit()


def resize(browser: Chrome, width: int, height: int, *, phone: bool = False) -> None:
    """Give the page a size, that of a phone with its finer pixels if wanted, and wait until it has it."""
    from selenium.webdriver.support.ui import WebDriverWait

    metrics = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    WebDriverWait(browser, 10, poll_frequency=0.05).until(
        lambda _: browser.execute_script("return [innerWidth, innerHeight]") == [width, height]
    )
